import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { ApiError, messageOf } from '#lib/api-error.ts'

/** The longest prompt that Docket sends, as its contract has it. Characters. */
export const longestPrompt = 10_000

/** Why a prompt cannot be sent as it is; null when it can. */
export const promptProblem = (prompt: string): string | null => {
  const length = prompt.trim().length
  if (length === 0) return 'Say what the agent should do.'
  return length > longestPrompt ? 'Shorten it first.' : null
}

/** What went wrong, at the field it is about: that of the server's answer, or none. */
export const problemAt = (error: unknown, field: 'prompt' | 'projectId'): string | null =>
  error instanceof ApiError && error.field === field ? error.message : null

/** A failure that belongs to no field, in a sentence; null where there is none. A request without an answer may be repeated. */
export const problemElsewhere = (error: unknown, fields: readonly string[]): string | null => {
  if (error === null || (error instanceof ApiError && error.field !== null && fields.includes(error.field))) return null
  const safe = error instanceof ApiError && error.code === 'no_answer'
  return `${messageOf(error)}${safe ? ' Pressing the button again is safe: it never sends anything twice.' : ''}`
}

/** What to do with the form after an answer: a refused prompt stays in it, everything else is kept elsewhere. */
export const isTaken = ({ state }: AgentPrompt): boolean => state !== 'refused'
