import type { OidcRefusal } from '@docket/api-types/accounts'
import { safeReturnTo } from '@docket/return-to'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AuthPage } from '#features/people/accounts/auth-pages/auth-page.tsx'
import { SignInForm } from '#features/people/accounts/auth-pages/sign-in-form.tsx'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { isSharedAddress } from '#lib/address/own-address.ts'
import { isolateText } from '#lib/text/format.ts'
import { Skeleton, ReadState } from '#ui/layout/page.tsx'

const problems: Record<OidcRefusal, string> = {
  cancelled: 'You cancelled single sign-on.',
  expired: 'That took too long, or you started in another browser. Try again.',
  provider_unavailable: 'Single sign-on doesn’t respond. Try again later, or sign in another way.',
  provider_refused: 'Single sign-on refused. The reason is in Docket’s log.',
  clock: 'The clock of single sign-on or of Docket is wrong. Ask whoever runs Docket.',
  no_access: 'None of your groups has access to this Docket. Ask an admin.',
  disabled: 'This account is disabled. Ask an admin.',
  no_email: 'Single sign-on sent no e-mail address, and an account needs one. Ask an admin.',
  email_taken:
    'Another account has your e-mail address, and single sign-on did not verify that it’s yours. Ask an admin.',
  needs_setup: 'The first account must be an admin’s, and you aren’t in the admin group.',
  failed: 'Docket couldn’t sign you in. Try again. If it keeps failing, check Docket’s log.',
}

/** Never shows text from the address itself. `said` comes from the server. */
const describeProblem = (code: string, said: string | null | undefined): string | null => {
  if (code === '') return null
  if (code === 'provider_refused' && said) return `Single sign-on refused. It says: “${isolateText(said)}”`
  return Object.hasOwn(problems, code) ? problems[code as OidcRefusal] : problems.failed
}

export const SignInPage = () => {
  const query = useSession()
  const { data } = query
  const router = useRouter()
  const navigate = useNavigate()
  const search = useSearch({ from: '/outside/sign-in' })
  const returnTo = safeReturnTo(search.returnTo)
  const failed = search.error !== ''
  const isIn = data !== undefined && data.person !== null
  // Loads the next page during the sign-in.
  useEffect(() => {
    router.preloadRoute({ to: '.', href: returnTo }).catch(() => undefined)
  }, [router, returnTo])
  useEffect(() => {
    if (isIn) router.history.replace(returnTo)
    // Failures of single sign-on are shown here even if no account exists yet.
    else if (data?.needsSetup && !failed) void navigate({ to: '/setup', replace: true })
  }, [router, navigate, isIn, returnTo, failed, data?.needsSetup])
  return (
    <AuthPage title="Sign in">
      <ReadState query={query} waiting={<Skeleton className="h-48 w-full" />} />
      {data && (
        <>
          <SignInForm returnTo={returnTo} problem={describeProblem(search.error, data.oidcSaid)} />
          {data.passwordOptional && isSharedAddress() && (
            <p className="mt-4 text-xs text-muted">
              Signed in before? Open the address that Docket printed when it started.
            </p>
          )}
        </>
      )}
    </AuthPage>
  )
}
