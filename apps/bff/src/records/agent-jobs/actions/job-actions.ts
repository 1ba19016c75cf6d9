import type { AgentJob, AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { AgentJobRow } from '#records/agent-jobs/agent-jobs.state.ts'

export type JobAbilities = {
  /** True for Docket's own service. */
  embedded: boolean
  /** True while calls can be made at the connection. */
  isOpen: boolean
  promptsAllowed: boolean
}

type Refusals = NonNullable<AgentJob['actions']>

const inactive = 'The connection of this job isn’t active.'
const gone = 'The service no longer finds this job.'
const archived = 'This job is archived.'

const agentless = 'No agent is configured, so Docket can’t send this prompt again. Set AGENT_COMMAND first.'

const isOngoing = (meaning: AgentJobMeaning) =>
  meaning === 'waiting' || meaning === 'working' || meaning === 'unrecognised'

const refuseCancel = (meaning: AgentJobMeaning): string | null => {
  if (meaning === 'gone') return gone
  return isOngoing(meaning) ? null : 'This job is over.'
}

const refuseArchive = (meaning: AgentJobMeaning): string | null => {
  if (meaning === 'gone') return gone
  if (meaning === 'archived') return archived
  return isOngoing(meaning) ? 'This job isn’t over yet. Cancel it first.' : null
}

const refuseRetry = (
  row: Pick<AgentJobRow, 'prompts'>,
  meaning: AgentJobMeaning,
  lacksAgent: boolean,
): string | null => {
  if (meaning === 'gone') return gone
  if (meaning === 'archived') return archived
  if (isOngoing(meaning)) return 'This job isn’t over yet.'
  if (meaning === 'pull_request_ready' || meaning === 'merged')
    return 'This job has a pull request. Send a follow-up to change it.'
  if (row.prompts === null) return 'Docket doesn’t know the prompt of this job. Send a follow-up instead.'
  return lacksAgent ? agentless : null
}

/**
 * Returns, for each action, why it is not possible now, or null when it is possible. Only Docket's own service is known to cancel and
 * archive. `lacksAgent`: the latest prompt of the job needs an agent, and the service has none.
 */
export const refuseActions = (
  row: Pick<AgentJobRow, 'prompts' | 'isDetailed'>,
  meaning: AgentJobMeaning,
  { embedded, isOpen, promptsAllowed, lacksAgent = false }: JobAbilities & { lacksAgent?: boolean },
): Refusals => {
  if (!isOpen) return { cancel: inactive, retry: inactive, archive: inactive }
  const offers = embedded && row.isDetailed
  return {
    cancel: offers ? refuseCancel(meaning) : 'This service has no way to cancel a job.',
    retry: promptsAllowed
      ? refuseRetry(row, meaning, lacksAgent)
      : 'New agent jobs and follow-ups are off for this connection. An admin can allow them in Settings.',
    archive: offers ? refuseArchive(meaning) : 'This service has no way to archive a job.',
  }
}
