import type { Activity } from '@docket/api-types/activity'
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'

/** Reads running and ended records of one connection, or all (`''`). Rejects with `ApiError`. */
export const readActivity = (connection: string, signal?: AbortSignal): Promise<Activity> =>
  get('/api/activity', { query: { connection }, signal })

/** Activity for the open panel. The shell takes its count from the status instead. */
export const activityQuery = (connection: string, paused: boolean) =>
  queryOptions({
    queryKey: ['activity', connection],
    queryFn: ({ signal }) => readActivity(connection, signal),
    refetchInterval: refetchInterval<Activity>({
      paused,
      isLive: ({ counts }) => counts.staticExports + counts.agentJobs > 0,
    }),
  })

const computePagesInterval = (paused: boolean) =>
  refetchInterval<InfiniteData<Activity>>({
    paused,
    isLive: ({ pages }) => pages.some(({ counts }) => counts.staticExports + counts.agentJobs > 0),
  })

export const activityPagesQuery = (connection: string, paused: boolean) =>
  infiniteQueryOptions({
    queryKey: ['activity', connection, 'pages'],
    queryFn: ({ signal, pageParam }) =>
      get('/api/activity', {
        query: { connection, before: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? null,
    // Rereads every page, so that none misses an ending; the more pages, the less often.
    refetchInterval: (query) => {
      const everyMs = computePagesInterval(paused)(query)
      return everyMs === false ? false : everyMs * Math.max(1, query.state.data?.pages.length ?? 1)
    },
  })
