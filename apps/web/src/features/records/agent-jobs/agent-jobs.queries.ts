import type {
  AgentJob,
  AgentJobChecks,
  AgentJobGroup,
  AgentJobItem,
  AgentJobKey,
  AgentJobList,
  FollowAgentJobs,
} from '@docket/api-types/agent-jobs'
import type { StatusMeaning } from '@docket/api-types/connections'
import { queryOptions } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { printListSearch, toListQuery, type ListRange, type ListSearch } from '#lib/address/list-search.ts'
import { get, linkTo, patch, post, remove } from '#lib/api/api.ts'
import { currentConnections } from '#lib/connections/connections.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import type { ListSource } from '#ui/live-list/live-pages.ts'
import type { Page } from '#ui/live-list/pages.ts'
import { readPage, unknownCheck, type PageContext, type RowKind } from '#ui/live-list/read-page.ts'
import { useWrite } from '#ui/live/use-write.ts'
import { canChangeByItself } from './job-state.ts'

type JobSearch = ListSearch<AgentJobGroup, 'oldest' | 'repository'>

const listKey = ['agent-jobs', 'list'] as const

export type JobKey = AgentJobKey & { connectionId?: string | undefined }

export const toJobKey = ({ connectionId, projectId, id }: JobKey): JobKey => ({ connectionId, projectId, id })

export const toJobId = ({ connectionId, projectId, id }: JobKey): string =>
  JSON.stringify([connectionId ?? '', projectId, id])

export const toJobRequest = ({ connectionId, projectId, id }: JobKey) => ({
  params: { projectId, id },
  query: { connection: connectionId },
})

type Check = AgentJobChecks['checks'][number]

const kind: RowKind<AgentJobItem, Check, AgentJob> = {
  getId: toJobId,
  isLive: canChangeByItself,
  withCheck: (item, { checkedAt, nextCheckAt, failedAt } = { ...item, ...unknownCheck }) => ({
    ...item,
    checkedAt,
    nextCheckAt,
    checkFailure: item.checkFailure && { ...item.checkFailure, at: failedAt ?? '' },
  }),
}

const toJobQuery = (search: Partial<JobSearch>, range?: ListRange) => {
  const { repository, model, projectId } = search
  return { ...toListQuery(search, range), repository, model, projectId }
}

export const printJobCsvPath = (search: JobSearch): string =>
  linkTo('/api/agent-jobs/export.csv', { query: toJobQuery(search) })

const readJobs = (search: Partial<JobSearch>, range: ListRange, context: PageContext) => {
  const request = { query: toJobQuery(search, range), signal: context.signal }
  return readPage(
    kind,
    {
      page: () => get('/api/agent-jobs', request),
      checks: async () => (await get('/api/agent-jobs/checks', request)).checks,
    },
    context,
  )
}

export const jobListSource = (search: JobSearch): ListSource<AgentJob, AgentJobList['counts']> => ({
  queryKey: [...listKey, 'all', printListSearch({ ...search, q: search.q.trim() })],
  read: (range, context) => readJobs(search, range, context),
  getId: toJobId,
  isLive: canChangeByItself,
})

export const jobsQuery = (search: Partial<JobSearch>, paused: boolean) =>
  queryOptions({
    queryKey: [...listKey, 'first', printListSearch(search)],
    queryFn: (context) => readJobs(search, { from: null, until: null }, context),
    // `readPage` keeps equal rows.
    structuralSharing: false,
    refetchInterval: refetchInterval<Page<AgentJob, AgentJobList['counts']>>({
      paused,
      isLive: ({ counts, items }) => counts.active > 0 || items.some(canChangeByItself),
    }),
  })

/** Values to filter the list by, of one connection or all (`''`). */
export const jobFiltersQuery = (connection: string) =>
  queryOptions({
    queryKey: ['agent-jobs', 'filters', connection],
    queryFn: ({ signal }) => get('/api/agent-jobs/filters', { query: { connection }, signal }),
    staleTime: 30_000,
  })

/** One followed agent job. Not read again once Docket has stopped checking it. */
export const jobQuery = (key: JobKey, paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'one', toJobId(key)],
    queryFn: ({ signal }) => get('/api/agent-jobs/{projectId}/{id}', { ...toJobRequest(key), signal }),
    refetchInterval: refetchInterval<AgentJob>({
      paused,
      isLive: canChangeByItself,
      isSettled: ({ nextCheckAt, isWatched }) => nextCheckAt === null && isWatched !== false,
    }),
  })

/** Commits and diff of a job. `stamp` changes with every turn. */
export const changesQuery = (key: JobKey, stamp: string | null) =>
  queryOptions({
    queryKey: ['job-changes', toJobId(key), stamp],
    queryFn: ({ signal }) => get('/api/agent-jobs/{projectId}/{id}/changes', { ...toJobRequest(key), signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

export const jobKeys = ['agent-jobs', 'status', 'history']

export const useFollowJob = () =>
  useWrite(jobKeys, async (body: FollowAgentJobs) => {
    const followed = await post('/api/agent-jobs', { body })
    for (const { job } of followed.results) if (job) addOwnRecord(toJobId(job))
    return followed
  })

export const useCheckJob = () =>
  useWrite(jobKeys, (key: JobKey) => post('/api/agent-jobs/{projectId}/{id}/check', toJobRequest(key)))

export const useUnfollowJob = () =>
  useWrite(jobKeys, (key: JobKey) => remove('/api/agent-jobs/{projectId}/{id}', toJobRequest(key)))

export const useFollowJobAgain = () =>
  useWrite(jobKeys, (key: JobKey) => post('/api/agent-jobs/{projectId}/{id}/restore', toJobRequest(key)))

export const useDismissJob = () =>
  useWrite(jobKeys, (key: JobKey) => post('/api/agent-jobs/{projectId}/{id}/dismiss', toJobRequest(key)))

export const useUndoJobDismissal = () =>
  useWrite(jobKeys, (key: JobKey) => remove('/api/agent-jobs/{projectId}/{id}/dismiss', toJobRequest(key)))

export const useChangeJobNote = (key: JobKey) =>
  useWrite(jobKeys, (note: string) =>
    patch('/api/agent-jobs/{projectId}/{id}', { ...toJobRequest(key), body: { note } }),
  )

export const useCancelJob = () =>
  useWrite(jobKeys, (key: JobKey) => post('/api/agent-jobs/{projectId}/{id}/cancel', toJobRequest(key)))

export const useTreatJobStatus = (key: JobKey) =>
  useWrite(jobKeys, (as: StatusMeaning) =>
    post('/api/agent-jobs/{projectId}/{id}/treat-as', { ...toJobRequest(key), body: { as } }),
  )

/** Sends the latest prompt again. The same `requestId` never sends it twice. */
export const useRetryJob = () =>
  useWrite(jobKeys, ({ requestId, ...key }: JobKey & { requestId: string }) =>
    post('/api/agent-jobs/{projectId}/{id}/retry', { ...toJobRequest(key), body: { requestId } }),
  )

export const useArchiveJob = () =>
  useWrite(jobKeys, (key: JobKey) => post('/api/agent-jobs/{projectId}/{id}/archive', toJobRequest(key)))

/** Records the state of the pull request as a person knows it; null withdraws it. */
export const useMarkPullRequest = (key: JobKey) =>
  useWrite(jobKeys, (state: 'merged' | 'closed' | null) =>
    post('/api/agent-jobs/{projectId}/{id}/pull-request', { ...toJobRequest(key), body: { state } }),
  )

/** Link to the page of an agent job. Names the connection only if there are several. */
export const buildJobLink = ({ connectionId, projectId, id }: JobKey) =>
  linkOptions({
    to: '/agent-jobs/$projectId/$jobId',
    params: { projectId, jobId: id },
    search: connectionId !== undefined && (currentConnections.get()?.length ?? 0) > 1 ? { at: connectionId } : {},
  })
