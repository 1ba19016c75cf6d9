import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { ApiError, messageAtField, toMessage } from '#lib/api-error.ts'

/** The longest prompt that Docket sends, as its contract has it. Characters. */
export const maxPromptLength = 10_000

// Line ends and tabs are text.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Why a prompt cannot be sent as it is; null when it can. */
export const promptProblem = (prompt: string): string | null => {
  const text = prompt.replaceAll('\r\n', '\n').trim()
  if (text.length === 0) return 'Say what the agent should do.'
  if (text.length > maxPromptLength) return 'Shorten it first.'
  const place = text.search(control)
  if (place < 0) return null
  const lines = text.slice(0, place).split('\n')
  const before = lines.at(-1)!.slice(-20)
  return `Line ${lines.length} holds a control character ${before === '' ? 'at its start' : `after “${before}”`}, which cannot be sent. Delete it.`
}

/** What went wrong, at the field it is about: that of the server's answer, or none. */
export const problemAt = (error: unknown, field: 'prompt' | 'projectId'): string | null =>
  error instanceof ApiError && error.field === field ? messageAtField(error) : null

/** A failure that belongs to no field; nothing where there is none. A request without an answer may be repeated. */
export const problemElsewhere = (
  error: unknown,
  fields: readonly string[],
): { unanswered: string } | { elsewhere: string } | null => {
  if (error instanceof ApiError && error.field !== null && fields.includes(error.field)) return null
  const message = toMessage(error)
  return error instanceof ApiError && (error.code === 'no_answer' || error.code === 'internal')
    ? { unanswered: `${message} Pressing the button again is safe: it never sends anything twice.` }
    : { elsewhere: message }
}

/** What to do with the form after an answer: a refused prompt stays in it, everything else is kept elsewhere. */
export const isTaken = ({ state }: AgentPrompt): boolean => state !== 'refused'
