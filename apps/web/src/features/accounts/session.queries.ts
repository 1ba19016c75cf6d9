import type { Session } from '@docket/api-types/session'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { moveToOwnAddress } from '#lib/own-address.ts'

/** Who is signed in, and how one can sign in. Read at the start, when the tab comes back, and when an answer says that nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await get('/api/session', { signal })
    // A page that is leaving shows nothing more.
    return (await moveToOwnAddress(session)) ? new Promise<Session>(() => {}) : session
  },
})

/** The session, as it was read last. */
export const useSession = () => useQuery(sessionQuery)

/** Reads the session anew; resolves when it is there. To be called after whatever changes it. */
export const useSessionAgain = () => {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: true })
}
