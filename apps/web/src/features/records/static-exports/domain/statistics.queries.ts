import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'

/** Numbers of finished exports of a domain and a connection (`''`: all). Reads them again after a minute, and for a new `stamp`. */
export const statisticsQuery = (domain: string, connection: string, stamp = '') =>
  queryOptions({
    queryKey: ['static-exports', 'statistics', domain, connection, stamp],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      get('/api/static-exports/statistics', {
        query: { domain, connection },
        signal,
      }),
    staleTime: 60_000,
  })
