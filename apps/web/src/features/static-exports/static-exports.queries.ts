import type { BundleLink, PreparedBundle } from '@docket/api-types/bundles'
import type {
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportFilters,
  StaticExportItem,
  StaticExportList,
} from '@docket/api-types/static-exports'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, remove } from '#lib/api.ts'
import { listPath, printListSearch, type ListRange, type ListSearch } from '#lib/list-search.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'
import type { Page } from '#ui/live-list/pages.ts'
import { readPage, unknownCheck, type PageContext, type RowKind } from '#ui/live-list/read-page.ts'
import type { ListSource } from '#ui/live-list/live-pages.ts'
import { isRunning } from './export-state.ts'

const base = '/api/static-exports'
/** Address of an export in the API. */
export const exportApiPath = (exportId: string): string => `${base}/${encodeURIComponent(exportId)}`

/** Where the browser downloads the bundle of an export from. */
export const downloadPath = (exportId: string): string => `${exportApiPath(exportId)}/download`

const listKey = ['static-exports', 'list'] as const

/** Names an export in a list. */
export const exportIdOf = (row: StaticExport): string => row.exportId

type Check = StaticExportChecks['checks'][number]

const kind: RowKind<StaticExportItem, Check, StaticExport> = {
  idOf: ({ exportId }) => exportId,
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

const readExports = (search: Partial<ListSearch>, range: ListRange, context: PageContext) =>
  readPage(
    kind,
    {
      page: () => get<StaticExportList>(listPath(base, search, range), context.signal),
      checks: async () =>
        (await get<StaticExportChecks>(listPath(`${base}/checks`, search, range), context.signal)).checks,
    },
    context,
  )

/** Every export that a search leaves, page by page. */
export const exportListSource = (search: ListSearch): ListSource<StaticExport, StaticExportList['counts']> => ({
  queryKey: [...listKey, 'all', printListSearch({ ...search, q: search.q.trim() })],
  read: (range, context) => readExports(search, range, context),
  idOf: exportIdOf,
  isLive: isRunning,
})

/** The first 50 exports that a search leaves, newest first. */
export const exportsQuery = (search: Partial<ListSearch>, paused: boolean) =>
  queryOptions({
    queryKey: [...listKey, 'first', printListSearch(search)],
    queryFn: (context) => readExports(search, { from: null, until: null }, context),
    // `readPage` keeps equal rows.
    structuralSharing: false,
    refetchInterval: ({
      state,
    }: {
      state: QueryHealth & { data?: Page<StaticExport, StaticExportList['counts']> | undefined }
    }) => {
      const live = (state.data?.counts.active ?? 0) > 0
      return pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

/** What the list can be filtered by. */
export const exportFiltersQuery = queryOptions({
  queryKey: ['static-exports', 'filters'],
  queryFn: ({ signal }) => get<StaticExportFilters>(`${base}/filters`, signal),
  staleTime: 30_000,
})

/** One export. Not read again once it can no longer change without a click. */
export const exportQuery = (exportId: string, paused: boolean) =>
  queryOptions({
    queryKey: ['static-exports', 'one', exportId],
    queryFn: ({ signal }) => get<StaticExport>(exportApiPath(exportId), signal),
    refetchInterval: ({ state }: { state: QueryHealth & { data?: StaticExport | undefined } }) => {
      const live = state.data !== undefined && isRunning(state.data)
      const settled = state.data !== undefined && !live && state.data.state !== 'unknown'
      return pollMs({ live, settled, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

const useWrite = <In, Out>(
  write: (input: In) => Promise<Out>,
  done?: (out: Out, input: In, keep: (row: StaticExport) => void) => void,
) => {
  const client = useQueryClient()
  const keep = (row: StaticExport) => client.setQueryData(['static-exports', 'one', row.exportId], row)
  return useMutation({
    mutationFn: write,
    onSuccess: async (out, input) => {
      done?.(out, input, keep)
      // The list is read before the button is released, so that what was done is visible when it says so.
      await client.invalidateQueries({ queryKey: listKey })
      for (const name of ['status', 'history']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
}

/** Starts an export. The same `requestId` never starts a second one. */
export const useStart = () =>
  useWrite(
    (start: StartStaticExport) => post<StartedStaticExport>(base, start),
    (started, _, keep) => keep(started.export),
  )

/** Tracks an export that was started elsewhere. */
export const useImport = () =>
  useWrite(
    (found: ImportStaticExport) => post<StartedStaticExport>(`${base}/import`, found),
    (started, _, keep) => keep(started.export),
  )

/** Reads an export from the service now. */
export const useCheckNow = () =>
  useWrite(
    (exportId: string) => post<StaticExport>(`${exportApiPath(exportId)}/check`),
    (row, _, keep) => keep(row),
  )

/** Gives an export with an unknown outcome the jobId that a person found. */
export const useAttach = () =>
  useWrite(
    ({ exportId, jobId }: { exportId: string; jobId: string }) =>
      post<StaticExport>(`${exportApiPath(exportId)}/attach`, { jobId }),
    (row, _, keep) => keep(row),
  )

/** Takes an export off the list; `useRestore` brings it back. */
export const useRemove = () => useWrite((exportId: string) => remove(exportApiPath(exportId)))

/** Undoes a removal. */
export const useRestore = () => useWrite((exportId: string) => post<StaticExport>(`${exportApiPath(exportId)}/restore`))

/** Makes sure that a download can start: a fresh link is minted on the server, and the size becomes known. */
export const usePrepare = () =>
  useWrite((exportId: string) => post<PreparedBundle>(`${exportApiPath(exportId)}/bundle/prepare`))

/** The service's own link. A secret: not kept in any cache. */
export const fetchBundleLink = (exportId: string): Promise<BundleLink> =>
  post<BundleLink>(`${exportApiPath(exportId)}/bundle`)
