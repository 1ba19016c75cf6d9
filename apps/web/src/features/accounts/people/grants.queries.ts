import type { AddGrant, Grant } from '@docket/api-types/grants'
import { queryOptions } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api.ts'
import { useWrite } from './people.queries.ts'

/** Roles of people and groups on single connections. */
export const grantsQuery = queryOptions({
  queryKey: ['users', 'grants'],
  queryFn: ({ signal }) => get('/api/grants', { signal }),
  refetchInterval: 30_000,
})

/** Gives a role on a connection. It replaces the one that the person or group had there. */
export const useAddGrant = () => useWrite((body: AddGrant) => post('/api/grants', { body }))

/** Takes a role on a connection away. */
export const useRemoveGrant = () =>
  useWrite(({ grantId }: Grant) => remove('/api/grants/{grantId}', { params: { grantId } }))
