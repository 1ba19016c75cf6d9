import { X } from 'lucide-react'
import { refusedProps } from '#ui/buttons/button.tsx'
import { showReason } from '#ui/overlays/reason.ts'

type RoleMarkProps = {
  text: string
  name: string
  /** Why it may not be taken away, or null. */
  refused: string | null
  onTake: () => void
}

export const RoleMark = ({ text, name, refused, onTake }: RoleMarkProps) => (
  <li className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2 text-xs">
    <span className="min-w-0 truncate" title={text}>
      {text}
    </span>
    <button
      type="button"
      aria-label={`Remove: ${text}, ${name}`}
      {...refusedProps(refused)}
      aria-disabled={refused !== null || undefined}
      onClick={(event) => (refused === null ? onTake() : showReason(event.currentTarget, refused))}
      className="grid size-6 shrink-0 place-items-center rounded-r-md text-muted hover:bg-hover hover:text-text data-refused:cursor-not-allowed data-refused:opacity-60"
    >
      <X className="size-3.5" aria-hidden="true" />
    </button>
  </li>
)
