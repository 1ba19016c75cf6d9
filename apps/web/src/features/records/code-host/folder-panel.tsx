import type { CodeHostFolder } from '@docket/api-types/code-host'
import { useState } from 'react'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { QuestionDialog } from '#ui/overlays/dialog.tsx'
import { useUpdateFolder } from './code-host.queries.ts'
import { useActRefusal } from './use-act-refusal.ts'

export const FolderPanel = ({ projectId, folder }: { projectId: string; folder: CodeHostFolder }) => {
  const { mutateAsync, isPending } = useUpdateFolder(projectId, folder.main)
  const [isAsking, setAsking] = useState(false)
  const forbidden = useActRefusal()
  const update = () => {
    setAsking(false)
    toastEnd(mutateAsync(), 'Updated the folder.', 'Could not update the folder.')
  }
  return (
    <section
      aria-label="Folder"
      className="panel mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3"
    >
      <p className="flex min-w-0 flex-1 basis-72 items-start gap-2 text-sm">
        <StateMark tone={folder.isUpToDate ? 'done' : 'attention'} className="mt-0.5 size-4" />
        <bdi className="min-w-0 wrap-anywhere">{revealHiddenCharacters(folder.sentence)}</bdi>
      </p>
      {folder.canUpdate && (
        <Button size="md" busy={isPending} refused={forbidden} onClick={() => setAsking(true)}>
          Update the folder
        </Button>
      )}
      {isAsking && (
        <QuestionDialog title="Update the folder?" action="Update" onClose={() => setAsking(false)} onConfirm={update}>
          <p className="text-muted">
            This writes the <code className="font-mono text-xs text-text">main</code> branch of{' '}
            <code className="font-mono text-xs wrap-anywhere text-text">{projectId}</code> into its folder on the
            server. Docket writes nothing over changes of a person.
          </p>
        </QuestionDialog>
      )}
    </section>
  )
}
