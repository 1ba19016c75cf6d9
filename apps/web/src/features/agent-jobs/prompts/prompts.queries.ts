import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type {
  AgentPrompt,
  AgentPromptList,
  CreateAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from '@docket/api-types/agent-prompts'
import { queryOptions } from '@tanstack/react-query'
import { jobApiPath, useWrite } from '#features/agent-jobs/agent-jobs.queries.ts'
import { get, post, remove } from '#lib/api.ts'
import { failingOf, pollMs, polling, type QueryHealth } from '#lib/polling.ts'

const base = '/api/agent-prompts'

type State = { state: QueryHealth & { data?: AgentPromptList | undefined } }

const intervalOf =
  (paused: boolean) =>
  ({ state }: State) => {
    const live = state.data?.prompts.some((prompt) => prompt.state === 'sending') ?? false
    return pollMs({ live, settled: false, paused, liveMs: polling.get().liveMs, ...failingOf(state) })
  }

/** Requests for jobs that are under way or were never answered. */
export const openPromptsQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'prompts'],
    queryFn: ({ signal }) => get<AgentPromptList>(base, signal),
    refetchInterval: intervalOf(paused),
  })

/** What was sent to a job from here. */
export const jobPromptsQuery = (key: AgentJobKey, paused: boolean) =>
  queryOptions({
    queryKey: ['agent-jobs', 'prompts', key.projectId, key.id],
    queryFn: ({ signal }) => get<AgentPromptList>(`${jobApiPath(key)}/prompts`, signal),
    refetchInterval: intervalOf(paused),
  })

/** Creates a job. The same `requestId` never creates a second one. */
export const useCreateJob = () => useWrite((request: CreateAgentJob) => post<SentAgentPrompt>(base, request))

/** Sends a follow-up. The same `requestId` never sends it twice. */
export const useSendMessage = (key: AgentJobKey) =>
  useWrite((message: SendAgentMessage) => post<SentAgentPrompt>(`${jobApiPath(key)}/messages`, message))

const pathOf = ({ requestId }: Pick<AgentPrompt, 'requestId'>) => `${base}/${requestId}`

/** Gives a request that was never answered the job that a person found. */
export const useAttachJob = () =>
  useWrite(({ prompt, id }: { prompt: AgentPrompt; id: string }) =>
    post<SentAgentPrompt>(`${pathOf(prompt)}/attach`, { id }),
  )

/** Takes a request off the list; `useRestoreRequest` brings it back. */
export const useForgetRequest = () => useWrite((prompt: AgentPrompt) => remove(pathOf(prompt)))

/** Undoes `useForgetRequest`. */
export const useRestoreRequest = () =>
  useWrite((prompt: AgentPrompt) => post<SentAgentPrompt>(`${pathOf(prompt)}/restore`))
