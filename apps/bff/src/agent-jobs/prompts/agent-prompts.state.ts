import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { eq, type InferSelectModel, type SQL } from 'drizzle-orm'
import { AppError } from '#errors/app-error.ts'
import { agentPrompts } from './agent-prompts.table.ts'

/** One prompt as the table holds it. */
export type AgentPromptRow = InferSelectModel<typeof agentPrompts>

/** The condition that names one prompt. */
export const isPrompt = (requestId: string): SQL => eq(agentPrompts.requestId, requestId)

/** The `not_found` of a prompt. */
export const noSuchPrompt = () =>
  new AppError('not_found', 'This request for an agent job is not in the list. Reload the page.')

/** The row as readers see it. */
export const toAgentPrompt = (row: AgentPromptRow): AgentPrompt => {
  const { leaseOwner, leaseUntil, forgottenAt, sentAt, answeredAt, ...fields } = row
  return { ...fields, sentAt: sentAt.toISOString(), answeredAt: answeredAt?.toISOString() ?? null }
}
