import type { History, RecordKey } from '@docket/api-types/history'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'

/** Time within which the effects of a click, such as a download, are recorded. */
const afterClickMs = 30_000

const readHistory = (record: RecordKey, signal: AbortSignal) =>
  record.type === 'static_export'
    ? get('/api/static-exports/{exportId}/history', { params: record, signal })
    : get('/api/agent-jobs/{projectId}/{id}/history', {
        params: record,
        query: { connection: record.connectionId },
        signal,
      })

/** History of a record. Polls fast while it is `live` and for a while after a click here, slowly otherwise. */
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
    refetchInterval: refetchInterval<History>({ paused, isLive: () => live || clicked() }),
  })
}
