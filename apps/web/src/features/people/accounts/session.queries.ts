import type { Session } from '@docket/api-types/session'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { isSharedAddress } from '#lib/address/own-address.ts'
import { get } from '#lib/api/api.ts'

/** Session and sign-in methods. Read at the start, when the tab returns, and after a 401. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await get('/api/session', { signal })
    if (!isSharedAddress()) return session
    const { moveToOwnAddress } = await import('#lib/address/move-address.ts')
    // The browser is moving to the own address, so this page never renders.
    return (await moveToOwnAddress(session)) ? new Promise<Session>(() => {}) : session
  },
})

export const useSession = () => useQuery(sessionQuery)

/** Returns a function that reads the session again; call it after every change. */
export const useRereadSession = () => {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: true })
}
