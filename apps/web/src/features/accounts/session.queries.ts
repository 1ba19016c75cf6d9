import type { Session } from '@docket/api-types/session'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from '#lib/api.ts'

/** Who is signed in, and how one can sign in. Read at the start, when the tab comes back, and when an answer says that nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('/api/session', signal),
})

/** The session, as it was read last. */
export const useSession = () => useQuery(sessionQuery)

/** Reads the session anew; resolves when it is there. To be called after whatever changes it. */
export const useSessionAgain = () => {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: true })
}
