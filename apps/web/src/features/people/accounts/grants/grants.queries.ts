import type { AddGrant, AddSiteGrant } from '@docket/api-types/grants'
import { queryOptions } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'
import type { HeldRole } from './places.ts'

export const grantsQuery = queryOptions({
  queryKey: ['users', 'grants'],
  queryFn: async ({ signal }): Promise<HeldRole[]> => {
    const [onConnections, onSites] = await Promise.all([
      get('/api/grants', { signal }),
      get('/api/site-grants', { signal }),
    ])
    return [...onConnections.items, ...onSites.items]
  },
  refetchInterval: 30_000,
})

/** Grants a role on a connection, a site or a channel. It replaces the one that the person or group had there. */
export const useAddGrant = () =>
  useWrite(['users'], (body: AddGrant | AddSiteGrant): Promise<HeldRole> =>
    'siteId' in body ? post('/api/site-grants', { body }) : post('/api/grants', { body }),
  )

export const useRemoveGrant = () =>
  useWrite(['users'], (grant: HeldRole) =>
    remove(`/api/${'siteId' in grant ? 'site-grants' : 'grants'}/{grantId}`, { params: { grantId: grant.grantId } }),
  )
