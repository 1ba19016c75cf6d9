import type { SavedPrompt } from '@docket/api-types/saved-prompts'
import { useQuery } from '@tanstack/react-query'
import { MessageSquareText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { PromptEditor } from './prompt-editor.tsx'
import { PromptRow } from './prompt-row.tsx'
import { RunDialog } from './run-dialog.tsx'
import { savedPromptsQuery } from './saved-prompts.queries.ts'

type SavedPromptListProps = {
  refused: string | null
  refusedRun: string | null
  projectIds: readonly string[]
  /** Button for the first prompt. */
  create: ReactNode
}

/** The team's prompts, with the dialogs to use and to edit one. */
export const SavedPromptList = ({ refused, refusedRun, projectIds, create }: SavedPromptListProps) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(savedPromptsQuery)
  const [open, setOpen] = useState<{ what: 'run' | 'edit'; prompt: SavedPrompt } | null>(null)
  // As it is now; a deleted one stays, so that nothing typed is lost.
  const prompt = open && (data?.items.find(({ promptId }) => promptId === open.prompt.promptId) ?? open.prompt)
  const close = () => setOpen(null)
  return (
    <>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24" />}
      {data?.items.length === 0 && (
        <EmptyState icon={<MessageSquareText />} title="No saved prompts yet" action={create}>
          Keep a prompt that you send again and again, with placeholders for what changes.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Saved prompts" className="panel divide-y divide-line">
          {data.items.map((one) => (
            <li key={one.promptId}>
              <PromptRow
                prompt={one}
                refused={refused}
                refusedRun={refusedRun}
                onRun={() => setOpen({ what: 'run', prompt: one })}
                onEdit={() => setOpen({ what: 'edit', prompt: one })}
              />
            </li>
          ))}
        </ul>
      )}
      {prompt && open.what === 'run' && <RunDialog prompt={prompt} projectIds={projectIds} onClose={close} />}
      {prompt && open.what === 'edit' && <PromptEditor prompt={prompt} onClose={close} />}
    </>
  )
}
