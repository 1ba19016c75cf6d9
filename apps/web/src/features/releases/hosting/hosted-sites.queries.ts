import { queryOptions } from '@tanstack/react-query'
import { post } from '#lib/api/api.ts'

/** Opens a hosted site once; the address works once, so it is never used again. */
export const openHostedSiteQuery = (hostname: string, path: string) =>
  queryOptions({
    queryKey: ['hosted-sites', 'open', hostname, path],
    queryFn: () => post('/api/hosted-sites/open', { body: { hostname, path } }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
