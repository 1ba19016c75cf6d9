import type { ListedAgentJobs } from '@docket/api-types/agent-jobs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { readOnce } from '#ui/live/read-once.ts'

export type ListedJob = ListedAgentJobs['jobs'][number]

/** Jobs of all pages, each once. A service that ignores `skip` repeats itself. */
export const mergePages = (pages: readonly Pick<ListedAgentJobs, 'jobs' | 'skipped'>[]) => {
  const byId = new Map(pages.flatMap(({ jobs }) => jobs.map((job) => [job.id, job] as const)))
  const before = new Set(pages.slice(0, -1).flatMap(({ jobs }) => jobs.map(({ id }) => id)))
  return {
    jobs: [...byId.values()],
    skipped: pages.reduce((sum, page) => sum + page.skipped, 0),
    /** True when the last page contained a job that no earlier page had. */
    isNew: pages.at(-1)?.jobs.some(({ id }) => !before.has(id)) ?? false,
  }
}

/** Jobs of a project as the service lists them. Every page is one call of the budget, so nothing is read again by itself. */
export const useListedJobs = (connectionId: string, projectId: string) => {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['listed-jobs', connectionId, projectId],
    queryFn: ({ pageParam, signal }) =>
      get('/api/agent-jobs/listed', {
        query: { connection: connectionId, projectId, skip: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    ...readOnce,
  })
  const { jobs, skipped, isNew } = mergePages(data?.pages ?? [])
  return {
    jobs: data === undefined ? null : jobs,
    skipped,
    error,
    busy: isFetching,
    /** Null at the end of the list. */
    more: hasNextPage && isNew ? () => void fetchNextPage() : null,
    again: () => void (data === undefined ? refetch() : fetchNextPage()),
  }
}
