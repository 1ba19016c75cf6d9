import type { AgentPrompt, AgentPromptList, CreateAgentJob, SendAgentMessage } from '@docket/api-types/agent-prompts'
import { queryOptions } from '@tanstack/react-query'
import { jobKeys, toJobRequest, toJobId, type JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { get, post, remove } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { addOwnRecord } from '#lib/state/own-records.ts'
import { useWrite } from '#ui/live/use-write.ts'

const isSendingPrompt = ({ prompts }: AgentPromptList) => prompts.some(({ state }) => state === 'sending')

/** Pending and unanswered requests for jobs of one connection or all (`''`). */
export const openPromptsQuery = (connection: string, paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'prompts', 'open', connection],
    queryFn: ({ signal }) => get('/api/agent-prompts', { query: { connection }, signal }),
    refetchInterval: refetchInterval({ paused, isLive: isSendingPrompt }),
  })

export const jobPromptsQuery = (key: JobKey, paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'prompts', 'of', toJobId(key)],
    queryFn: ({ signal }) => get('/api/agent-jobs/{projectId}/{id}/prompts', { ...toJobRequest(key), signal }),
    refetchInterval: refetchInterval({ paused, isLive: isSendingPrompt }),
  })

/** The same `requestId` never creates a second job. */
export const useCreateJob = () =>
  useWrite(jobKeys, async (body: CreateAgentJob) => {
    const sent = await post('/api/agent-prompts', { body })
    if (sent.job) addOwnRecord(toJobId(sent.job))
    return sent
  })

/** Sends a follow-up. The same `requestId` never sends it twice. */
export const useSendMessage = (key: JobKey) =>
  useWrite(jobKeys, (body: SendAgentMessage) =>
    post('/api/agent-jobs/{projectId}/{id}/messages', { ...toJobRequest(key), body }),
  )

export const useAttachJob = () =>
  useWrite(jobKeys, ({ prompt: { requestId }, id }: { prompt: AgentPrompt; id: string }) =>
    post('/api/agent-prompts/{requestId}/attach', { params: { requestId }, body: { id } }),
  )

export const useForgetRequest = () =>
  useWrite(jobKeys, ({ requestId }: AgentPrompt) => remove('/api/agent-prompts/{requestId}', { params: { requestId } }))

export const useRestoreRequest = () =>
  useWrite(jobKeys, ({ requestId }: AgentPrompt) =>
    post('/api/agent-prompts/{requestId}/restore', { params: { requestId } }),
  )
