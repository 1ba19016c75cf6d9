import type { AccountSession } from '@docket/api-types/accounts'
import { useQuery } from '@tanstack/react-query'
import { SessionList } from '#features/people/accounts/session-list.tsx'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Panel, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { ownSessionsQuery, useEndSession } from './own-account.queries.ts'

const EndSessionButton = ({ session }: { session: AccountSession }) => {
  const { mutateAsync, isPending } = useEndSession()
  if (session.current) return <Button onClick={signOut}>Sign out</Button>
  return (
    <Button
      busy={isPending}
      aria-label={`End the session on ${session.device}`}
      onClick={() => toastEnd(mutateAsync(session.sessionId), `Ended the session on ${session.device}.`)}
    >
      End
    </Button>
  )
}

export const SessionsSection = () => {
  const query = useQuery(ownSessionsQuery)
  const { data } = query
  const others = useEndSession()
  const hasOthers = data !== undefined && data.items.some(({ current }) => !current)
  return (
    <Panel
      title="Sessions"
      lead="Where you’re signed in. Sessions end after three days without use."
      action={
        hasOthers && (
          <Button
            busy={others.isPending}
            onClick={() => toastEnd(others.mutateAsync(null), 'Your other sessions have ended.')}
          >
            End all others
          </Button>
        )
      }
    >
      <ReadState query={query} waiting={<Skeleton className="h-12 w-full" />} />
      {data && <SessionList items={data.items} renderAction={(session) => <EndSessionButton session={session} />} />}
    </Panel>
  )
}
