import type { Session } from '@docket/api-types/session'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ComponentProps } from 'react'
import { AuthPage } from '#features/people/accounts/auth-pages/auth-page.tsx'
import { SetupForm, StartWithoutPassword } from '#features/people/accounts/auth-pages/setup-form.tsx'
import { SignInMethods } from '#features/people/accounts/auth-pages/sign-in-methods.tsx'
import { useLinkToken } from '#features/people/accounts/auth-pages/use-link-token.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'

const howTo = (
  <>
    This Docket has no accounts yet. When it started, it printed a link with{' '}
    <code className="font-mono text-text">/setup#</code> in its terminal or log. Open that link to create the first
    account; open it again if you reloaded this page. It works for a day. Restart Docket to get a new one.
  </>
)

/** Members of the admin group can also come in through single sign-on, which creates their account. */
const Needed = ({
  dead = false,
  methods,
  onAgain,
}: {
  dead?: boolean
  methods: Session['methods']
  onAgain: () => Promise<unknown>
}) => (
  <AuthPage
    title={dead ? 'This link doesn’t work' : 'Open the link from the terminal'}
    lead={dead ? 'It’s wrong, used or expired. Restart Docket to get a new one.' : howTo}
  >
    <div className="flex flex-wrap gap-2">
      <Button size="md" onClick={() => void onAgain()}>
        Check again
      </Button>
      <SignInMethods methods={{ ...methods, password: false, passkey: false }} returnTo="/" onDone={onAgain} />
    </div>
  </AuthPage>
)

const SetupDoneNotice = () => (
  <AuthPage title="This Docket is already set up" lead="The first account exists, so the link no longer works.">
    <Link to="/" className={buttonClass({ variant: 'primary', size: 'md' })}>
      Go to Docket
    </Link>
  </AuthPage>
)

const Waiting = ({ query }: Pick<ComponentProps<typeof ReadState>, 'query'>) => (
  <AuthPage title="Set up Docket">
    <ReadState query={query} waiting={<Skeleton className="h-40 w-full" />} />
  </AuthPage>
)

const withoutPassword =
  'Docket is only reachable from this computer, so you can start without a password. You can set one later in Settings.'

const withPassword = 'You become the first admin and can invite others.'

/** Checks the token once, because every check counts against the throttle. */
const useTokenCheck = (token: string | null) =>
  useQuery({
    queryKey: ['setup', token],
    queryFn: token === null ? skipToken : () => post('/api/setup/check', { body: { token } }).then(() => 'works'),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })

export const SetupPage = () => {
  const token = useLinkToken()
  const navigate = useNavigate()
  const session = useSession()
  const { data, refetch } = session
  const check = useTokenCheck(data?.needsSetup ? token : null)
  const [chosen, setChosen] = useState(false)
  const [needed, setNeeded] = useState(false)
  const isIn = data !== undefined && data.person !== null
  if (data?.needsSetup && !needed) setNeeded(true)
  useEffect(() => {
    if (isIn && needed) void navigate({ to: '/', replace: true })
  }, [navigate, isIn, needed])
  if (!data) return <Waiting query={session} />
  if (!data.needsSetup) return <SetupDoneNotice />
  if (token === null) return <Needed methods={data.methods} onAgain={refetch} />
  const code = check.error instanceof ApiError ? check.error.code : null
  if (code === 'conflict') return <SetupDoneNotice />
  if (code === 'forbidden') return <Needed dead methods={data.methods} onAgain={() => check.refetch()} />
  // During an upgrade, a replica of the previous build lacks this route.
  if (check.data === undefined && code !== 'not_found') return <Waiting query={check} />
  const atOnce = data.passwordOptional && !chosen
  return (
    <AuthPage title="Welcome to Docket" lead={atOnce ? withoutPassword : withPassword}>
      {atOnce ? <StartWithoutPassword token={token} onPassword={() => setChosen(true)} /> : <SetupForm token={token} />}
    </AuthPage>
  )
}
