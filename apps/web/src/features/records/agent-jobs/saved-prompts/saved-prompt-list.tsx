import type { SavedPrompt } from '@docket/api-types/saved-prompts'
import { useQuery } from '@tanstack/react-query'
import { MessageSquareText, Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { EmptyState, ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { toastUndo } from '#ui/live/use-write.ts'
import { MenuItem, Menu } from '#ui/overlays/menu.tsx'
import { PromptEditor } from './prompt-editor.tsx'
import { RunDialog } from './run-dialog.tsx'
import { savedPromptsQuery, useDeletePrompt, useSavePrompt } from './saved-prompts.queries.ts'

type PromptRowProps = {
  prompt: SavedPrompt
  refused: string | null
  refusedRun: string | null
  onRun: () => void
  onEdit: () => void
}

const PromptRow = ({ prompt, refused, refusedRun, onRun, onEdit }: PromptRowProps) => {
  const remove = useDeletePrompt()
  const save = useSavePrompt()
  const { title, text, changedBy, changedAt } = prompt
  const removeNow = () =>
    toastUndo(remove.mutateAsync(prompt), `Deleted “${isolateText(title)}”.`, () => save.mutateAsync({ title, text }))
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-medium wrap-anywhere">
          <bdi>{title}</bdi>
        </h2>
        <p dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
          {text}
        </p>
        <p className="mt-0.5 text-xs text-muted">
          <bdi>{changedBy}</bdi>, <Ago at={changedAt} />
        </p>
      </div>
      <div className="flex items-center gap-1.5">
        <Button refused={refusedRun} aria-label={`Use ${isolateText(title)}`} onClick={onRun}>
          Use…
        </Button>
        <Menu label={`More for ${isolateText(title)}`}>
          <MenuItem icon={<Pencil />} refused={refused} onSelect={onEdit}>
            Edit…
          </MenuItem>
          <MenuItem icon={<Trash2 />} danger refused={refused} onSelect={removeNow}>
            Delete
          </MenuItem>
        </Menu>
      </div>
    </div>
  )
}

type SavedPromptListProps = {
  refused: string | null
  refusedRun: string | null
  projectIds: readonly string[]
  create: ReactNode
}

export const SavedPromptList = ({ refused, refusedRun, projectIds, create }: SavedPromptListProps) => {
  const query = useQuery(savedPromptsQuery)
  const { data } = query
  const [open, setOpen] = useState<{ what: 'run' | 'edit'; prompt: SavedPrompt } | null>(null)
  // The current version; a deleted prompt stays in the form, so that typed text is not lost.
  const prompt = open && (data?.items.find(({ promptId }) => promptId === open.prompt.promptId) ?? open.prompt)
  const close = () => setOpen(null)
  return (
    <>
      <ReadState query={query} waiting={<Skeleton className="h-24" />} />
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
