import type { AgentJob, AgentJobKey, AgentJobList, FollowAgentJobsResult } from '@docket/api-types/agent-jobs'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { get, post, remove } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'
import { isWorking } from './job-state.ts'

const base = '/api/agent-jobs'
const pathOf = ({ projectId, id }: AgentJobKey) => `${base}/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}`

type Pages = InfiniteData<AgentJobList, string | null>

/** All followed agent jobs, newest followed first, in pages of 50. */
export const jobListQuery = (paused: boolean) =>
  infiniteQueryOptions({
    queryKey: ['agent-jobs', 'list'],
    queryFn: ({ pageParam, signal }) =>
      get<AgentJobList>(pageParam ? `${base}?cursor=${encodeURIComponent(pageParam)}` : base, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }: { state: QueryHealth & { data?: Pages | undefined } }) => {
      const pages = state.data?.pages ?? []
      const live = (pages[0]?.counts.active ?? 0) > 0 || pages.some((page) => page.items.some(isWorking))
      return pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

/** One followed agent job. Not read again once Docket has stopped checking it. */
export const jobQuery = ({ projectId, id }: AgentJobKey, paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'one', projectId, id],
    queryFn: ({ signal }) => get<AgentJob>(pathOf({ projectId, id }), signal),
    refetchInterval: ({ state }: { state: QueryHealth & { data?: AgentJob | undefined } }) => {
      const live = state.data !== undefined && isWorking(state.data)
      const settled = state.data !== undefined && !live && state.data.nextCheckAt === null
      return pollMs({ live, settled, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
    },
  })

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['agent-jobs'] })
      void client.invalidateQueries({ queryKey: ['status'] })
    },
  })
}

/** Follows jobs; tells of each what became of it. */
export const useFollow = () => useWrite((jobs: AgentJobKey[]) => post<FollowAgentJobsResult>(base, { jobs }))

/** Reads a job from the service now. */
export const useCheckJob = () => useWrite((key: AgentJobKey) => post<AgentJob>(`${pathOf(key)}/check`))

/** Stops following a job; `useFollowAgain` takes it back. */
export const useUnfollow = () => useWrite((key: AgentJobKey) => remove(pathOf(key)))

/** Undoes `useUnfollow`. */
export const useFollowAgain = () => useWrite((key: AgentJobKey) => post<AgentJob>(`${pathOf(key)}/restore`))
