import type { AccountSession } from '@docket/api-types/accounts'
import { useQuery } from '@tanstack/react-query'
import { Section } from '#features/people/accounts/section.tsx'
import { SessionList } from '#features/people/accounts/session-list.tsx'
import { signOut } from '#features/people/accounts/sign-out.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { ownSessionsQuery, useEndSession } from './own-account.queries.ts'

const End = ({ session }: { session: AccountSession }) => {
  const { mutate, isPending } = useEndSession()
  if (session.current) return <Button onClick={signOut}>Sign out</Button>
  return (
    <Button
      busy={isPending}
      aria-label={`End the session on ${session.device}`}
      onClick={() =>
        mutate(session.sessionId, {
          onSuccess: () => toast(`Ended the session on ${session.device}.`),
          onError: toastFailure(),
        })
      }
    >
      End
    </Button>
  )
}

/** Sessions of the reader, and buttons to end them. */
export const SessionsSection = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(ownSessionsQuery)
  const others = useEndSession()
  const hasOthers = data !== undefined && data.items.some(({ current }) => !current)
  return (
    <Section
      title="Sessions"
      lead="Where you’re signed in. Sessions end after three days without use."
      action={
        hasOthers && (
          <Button
            busy={others.isPending}
            onClick={() =>
              others.mutate(null, {
                onSuccess: () => toast('Your other sessions have ended.'),
                onError: toastFailure(),
              })
            }
          >
            End all others
          </Button>
        )
      }
    >
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-12 w-full" />}
      {data && <SessionList items={data.items} renderAction={(session) => <End session={session} />} />}
    </Section>
  )
}
