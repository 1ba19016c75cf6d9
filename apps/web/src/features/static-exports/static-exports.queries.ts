import type { BundleLink, PreparedBundle } from '@docket/api-types/bundles'
import type {
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportList,
} from '@docket/api-types/static-exports'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { get, post, remove } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'
import { isRunning } from './export-state.ts'

const base = '/api/static-exports'
const pathOf = (exportId: string) => `${base}/${encodeURIComponent(exportId)}`

/** Where the browser downloads the bundle of an export from. */
export const downloadPath = (exportId: string): string => `${pathOf(exportId)}/download`

type Pages = InfiniteData<StaticExportList, string | null>

/** All exports, newest first, in pages of 50. */
export const exportListQuery = (paused: boolean) =>
  infiniteQueryOptions({
    queryKey: ['static-exports', 'list'],
    queryFn: ({ pageParam, signal }) =>
      get<StaticExportList>(pageParam ? `${base}?cursor=${encodeURIComponent(pageParam)}` : base, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }: { state: QueryHealth & { data?: Pages | undefined } }) => {
      const pages = state.data?.pages ?? []
      const live = (pages[0]?.counts.active ?? 0) > 0 || pages.some((page) => page.items.some(isRunning))
      return pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

/** One export. Not read again once it can no longer change without a click. */
export const exportQuery = (exportId: string, paused: boolean) =>
  queryOptions({
    queryKey: ['static-exports', 'one', exportId],
    queryFn: ({ signal }) => get<StaticExport>(pathOf(exportId), signal),
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
      await client.invalidateQueries({ queryKey: ['static-exports', 'list'] })
      void client.invalidateQueries({ queryKey: ['status'] })
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
    (exportId: string) => post<StaticExport>(`${pathOf(exportId)}/check`),
    (row, _, keep) => keep(row),
  )

/** Gives an export with an unknown outcome the jobId that a person found. */
export const useAttach = () =>
  useWrite(
    ({ exportId, jobId }: { exportId: string; jobId: string }) =>
      post<StaticExport>(`${pathOf(exportId)}/attach`, { jobId }),
    (row, _, keep) => keep(row),
  )

/** Takes an export off the list; `useRestore` brings it back. */
export const useRemove = () => useWrite((exportId: string) => remove(pathOf(exportId)))

/** Undoes a removal. */
export const useRestore = () => useWrite((exportId: string) => post<StaticExport>(`${pathOf(exportId)}/restore`))

/** Makes sure that a download can start: a fresh link is minted on the server, and the size becomes known. */
export const usePrepare = () =>
  useWrite((exportId: string) => post<PreparedBundle>(`${pathOf(exportId)}/bundle/prepare`))

/** The service's own link. A secret: not kept in any cache. */
export const fetchBundleLink = (exportId: string): Promise<BundleLink> => post<BundleLink>(`${pathOf(exportId)}/bundle`)
