export const NoteLine = ({ note }: { note: { text: string } }) => (
  <bdi title={note.text} className="block truncate text-xs text-muted italic">
    {note.text.split('\n', 1)[0]}
  </bdi>
)
