import type { SavedPrompt } from '@docket/api-types/saved-prompts'
import { Pencil, Trash2 } from 'lucide-react'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { MenuItem } from '#ui/overlays/menu-item.tsx'
import { Menu } from '#ui/overlays/menu.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { useDeletePrompt, useSavePrompt } from './saved-prompts.queries.ts'

type PromptRowProps = {
  prompt: SavedPrompt
  /** Reason why the reader may not change prompts; null when they may. */
  refused: string | null
  /** Reason why none may be sent. */
  refusedRun: string | null
  onRun: () => void
  onEdit: () => void
}

/** One saved prompt with its commands. */
export const PromptRow = ({ prompt, refused, refusedRun, onRun, onEdit }: PromptRowProps) => {
  const remove = useDeletePrompt()
  const save = useSavePrompt()
  const { title, text, changedBy, changedAt } = prompt
  const undo = () => void save.mutateAsync({ title, text }).catch(toastFailure())
  // A promise, because the row is gone when the response arrives.
  const removeNow = () =>
    void remove
      .mutateAsync(prompt)
      .then(() => toast(`Deleted “${isolate(title)}”.`, { action: { label: 'Undo', run: undo } }), toastFailure())
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
        <Button refused={refusedRun} aria-label={`Use ${isolate(title)}`} onClick={onRun}>
          Use…
        </Button>
        <Menu label={`More for ${isolate(title)}`}>
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
