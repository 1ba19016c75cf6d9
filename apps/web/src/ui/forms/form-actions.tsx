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

/** The buttons below a form in a dialog. They stay in view while a long form scrolls. */
export const FormActions = ({ submit, busy, refused, children, onCancel }: FormActionsProps) => (
  <div className="sticky bottom-0 z-10 -my-3 flex flex-wrap justify-end gap-2 bg-raised py-3">
    {children}
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant="primary" busy={busy} refused={refused}>
      {submit}
    </Button>
  </div>
)
