import type { Activity } from '@docket/api-types/activity'
import { queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { refetchInterval } from '#lib/polling.ts'

/** Reads running and ended records. Rejects with `ApiError`. */
export const readActivity = (signal?: AbortSignal): Promise<Activity> => get('/api/activity', { signal })

/** Activity for the open panel. The shell takes its count from the status, which it reads anyway. */
export const activityQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['activity'],
    queryFn: ({ signal }) => readActivity(signal),
    refetchInterval: refetchInterval<Activity>({
      paused,
      isLive: ({ counts }) => counts.staticExports + counts.agentJobs > 0,
    }),
  })
