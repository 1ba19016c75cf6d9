import type { BundleLink } from '@docket/api-types/bundles'
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
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, linkTo, patch, post, remove } from '#lib/api/api.ts'
import { readHostname } from '#lib/address/hostname.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import { printListSearch, toListQuery, type ListRange, type ListSearch } from '#lib/address/list-search.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { useConnections } from '#ui/connections/use-connections.ts'
import { readPage, unknownCheck, type PageContext, type RowKind } from '#ui/live-list/read-page.ts'
import type { ListSource } from '#ui/live-list/live-pages.ts'
import { isRunning } from './export-state.ts'
import { isStoring } from './stored-label.ts'

type ExportSearch = ListSearch<StaticExportGroup, 'oldest' | 'domain'>

const toQuery = (search: Partial<ExportSearch>, range?: ListRange) => ({
  ...toListQuery(search, range),
  domain: search.domain,
  findings: search.findings ? 'true' : undefined,
})

/** Download address of an export's bundle. */
export const downloadPath = (exportId: string): string =>
  linkTo('/api/static-exports/{exportId}/download', { params: { exportId } })

const listKey = ['static-exports', 'list'] as const

/** Id of an export within lists. */
export const toExportId = (row: StaticExport): string => row.exportId

type Check = StaticExportChecks['checks'][number]

const kind: RowKind<StaticExportItem, Check, StaticExport> = {
  getId: ({ exportId }) => exportId,
  isLive: isRunning,
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
  const request = { query: toQuery(search, range), signal: context.signal }
  return readPage(
    kind,
    {
      page: () => get('/api/static-exports', request),
      checks: async () => (await get('/api/static-exports/checks', request)).checks,
    },
    context,
  )
}

/** Address of a CSV file of all exports that match a search. */
export const exportCsvPath = (search: ExportSearch): string =>
  linkTo('/api/static-exports/export.csv', { query: toQuery(search) })

/** Exports that match a search, page by page. */
export const exportListSource = (search: ExportSearch): ListSource<StaticExport, StaticExportList['counts']> => ({
  queryKey: [...listKey, 'all', printListSearch({ ...search, q: search.q.trim() })],
  read: (range, context) => readExports(search, range, context),
  getId: toExportId,
  isLive: (row) => isRunning(row) || isStoring(row),
})

/** First 50 exports that match a search, newest first. */
export const exportsQuery = (search: Partial<ExportSearch>, paused: boolean) =>
  queryOptions({
    queryKey: [...listKey, 'first', printListSearch(search)],
    queryFn: (context) => readExports(search, { from: null, until: null }, context),
    // `readPage` keeps equal rows.
    structuralSharing: false,
    refetchInterval: refetchInterval<Pick<StaticExportList, 'counts'> & { items: readonly StaticExport[] }>({
      paused,
      isLive: ({ counts, items }) => counts.active > 0 || items.some(isStoring),
    }),
  })

/** Values to filter the list by, of one connection or all (`''`). */
export const exportFiltersQuery = (connection: string) =>
  queryOptions({
    queryKey: ['static-exports', 'filters', connection],
    queryFn: ({ signal }) =>
      get('/api/static-exports/filters', { query: { connection: connection || undefined }, signal }),
    staleTime: 30_000,
  })

/** One export. Not polled once it can change only by a click. */
export const exportQuery = (exportId: string, paused: boolean) =>
  queryOptions({
    queryKey: ['static-exports', 'one', exportId],
    queryFn: ({ signal }) => get('/api/static-exports/{exportId}', { params: { exportId }, signal }),
    refetchInterval: refetchInterval<StaticExport>({
      paused,
      isLive: (row) => isRunning(row) || isStoring(row),
      isSettled: ({ state }) => state !== 'unknown',
    }),
  })

/** Connection that a typed domain belongs to: that of its newest export, else this machine for one of its `sites`. Null: none, or unknown yet. */
export const useHome = (typed: string, sites: readonly string[] = []): string | null => {
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

/** A command about exports: keeps the row that it returns, and reads the list again before it ends. */
export const useWrite = <In, Out>(write: (input: In) => Promise<Out>, pickRow?: (out: Out) => StaticExport) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async (out) => {
      const row = pickRow?.(out)
      if (row) client.setQueryData(['static-exports', 'one', row.exportId], row)
      // The list is current before the button stops being busy.
      await client.invalidateQueries({ queryKey: listKey })
      for (const name of ['status', 'history']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
}

const own = (started: StartedStaticExport): StartedStaticExport => {
  addOwnRecord(started.export.exportId)
  return started
}

/** Starts an export. The same `requestId` never starts a second one. */
export const useStart = () =>
  useWrite(
    async (body: StartStaticExport) => own(await post('/api/static-exports', { body })),
    (started) => started.export,
  )

/** Tracks an export that was started elsewhere. */
export const useImport = () =>
  useWrite(
    async (body: ImportStaticExport) => own(await post('/api/static-exports/import', { body })),
    (started) => started.export,
  )

/** Reads an export from the service now. */
export const useCheckNow = () =>
  useWrite(
    (exportId: string) => post('/api/static-exports/{exportId}/check', { params: { exportId } }),
    (row) => row,
  )

/** Asks the service to end an export. */
export const useCancel = () =>
  useWrite(
    (exportId: string) => post('/api/static-exports/{exportId}/cancel', { params: { exportId } }),
    (row) => row,
  )

/** Attaches a jobId that a person found to an export with an unknown outcome. */
export const useAttach = () =>
  useWrite(
    ({ exportId, jobId }: { exportId: string; jobId: string }) =>
      post('/api/static-exports/{exportId}/attach', { params: { exportId }, body: { jobId } }),
    (row) => row,
  )

/** Removes an export from the list; `useRestore` undoes it. */
export const useRemove = () =>
  useWrite((exportId: string) => remove('/api/static-exports/{exportId}', { params: { exportId } }))

/** Undoes a removal. */
export const useRestore = () =>
  useWrite((exportId: string) => post('/api/static-exports/{exportId}/restore', { params: { exportId } }))

/** Says that an export needs no attention; `useUndoDismissal` undoes it. */
export const useDismiss = () =>
  useWrite(
    (exportId: string) => post('/api/static-exports/{exportId}/dismiss', { params: { exportId } }),
    (row) => row,
  )

/** Undoes `useDismiss`. */
export const useUndoDismissal = () =>
  useWrite(
    (exportId: string) => remove('/api/static-exports/{exportId}/dismiss', { params: { exportId } }),
    (row) => row,
  )

/** Changes the note of an export. */
export const useChangeNote = (exportId: string) =>
  useWrite(
    (note: string) => patch('/api/static-exports/{exportId}', { params: { exportId }, body: { note } }),
    (row) => row,
  )

/** Prepares a download: the server renews the link and learns the size. */
export const usePrepare = () =>
  useWrite((exportId: string) => post('/api/static-exports/{exportId}/bundle/prepare', { params: { exportId } }))

/** Bundle link of the service. A secret: never cached. */
export const fetchBundleLink = (exportId: string): Promise<BundleLink> =>
  post('/api/static-exports/{exportId}/bundle', { params: { exportId } })
