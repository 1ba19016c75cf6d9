import type { History } from '@docket/api-types/history'
import { queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

/** The history below the API address of a record. Read as often as a record that is `live`, slowly otherwise: people go on. */
export const historyQuery = (path: string, live: boolean, paused: boolean) =>
  queryOptions({
    queryKey: ['history', path],
    queryFn: ({ signal }) => get<History>(`${path}/history`, signal),
    refetchInterval: ({ state }: { state: QueryHealth }) =>
      pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) }),
  })
