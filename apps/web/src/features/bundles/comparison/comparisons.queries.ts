import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { parseComparisonSearch, toComparisonQuery, type ComparisonSearch } from './comparison-search.ts'
import { listDeadAddresses } from './dead-addresses.ts'

const root = 'comparisons'
const partSize = 200
/** Stored artifacts never change, but artifacts are added and deleted. */
const staleMs = 60_000

type Part = { skip: number; limit: number }

const readComparison = (exportId: string, search: ComparisonSearch, part: Part, signal: AbortSignal) =>
  get('/api/static-exports/{exportId}/artifact/changes', {
    params: { exportId },
    query: { ...toComparisonQuery(search), ...part },
    signal,
  })

export const changesQuery = (exportId: string, search: ComparisonSearch) =>
  infiniteQueryOptions({
    queryKey: [root, exportId, 'list', search],
    queryFn: ({ signal, pageParam }) => readComparison(exportId, search, { skip: pageParam, limit: partSize }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: staleMs,
  })

export const storedExportsQuery = (exportId: string) =>
  queryOptions({
    queryKey: [root, exportId, 'stored'],
    queryFn: async ({ signal }) => {
      const { domain, connectionId } = await get('/api/static-exports/{exportId}', { params: { exportId }, signal })
      const { items } = await get('/api/static-exports', { query: { domain, connection: connectionId }, signal })
      return items.filter((one) => one.exportId !== exportId && one.artifact?.state === 'stored')
    },
    staleTime: staleMs,
  })

export const comparedQuery = (exportId: string, against: string) =>
  queryOptions({
    queryKey: [root, exportId, 'compared', against],
    queryFn: ({ signal }) =>
      readComparison(exportId, { ...parseComparisonSearch({}), against }, { skip: 0, limit: 1 }, signal),
    staleTime: staleMs,
  })

/** Old addresses that lead nowhere in the later artifact; `isCut` when there may be more. */
export const deadAddressesQuery = (exportId: string, against: string) =>
  queryOptions({
    queryKey: [root, exportId, 'dead', against],
    queryFn: async ({ signal }) =>
      listDeadAddresses(
        await Promise.all(
          (['removed', 'moved'] as const).map((kind) =>
            readComparison(exportId, { against, kind, q: '' }, { skip: 0, limit: 500 }, signal),
          ),
        ),
      ),
    staleTime: staleMs,
  })

export const pageComparisonQuery = (exportId: string, address: string, against: string) =>
  queryOptions({
    queryKey: [root, exportId, 'page', address, against],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/changes/page', {
        params: { exportId },
        query: { address, against },
        signal,
      }),
    staleTime: staleMs,
  })

export const releaseNoteQuery = (exportId: string, against: string) =>
  queryOptions({
    queryKey: [root, exportId, 'note', against],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/changes/note', {
        params: { exportId },
        query: { against },
        signal,
      }),
    staleTime: staleMs,
  })
