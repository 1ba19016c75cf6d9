import type { ChangeUser, Invite } from '@docket/api-types/accounts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useRemoval } from '#ui/overlays/use-removal.ts'

const listKey = ['users', 'list'] as const

/** Accounts and invitations. */
export const peopleQuery = queryOptions({
  queryKey: listKey,
  queryFn: ({ signal }) => get('/api/users', { signal }),
  refetchInterval: 30_000,
})

/** Sessions of a user. */
export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', 'sessions', userId],
    queryFn: ({ signal }) => get('/api/users/{userId}/sessions', { params: { userId }, signal }),
  })

/** A change of people or their roles; reads them again afterwards. */
export const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    // Reads the list again even after a refusal, because it may have been stale.
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  })
}

/** Creates an invitation. */
export const useInvite = () => useWrite((body: Invite) => post('/api/users/invitations', { body }))

/** Revokes an invitation. */
export const useRevoke = () =>
  useRemoval(['users'], (invitationId: string) =>
    remove('/api/users/invitations/{invitationId}', { params: { invitationId } }),
  )

/** Changes a user's role or name, or disables or enables them. */
export const useChangeUser = () =>
  useWrite(({ userId, ...body }: ChangeUser & { userId: string }) =>
    patch('/api/users/{userId}', { params: { userId }, body }),
  )

/** Deletes an account, and revokes its API tokens or hands them over to the sender. */
export const useDeleteUser = (tokens: 'revoke' | 'hand_over') =>
  useRemoval(['users'], (userId: string) => remove('/api/users/{userId}', { params: { userId }, query: { tokens } }))

/** Creates a password link. */
export const usePasswordLink = () =>
  useWrite((userId: string) => post('/api/users/{userId}/password-link', { params: { userId } }))

/** Ends every session of a user. */
export const useEndSessions = () =>
  useWrite((userId: string) => remove('/api/users/{userId}/sessions', { params: { userId } }))
