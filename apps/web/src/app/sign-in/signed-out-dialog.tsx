import { useEffect, useId, useRef } from 'react'
import { SignInForm } from '#features/people/accounts/auth-pages/sign-in-form.tsx'

/** Asks for a new sign-in after the session ended. The page below keeps its drafts. */
export const SignedOutDialog = ({ email, hadPassword }: { email: string; hadPassword: boolean }) => {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal()
    dialog.querySelector<HTMLElement>(email === '' ? 'input' : 'input[type=password]')?.focus()
  }, [email])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // Cannot be closed, because every read of the page behind it would fail.
      onCancel={(event) => event.preventDefault()}
      className="animate-appear max-h-[90dvh] w-[calc(100%-2rem)] max-w-md overflow-auto rounded-lg border border-line bg-raised p-5 shadow-float"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        You were signed out
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        Your session ended. Sign in to continue; what you typed is still here.
      </p>
      <SignInForm returnTo={location.pathname + location.search} email={email} hadPassword={hadPassword} />
    </dialog>
  )
}
