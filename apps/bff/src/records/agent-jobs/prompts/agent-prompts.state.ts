import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { and, eq, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { JobKey } from '#records/agent-jobs/agent-jobs.rows.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { agentPrompts } from './agent-prompts.table.ts'

export type AgentPromptRow = InferSelectModel<typeof agentPrompts>

export const isPrompt = (requestId: string): SQL => eq(agentPrompts.requestId, requestId)

export const noSuchPromptError = () =>
  new AppError('not_found', 'This request for an agent job isn’t on the list. Reload the page.')

export const belongsToJob = ({ connectionId, projectId, id }: JobKey) =>
  and(eq(agentPrompts.connectionId, connectionId), eq(agentPrompts.projectId, projectId), eq(agentPrompts.jobId, id))

/** Throws unless this creation is open for a decision: its outcome is unknown, and no other request replaced it. */
export const requireOpenCreation = (row: AgentPromptRow | undefined): AgentPromptRow => {
  if (row === undefined || row.kind !== 'creation' || row.forgottenAt !== null) throw noSuchPromptError()
  if (row.replacedBy !== null) throw new AppError('conflict', 'This job was already requested again.')
  if (row.state !== 'unknown') throw new AppError('conflict', 'This request’s outcome is known now. Reload the page.')
  return row
}

export const toAgentPrompt = (row: AgentPromptRow): AgentPrompt => {
  const { leaseOwner, leaseUntil, forgottenAt, sentAt, answeredAt, ...fields } = row
  return { ...fields, sentAt: sentAt.toISOString(), answeredAt: answeredAt?.toISOString() ?? null }
}
