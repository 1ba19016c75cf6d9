import type { LinkPurpose } from '@docket/api-types/accounts'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthPage } from '#features/people/accounts/auth-pages/auth-page.tsx'
import { LinkForm } from '#features/people/accounts/auth-pages/link-form.tsx'
import { useLinkToken } from '#features/people/accounts/auth-pages/use-link-token.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { ApiError, toMessage } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { aRole } from '#lib/people/permissions.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { Instant } from '#ui/live/ticking.tsx'

const titles: Record<LinkPurpose['kind'], string> = {
  invitation: 'You are invited to Docket',
  password: 'Set a password',
  sign_in: 'Sign in to Docket',
}

const LinkIntroduction = ({ purpose: { kind, email, name, role, expiresAt } }: { purpose: LinkPurpose }) => (
  <>
    {kind === 'invitation' && (
      <>
        {role !== 'none' && `You join as ${role ? aRole[role] : 'a viewer'} with`}
        {role === 'none' && 'You join with'} the address {email}.{' '}
      </>
    )}
    {kind === 'password' && <>For {name ?? email}. Your other sessions end. </>}
    {kind === 'sign_in' && <>As {name ?? email}. </>}
    The link works once, until <Instant at={expiresAt} />.
  </>
)

const DeadLinkNotice = ({ error }: { error: ApiError }) => (
  <AuthPage title="This link no longer works" lead={toMessage(error)}>
    <Link to="/sign-in" className={buttonClass({ size: 'md' })}>
      Go to sign in
    </Link>
  </AuthPage>
)

const isDeadLink = (error: unknown): error is ApiError =>
  error instanceof ApiError && ['forbidden', 'not_found', 'conflict', 'invalid_request'].includes(error.code)

/** Page of a one-time link. Opening it changes nothing; its button does. */
export const LinkPage = () => {
  const token = useLinkToken()
  const navigate = useNavigate()
  // The session is needed once the link is redeemed.
  useSession()
  const [read] = useState(() =>
    queryOptions({
      queryKey: ['link', token],
      queryFn: token === null ? skipToken : () => post('/api/links/read', { body: { token } }),
      staleTime: Infinity,
      // Every read counts against the throttle.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      gcTime: 0,
    }),
  )
  const query = useQuery(read)
  const { data: purpose, error } = query
  if (token === null)
    return (
      <AuthPage
        title="This link is incomplete"
        lead="Open the full link again. After a reload, this page no longer has it."
      />
    )
  if (isDeadLink(error)) return <DeadLinkNotice error={error} />
  return (
    <AuthPage
      title={purpose ? titles[purpose.kind] : 'Docket'}
      lead={purpose && <LinkIntroduction purpose={purpose} />}
    >
      <ReadState query={query} waiting={<Skeleton className="h-40 w-full" />} />
      {purpose && <LinkForm token={token} purpose={purpose} onUsed={() => void navigate({ to: '/', replace: true })} />}
    </AuthPage>
  )
}
