import { X } from 'lucide-react'
import { useState } from 'react'
import { readStored, writeStored } from '#lib/state/store.ts'
import { IconButton } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { useSession } from './session.queries.ts'

/** Suggests a password to people without one. Dismissed once per browser. */
export const ChoosePasswordHint = () => {
  const person = useSession().data?.person
  const [dismissed, setDismissed] = useState(() => readStored('local', 'no-password-is-fine') !== null)
  if (!person || person.hasPassword || person.passkeys > 0 || dismissed) return null
  const dismiss = () => {
    writeStored('local', 'no-password-is-fine', 'yes')
    setDismissed(true)
  }
  return (
    <p className="mt-7 flex items-center gap-2 text-sm text-muted">
      <span>
        You have no password.{' '}
        <Link to="/account" hash="password" className="text-accent underline underline-offset-2">
          Set a password
        </Link>{' '}
        to sign in from other browsers.
      </span>
      <IconButton icon={X} label="Dismiss the hint about a password" onClick={dismiss} />
    </p>
  )
}
