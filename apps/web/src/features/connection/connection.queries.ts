import type { Status } from '@docket/api-types/status'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { get } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

const isLive = (status: Status | undefined) =>
  status !== undefined && status.active.staticExports + status.active.agentJobs > 0

/** What Docket knows about itself and the service. Read at half the speed of the lists; it moves less. */
export const statusQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => get<Status>('/api/status', signal),
    refetchInterval: ({ state }: { state: QueryHealth & { data?: Status | undefined } }) =>
      pollMs({
        live: isLive(state.data),
        settled: false,
        paused,
        liveMs: polling.get().liveMs * 2,
        ...failingOf(state),
      }),
  })

/** The status, kept fresh. */
export const useStatus = () => {
  const { paused } = useSyncExternalStore(polling.subscribe, polling.get)
  return useQuery(statusQuery(paused))
}
