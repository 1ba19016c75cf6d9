import type { Activity } from '@docket/api-types/activity'
import { queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { refetchInterval } from '#lib/polling.ts'

/** Reads running and ended records of one connection, or all (`''`). Rejects with `ApiError`. */
export const readActivity = (connection: string, signal?: AbortSignal): Promise<Activity> =>
  get('/api/activity', { query: { connection: connection || undefined }, signal })

/** Activity for the open panel. The shell takes its count from the status, which it reads anyway. */
export const activityQuery = (connection: string, paused: boolean) =>
  queryOptions({
    queryKey: ['activity', connection],
    queryFn: ({ signal }) => readActivity(connection, signal),
    refetchInterval: refetchInterval<Activity>({
      paused,
      isLive: ({ counts }) => counts.staticExports + counts.agentJobs > 0,
    }),
  })
