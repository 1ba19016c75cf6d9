import type { Session } from '@docket/api-types/session'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AuthPage } from '#features/accounts/auth-pages/auth-page.tsx'
import { SignInMethods } from '#features/accounts/auth-pages/sign-in-methods.tsx'
import { SetupForm, StartAtOnce } from '#features/accounts/auth-pages/setup-form.tsx'
import { useLinkToken } from '#features/accounts/auth-pages/use-link-token.ts'
import { useSession } from '#features/accounts/session.queries.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'

const howTo = (
  <>
    Nobody has an account here yet. When Docket started, it printed a link with{' '}
    <code className="font-mono text-text">/setup#</code> in it, in its terminal or log. Open that link to create the
    first account; open it again if you have reloaded this page. It works for a day. Restart Docket to get a new one.
  </>
)

/** Members of the admin group can also come in through single sign-on, which creates their account. */
const Needed = ({ methods, onAgain }: { methods: Session['methods']; onAgain: () => Promise<unknown> }) => (
  <AuthPage title="Open the link from the console" lead={howTo}>
    <div className="flex flex-wrap gap-2">
      <Button size="md" onClick={() => void onAgain()}>
        Look again
      </Button>
      <SignInMethods methods={{ ...methods, password: false, passkey: false }} returnTo="/" onDone={onAgain} />
    </div>
  </AuthPage>
)

const Done = () => (
  <AuthPage title="This Docket is set up" lead="Its first account exists already, so this link has nothing left to do.">
    <Link to="/" className={buttonClass({ variant: 'primary', size: 'md' })}>
      Go to Docket
    </Link>
  </AuthPage>
)

const withoutPassword =
  'Only this computer reaches this Docket, so you can begin without a password, as its first admin. This browser stays signed in, and each start of Docket prints a link to sign in with. Choose a password whenever you like.'

const withPassword = 'This creates its first admin, who can invite the others.'

/** Creates the first account, with the link that Docket printed. */
export const SetupPage = () => {
  const token = useLinkToken()
  const navigate = useNavigate()
  const { data, error, dataUpdatedAt, refetch } = useSession()
  const [chosen, setChosen] = useState(false)
  const [needed, setNeeded] = useState(false)
  const isIn = data !== undefined && data.person !== null
  if (data?.needsSetup && !needed) setNeeded(true)
  useEffect(() => {
    if (isIn && needed) void navigate({ to: '/', replace: true })
  }, [navigate, isIn, needed])
  if (!data)
    return (
      <AuthPage title="Welcome to Docket">
        {error ? (
          <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </AuthPage>
    )
  if (!data.needsSetup) return <Done />
  if (token === null) return <Needed methods={data.methods} onAgain={refetch} />
  const atOnce = data.passwordOptional && !chosen
  return (
    <AuthPage title="Welcome to Docket" lead={atOnce ? withoutPassword : withPassword}>
      {atOnce ? <StartAtOnce token={token} onPassword={() => setChosen(true)} /> : <SetupForm token={token} />}
    </AuthPage>
  )
}
