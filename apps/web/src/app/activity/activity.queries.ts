import type { Activity } from '@docket/api-types/activity'
import { queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { measureFailure, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

/** Reads running and ended records. Rejects with `ApiError`. */
export const readActivity = (signal?: AbortSignal): Promise<Activity> => get('/api/activity', { signal })

const isLive = (activity: Activity | undefined) =>
  activity !== undefined && activity.counts.staticExports + activity.counts.agentJobs > 0

/** Activity for the open panel. The shell takes its count from the status, which it reads anyway. */
export const activityQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['activity'],
    queryFn: ({ signal }) => readActivity(signal),
    refetchInterval: ({ state }: { state: QueryHealth & { data?: Activity | undefined } }) =>
      pollMs({
        live: isLive(state.data),
        settled: false,
        paused,
        liveMs: polling.get().liveMs,
        ...measureFailure(state),
      }),
  })
