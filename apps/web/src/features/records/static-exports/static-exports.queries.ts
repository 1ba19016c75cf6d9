import type { BundleLink } from '@docket/api-types/bundles'
import type { StatusMeaning } from '@docket/api-types/connections'
import type { SiteRows } from '@docket/api-types/site-rows'
import type {
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportGroup,
  StaticExportItem,
  StaticExportList,
} from '@docket/api-types/static-exports'
import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { readHostname } from '#lib/address/hostname.ts'
import { printListSearch, toListQuery, type ListRange, type ListSearch } from '#lib/address/list-search.ts'
import { get, linkTo, patch, post, remove } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import { useConnections } from '#ui/connections/connections.tsx'
import type { ListSource } from '#ui/live-list/live-pages.ts'
import { readPage, unknownCheck, type PageContext, type RowKind } from '#ui/live-list/read-page.ts'
import { useWrite } from '#ui/live/use-write.ts'
import { isRunningExport, isStoringBundle } from './export-state.ts'

type ExportSearch = ListSearch<StaticExportGroup, 'oldest' | 'domain'>

const toExportsQuery = (search: Partial<ExportSearch>, range?: ListRange) => ({
  ...toListQuery(search, range),
  domain: search.domain,
  findings: search.findings ? 'true' : undefined,
})

/** `anyway`: also what is no archive. */
export const printDownloadPath = (exportId: string, anyway?: 'true'): string =>
  linkTo('/api/static-exports/{exportId}/download', { params: { exportId }, query: { anyway } })

const listKey = ['static-exports', 'list'] as const

export const toExportId = (row: StaticExport): string => row.exportId

type Check = StaticExportChecks['checks'][number]

const kind: RowKind<StaticExportItem, Check, StaticExport> = {
  getId: ({ exportId }) => exportId,
  isLive: isRunningExport,
  withCheck: (
    item,
    { checkedAt, nextCheckAt, expectedAt, failedAt } = { ...item, ...unknownCheck, expectedAt: null },
  ) => ({
    ...item,
    checkedAt,
    nextCheckAt,
    expectedAt,
    checkFailure: item.checkFailure && { ...item.checkFailure, at: failedAt ?? '' },
  }),
}

const readExports = (search: Partial<ExportSearch>, range: ListRange, context: PageContext) => {
  const request = { query: toExportsQuery(search, range), signal: context.signal }
  return readPage(
    kind,
    {
      page: () => get('/api/static-exports', request),
      checks: async () => (await get('/api/static-exports/checks', request)).checks,
    },
    context,
  )
}

export const printExportCsvPath = (search: ExportSearch): string =>
  linkTo('/api/static-exports/export.csv', { query: toExportsQuery(search) })

export const exportListSource = (search: ExportSearch): ListSource<StaticExport, StaticExportList['counts']> => ({
  queryKey: [...listKey, 'all', printListSearch({ ...search, q: search.q.trim() })],
  read: (range, context) => readExports(search, range, context),
  getId: toExportId,
  isLive: (row) => isRunningExport(row) || isStoringBundle(row),
})

export const exportsQuery = (search: Partial<ExportSearch>, paused: boolean) =>
  queryOptions({
    queryKey: [...listKey, 'first', printListSearch(search)],
    queryFn: (context) => readExports(search, { from: null, until: null }, context),
    // `readPage` keeps equal rows.
    structuralSharing: false,
    refetchInterval: refetchInterval<Pick<StaticExportList, 'counts'> & { items: readonly StaticExport[] }>({
      paused,
      isLive: ({ counts, items }) => counts.active > 0 || items.some(isStoringBundle),
    }),
  })

/** Values to filter the list by, of one connection or all (`''`). */
export const exportFiltersQuery = (connection: string) =>
  queryOptions({
    queryKey: ['static-exports', 'filters', connection],
    queryFn: ({ signal }) => get('/api/static-exports/filters', { query: { connection }, signal }),
    staleTime: 30_000,
  })

/** Domain of the newest export. Null before the first one. */
export const lastExportQuery = (connection: string) =>
  queryOptions({
    queryKey: [...listKey, 'last', connection],
    queryFn: async ({ signal }) => {
      const query = { connection, limit: 1 }
      return (await get('/api/static-exports', { query, signal })).items[0]?.domain ?? null
    },
    staleTime: 10_000,
  })

/** A row for each site: what is live, and its newest export. */
export const siteRowsQuery = (query: { connection: string; q: string; skip: number }, paused: boolean) =>
  queryOptions({
    queryKey: [...listKey, 'sites', query],
    queryFn: ({ signal }) =>
      get('/api/overview/sites', {
        query: {
          ...query,
          q: query.q.trim(),
          skip: query.skip || undefined,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchInterval<SiteRows>({
      paused,
      isLive: ({ rows }) =>
        rows.some(({ newest }) => newest !== null && (isRunningExport(newest) || isStoringBundle(newest))),
    }),
  })

/** One export. Not polled once it can change only by a click. */
export const exportQuery = (exportId: string, paused: boolean) =>
  queryOptions({
    queryKey: ['static-exports', 'one', exportId],
    queryFn: ({ signal }) => get('/api/static-exports/{exportId}', { params: { exportId }, signal }),
    refetchInterval: refetchInterval<StaticExport>({
      paused,
      isLive: (row) => isRunningExport(row) || isStoringBundle(row),
      isSettled: ({ state, isWatched }) => state !== 'unknown' && isWatched !== false,
    }),
  })

/** Connection that a typed domain belongs to: that of its newest export, else this machine for one of its `sites`. Null: none, or unknown yet. */
export const useHomeConnection = (typed: string, sites: readonly string[] = []): string | null => {
  const connections = useConnections() ?? []
  const domain = readHostname(typed.trim())
  const { data } = useQuery({
    queryKey: [...listKey, 'newest', domain],
    queryFn: ({ signal }) => get('/api/static-exports', { query: { domain: domain ?? '', limit: 5 }, signal }),
    enabled: domain !== null && connections.length > 1,
  })
  const newest = data?.items.find(({ state }) => state !== 'refused')?.connectionId
  const machine = connections.find(({ kind }) => kind === 'embedded' && sites.includes(domain ?? ''))
  return newest ?? machine?.connectionId ?? null
}

const keys = [listKey, 'status', 'history']

const rememberExport = (client: QueryClient, row: StaticExport) =>
  void client.setQueryData(['static-exports', 'one', row.exportId], row)

export const useWriteExport = <In>(write: (input: In) => Promise<StaticExport>) =>
  useWrite(keys, write, { keep: rememberExport })

export const useWriteStartedExport = <In>(start: (input: In) => Promise<StartedStaticExport>) =>
  useWrite(keys, start, {
    keep: (client, { export: row }) => {
      addOwnRecord(row.exportId)
      rememberExport(client, row)
    },
  })

/** Starts an export. The same `requestId` never starts a second one. */
export const useStartNewExport = () =>
  useWriteStartedExport((body: StartStaticExport) => post('/api/static-exports', { body }))

export const useImportExport = () =>
  useWriteStartedExport((body: ImportStaticExport) => post('/api/static-exports/import', { body }))

export const useCheckExportNow = () =>
  useWriteExport((exportId: string) => post('/api/static-exports/{exportId}/check', { params: { exportId } }))

export const useCancelExport = () =>
  useWriteExport((exportId: string) => post('/api/static-exports/{exportId}/cancel', { params: { exportId } }))

export const useTreatExportStatus = (exportId: string) =>
  useWriteExport((as: StatusMeaning) =>
    post('/api/static-exports/{exportId}/treat-as', { params: { exportId }, body: { as } }),
  )

export const useAttachExportJob = () =>
  useWriteExport(({ exportId, jobId }: { exportId: string; jobId: string }) =>
    post('/api/static-exports/{exportId}/attach', { params: { exportId }, body: { jobId } }),
  )

export const useRemoveExport = () =>
  useWrite(keys, (exportId: string) => remove('/api/static-exports/{exportId}', { params: { exportId } }))

export const useRestoreExport = () =>
  useWrite(keys, (exportId: string) => post('/api/static-exports/{exportId}/restore', { params: { exportId } }))

export const useDismissExport = () =>
  useWriteExport((exportId: string) => post('/api/static-exports/{exportId}/dismiss', { params: { exportId } }))

export const useUndoExportDismissal = () =>
  useWriteExport((exportId: string) => remove('/api/static-exports/{exportId}/dismiss', { params: { exportId } }))

export const useChangeExportNote = (exportId: string) =>
  useWriteExport((note: string) => patch('/api/static-exports/{exportId}', { params: { exportId }, body: { note } }))

/** Prepares a download: the server renews the link and learns the size. */
export const usePrepareDownload = () =>
  useWrite(keys, (exportId: string) =>
    post('/api/static-exports/{exportId}/bundle/prepare', { params: { exportId }, query: { anyway: 'true' } }),
  )

/** Bundle link of the service. A secret: never cached. */
export const fetchBundleLink = (exportId: string): Promise<BundleLink> =>
  post('/api/static-exports/{exportId}/bundle', { params: { exportId } })
