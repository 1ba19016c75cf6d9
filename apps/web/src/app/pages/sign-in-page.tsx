import { safeReturnTo } from '@docket/return-to'
import type { OidcRefusal } from '@docket/api-types/accounts'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AuthPage } from '#features/accounts/auth-pages/auth-page.tsx'
import { SignInForm } from '#features/accounts/auth-pages/sign-in-form.tsx'
import { useSession } from '#features/accounts/session.queries.ts'
import { isSharedAddress } from '#lib/own-address.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'

const problems: Record<OidcRefusal, string> = {
  cancelled: 'You cancelled the single sign-on.',
  expired: 'That took too long, or was begun in another browser. Try once more.',
  provider_unavailable: 'The single sign-on does not answer. Try again later, or sign in in another way.',
  provider_refused: 'The single sign-on did not let you in. Whoever runs this Docket finds the reason in its log.',
  no_access: 'You are signed in there, but no group of yours may use this Docket. Ask an admin of it.',
  disabled: 'This account has been disabled. Ask an admin of this Docket.',
  no_email: 'The single sign-on told no e-mail address, and an account needs one.',
  email_taken: 'Another account has your e-mail address, and the single sign-on does not say that it is yours.',
  needs_setup: 'No account exists yet, and you are not in the group of admins. An admin has to come first.',
  failed: 'Docket could not sign you in. Try again; if it stays, look into its log.',
}

/** Never shows text from the address itself. */
const describeProblem = (code: string): string | null =>
  code === '' ? null : Object.hasOwn(problems, code) ? problems[code as OidcRefusal] : problems.failed

/** Signs in and returns to the requested page. */
export const SignInPage = () => {
  const { data, error, dataUpdatedAt, refetch } = useSession()
  const router = useRouter()
  const navigate = useNavigate()
  const search = useSearch({ from: '/outside/sign-in' })
  const returnTo = safeReturnTo(search.returnTo)
  const failed = search.error !== ''
  const isIn = data !== undefined && data.person !== null
  // The next page is loaded by the time the sign-in ends.
  useEffect(() => {
    router.preloadRoute({ to: '.', href: returnTo }).catch(() => undefined)
  }, [router, returnTo])
  useEffect(() => {
    if (isIn) router.history.replace(returnTo)
    // Shows failures of the single sign-on here, even before an account exists.
    else if (data?.needsSetup && !failed) void navigate({ to: '/setup', replace: true })
  }, [router, navigate, isIn, returnTo, failed, data?.needsSetup])
  return (
    <AuthPage title="Sign in">
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {data ? (
        <>
          <SignInForm returnTo={returnTo} problem={describeProblem(search.error)} />
          {data.passwordOptional && isSharedAddress() && (
            <p className="mt-4 text-xs text-muted">
              Signed in before? Open the address that Docket printed when it started.
            </p>
          )}
        </>
      ) : (
        !error && <Skeleton className="h-48 w-full" />
      )}
    </AuthPage>
  )
}
