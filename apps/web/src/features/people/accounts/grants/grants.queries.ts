import type { AddGrant, Grant, AddSiteGrant, SiteGrant } from '@docket/api-types/grants'
import { queryOptions } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const grantsQuery = queryOptions({
  queryKey: ['users', 'grants'],
  queryFn: ({ signal }) => get('/api/grants', { signal }),
  refetchInterval: 30_000,
})

/** Grants a role on a connection. It replaces the one that the person or group had there. */
export const useAddGrant = () => useWrite(['users'], (body: AddGrant) => post('/api/grants', { body }))

export const useRemoveGrant = () =>
  useWrite(['users'], ({ grantId }: Grant) => remove('/api/grants/{grantId}', { params: { grantId } }))

export const siteGrantsQuery = queryOptions({
  queryKey: ['users', 'site-grants'],
  queryFn: ({ signal }) => get('/api/site-grants', { signal }),
  refetchInterval: 30_000,
})

/** Grants a role on a site or a channel. It replaces the one that the person or group had there. */
export const useAddSiteGrant = () => useWrite(['users'], (body: AddSiteGrant) => post('/api/site-grants', { body }))

export const useRemoveSiteGrant = () =>
  useWrite(['users'], ({ grantId }: SiteGrant) => remove('/api/site-grants/{grantId}', { params: { grantId } }))
