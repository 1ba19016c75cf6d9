import type { History } from '@docket/api-types/history'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

/** What a click sets off, such as a download, is told within this time after it. */
const afterClickMs = 30_000

/**
 * The history below the API address of a record. Read as often as a record that is `live`, also for a while after a click here;
 * slowly otherwise, because other people go on.
 */
export const useHistoryQuery = (path: string, live: boolean, paused: boolean) => {
  const client = useQueryClient()
  const clicked = () =>
    client
      .getMutationCache()
      .getAll()
      .some(({ state }) => Date.now() - state.submittedAt < afterClickMs)
  return queryOptions({
    queryKey: ['history', path],
    queryFn: ({ signal }) => get<History>(`${path}/history`, signal),
    refetchInterval: ({ state }: { state: QueryHealth }) =>
      pollMs({
        live: live || clicked(),
        settled: false,
        paused,
        liveMs: polling.get().liveMs,
        ...failingOf(state),
      }),
  })
}
