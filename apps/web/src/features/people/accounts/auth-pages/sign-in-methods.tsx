import type { Session } from '@docket/api-types/session'
import { Building2, KeyRound } from 'lucide-react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { signInWithPasskey } from '#features/people/accounts/webauthn.ts'
import { post } from '#lib/api/api.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'

type SignInMethodsProps = { methods: Session['methods']; returnTo: string; onDone: () => Promise<unknown> }

export const SignInMethods = ({ methods, returnTo, onDone }: SignInMethodsProps) => {
  const passkey = useGuardedMutation(async () => {
    await signInWithPasskey()
    await onDone()
  })
  const oidc = useGuardedMutation(async () => {
    const { url } = await post('/api/auth/oidc', { body: { returnTo } })
    location.assign(url)
    // Stays busy until the other page has loaded.
    await new Promise(() => undefined)
  })
  const refused = passkey.refused ?? oidc.refused
  if (!methods.passkey && methods.oidc === null) return null
  return (
    <>
      {methods.password && (
        <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      <FormFailure error={passkey.error ?? oidc.error} wait={refused} />
      {methods.oidc !== null && (
        <Button icon={Building2} size="md" busy={oidc.isPending} refused={refused} onClick={() => oidc.send()}>
          Sign in with {methods.oidc}
        </Button>
      )}
      {methods.passkey && (
        <Button icon={KeyRound} size="md" busy={passkey.isPending} refused={refused} onClick={() => passkey.send()}>
          Sign in with a passkey
        </Button>
      )}
    </>
  )
}
