import { useNavigate } from '@tanstack/react-router'
import { endSession } from '#features/people/accounts/sign-out.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

export const SignOutDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const setPassword = () => {
    onClose()
    void navigate({ to: '/account', hash: 'password' })
  }
  const leave = () => {
    onClose()
    endSession()
  }
  return (
    <Dialog onClose={onClose} title="Sign out without a password?">
      <p className="text-sm text-muted">You have no password. Set one, or you need a new link from the terminal.</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" data-autofocus onClick={setPassword}>
          Set a password
        </Button>
        <Button onClick={leave}>Sign out anyway</Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
