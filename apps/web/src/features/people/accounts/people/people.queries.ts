import type { ChangeUser, Invite } from '@docket/api-types/accounts'
import { queryOptions } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const peopleQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => get('/api/users', { signal }),
  refetchInterval: 30_000,
})

export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['users', 'sessions', userId],
    queryFn: ({ signal }) => get('/api/users/{userId}/sessions', { params: { userId }, signal }),
  })

export const useInvitePerson = () => useWrite(['users'], (body: Invite) => post('/api/users/invitations', { body }))

export const useRevokeInvitation = () =>
  useWrite(['users'], (invitationId: string) =>
    remove('/api/users/invitations/{invitationId}', { params: { invitationId } }),
  )

export const useChangeUser = () =>
  useWrite(['users'], ({ userId, ...body }: ChangeUser & { userId: string }) =>
    patch('/api/users/{userId}', { params: { userId }, body }),
  )

export const useDeleteUser = (tokens: 'revoke' | 'hand_over') =>
  useWrite(['users'], (userId: string) => remove('/api/users/{userId}', { params: { userId }, query: { tokens } }))

export const useCreatePasswordLink = () =>
  useWrite(['users'], (userId: string) => post('/api/users/{userId}/password-link', { params: { userId } }))

export const useEndSessions = () =>
  useWrite(['users'], (userId: string) => remove('/api/users/{userId}/sessions', { params: { userId } }))
