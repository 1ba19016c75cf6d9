import type { Activity } from '@docket/api-types/activity'
import { queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { measureFailure, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

/** Reads what runs and what ended. Rejects with `ApiError`. */
export const readActivity = (signal?: AbortSignal): Promise<Activity> => get('/api/activity', { signal })

const isLive = (activity: Activity | undefined) =>
  activity !== undefined && activity.counts.staticExports + activity.counts.agentJobs > 0

/** What runs and what ended, for the panel while it is open. The count in the shell comes with the status, which is read anyway. */
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
