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

/** The buttons below a form in a dialog. */
export const FormActions = ({ submit, busy, refused, children, onCancel }: FormActionsProps) => (
  <div className="flex flex-wrap justify-end gap-2">
    {children}
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant="primary" busy={busy} refused={refused}>
      {submit}
    </Button>
  </div>
)
