import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { readStored, writeStored } from '#lib/state/store.ts'
import { Button } from '#ui/buttons/button.tsx'
import { copyText } from '#ui/copying/copy.ts'
import { saveText } from '#ui/copying/save-file.ts'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { releaseNoteQuery } from './comparisons.queries.ts'

type NoteProps = { exportId: string; against: string; onClose: () => void }

/** Release note as Markdown, to edit, copy or download. Edits stay through closing and a reload. */
export const ReleaseNoteDialog = ({ exportId, against, onClose }: NoteProps) => {
  const query = useQuery(releaseNoteQuery(exportId, against))
  const { data } = query
  return (
    <Dialog wide onClose={onClose} title="Release note">
      {!data && <ReadState query={query} waiting={<Skeleton className="h-64 w-full" />} />}
      {data && <ReleaseNoteEditor markdown={data.markdown} draftName={`release-note-${exportId}-${against}`} />}
    </Dialog>
  )
}

const ReleaseNoteEditor = ({ markdown, draftName }: { markdown: string; draftName: string }) => {
  const [edited, setEdited] = useState(() => readStored('session', draftName))
  const text = edited ?? markdown
  const change = (next: string | null) => {
    setEdited(next)
    writeStored('session', draftName, next === markdown ? null : next)
  }
  return (
    <div className="grid gap-3">
      <textarea
        aria-label="Release note in Markdown"
        dir="auto"
        rows={16}
        value={text}
        onChange={({ target }) => change(target.value)}
        className="max-h-[55dvh] w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-xs/5"
      />
      <div className="flex flex-wrap justify-end gap-2">
        {edited !== null && edited !== markdown && (
          <Button variant="quiet" size="md" onClick={() => change(null)}>
            Start over
          </Button>
        )}
        <Button icon={Download} size="md" onClick={() => saveText('release-note.md', text)}>
          Download
        </Button>
        <Button variant="primary" size="md" onClick={() => void copyText(text, 'Copied the release note.')}>
          Copy Markdown
        </Button>
      </div>
    </div>
  )
}
