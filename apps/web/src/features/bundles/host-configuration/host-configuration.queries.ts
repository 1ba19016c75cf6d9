import type { HostKind } from '@docket/api-types/host-configuration'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'

/** What people say about their host. An empty `path` is the one that the bundle expects. */
export type HostChoice = { host: HostKind; name: string; root: string; path: string }

/** Files of a host for a stored bundle. */
export const hostConfigurationQuery = (exportId: string, { host, name, root, path }: HostChoice) =>
  queryOptions({
    queryKey: ['host-configuration', exportId, host, name, root, path],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/host-configuration', {
        params: { exportId },
        query: { host, name, root, path: path.trim() === '' ? undefined : path },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
