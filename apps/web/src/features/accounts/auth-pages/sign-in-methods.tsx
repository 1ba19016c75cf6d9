import type { Session } from '@docket/api-types/session'
import { useMutation } from '@tanstack/react-query'
import { Building2, KeyRound } from 'lucide-react'
import { post } from '#lib/api.ts'
import { useWait } from '#features/accounts/wait.tsx'
import { signInWithPasskey } from '#features/accounts/webauthn.ts'
import { FormFailure } from '#features/accounts/form-failure.tsx'
import { Button } from '#ui/button.tsx'

type SignInMethodsProps = { methods: Session['methods']; returnTo: string; onDone: () => Promise<unknown> }

/** Passkey and single sign-on, as far as this Docket supports them. */
export const SignInMethods = ({ methods, returnTo, onDone }: SignInMethodsProps) => {
  const wait = useWait()
  const passkey = useMutation({
    mutationFn: async () => {
      await signInWithPasskey()
      await onDone()
    },
    onError: wait.tell,
  })
  const oidc = useMutation({
    mutationFn: async () => {
      const { url } = await post('/api/auth/oidc', { body: { returnTo } })
      location.assign(url)
      // Stays busy until the next page loads.
      await new Promise(() => undefined)
    },
    onError: wait.tell,
  })
  const error = passkey.error ?? oidc.error
  if (!methods.passkey && methods.oidc === null) return null
  return (
    <>
      {methods.password && (
        <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      <FormFailure error={error} wait={wait.refused} />
      {methods.oidc !== null && (
        <Button size="md" busy={oidc.isPending} refused={wait.refused} onClick={() => oidc.mutate()}>
          <Building2 className="size-4" aria-hidden="true" />
          Sign in with {methods.oidc}
        </Button>
      )}
      {methods.passkey && (
        <Button size="md" busy={passkey.isPending} refused={wait.refused} onClick={() => passkey.mutate()}>
          <KeyRound className="size-4" aria-hidden="true" />
          Sign in with a passkey
        </Button>
      )}
    </>
  )
}
