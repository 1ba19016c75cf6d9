import type { RecordKey } from '@docket/api-types/activity'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { measureFailure, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

/** What a click sets off, such as a download, is told within this time after it. */
const afterClickMs = 30_000

const readHistory = (record: RecordKey, signal: AbortSignal) =>
  record.type === 'static_export'
    ? get('/api/static-exports/{exportId}/history', { params: record, signal })
    : get('/api/agent-jobs/{projectId}/{id}/history', { params: record, signal })

/**
 * The history of a record. Read as often as a record that is `live`, also for a while after a click here;
 * slowly otherwise, because other people go on.
 */
export const useHistoryQuery = (record: RecordKey, live: boolean, paused: boolean) => {
  const client = useQueryClient()
  const clicked = () =>
    client
      .getMutationCache()
      .getAll()
      .some(({ state }) => Date.now() - state.submittedAt < afterClickMs)
  return queryOptions({
    queryKey: ['history', record],
    queryFn: ({ signal }) => readHistory(record, signal),
    refetchInterval: ({ state }: { state: QueryHealth }) =>
      pollMs({
        live: live || clicked(),
        settled: false,
        paused,
        liveMs: polling.get().liveMs,
        ...measureFailure(state),
      }),
  })
}
