export const NoteLine = ({ note }: { note: { text: string } }) => (
  <bdi title={note.text} className="min-w-0 truncate text-xs font-normal text-muted italic">
    {note.text.split('\n', 1)[0]}
  </bdi>
)
