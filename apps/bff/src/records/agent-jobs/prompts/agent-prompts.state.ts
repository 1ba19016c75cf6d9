import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { eq, type InferSelectModel, type SQL } from 'drizzle-orm'
import { AppError } from '#ground/errors/app-error.ts'
import { agentPrompts } from './agent-prompts.table.ts'

/** One row of the table. */
export type AgentPromptRow = InferSelectModel<typeof agentPrompts>

/** Condition for one prompt. */
export const isPrompt = (requestId: string): SQL => eq(agentPrompts.requestId, requestId)

/** The `not_found` error of a prompt. */
export const noSuchPrompt = () =>
  new AppError('not_found', 'This request for an agent job isn’t on the list. Reload the page.')

/** Converts a row for the contract. */
export const toAgentPrompt = (row: AgentPromptRow): AgentPrompt => {
  const { leaseOwner, leaseUntil, forgottenAt, sentAt, answeredAt, ...fields } = row
  return { ...fields, sentAt: sentAt.toISOString(), answeredAt: answeredAt?.toISOString() ?? null }
}
