import type { ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'

type FormActionsProps = {
  submit: string
  busy: boolean
  refused?: string | null
  /** Further buttons, before the usual ones. */
  children?: ReactNode
  onCancel: () => void
}

/** The line with the buttons of a dialog. It stays in view while a long form scrolls. */
export const actionsLineClass =
  'sticky bottom-0 z-10 -my-3 flex flex-wrap items-center justify-end gap-2 bg-raised py-3'

export const FormActions = ({ submit, busy, refused, children, onCancel }: FormActionsProps) => (
  <div className={actionsLineClass}>
    {children}
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant="primary" busy={busy} refused={refused}>
      {submit}
    </Button>
  </div>
)
