import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { ApiError, findErrorBeside } from '#lib/api/api-error.ts'

/** Characters, as in the contract. */
export const maxPromptLength = 10_000

// Line ends and tabs are text.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

export const findPromptProblem = (prompt: string): string | null => {
  const text = prompt.replaceAll('\r\n', '\n').trim()
  if (text.length === 0) return 'Say what the agent should do.'
  if (text.length > maxPromptLength) return 'Shorten it first.'
  const place = text.search(control)
  if (place < 0) return null
  const lines = text.slice(0, place).split('\n')
  const before = lines.at(-1)!.slice(-20)
  return `Line ${lines.length} contains a control character ${before === '' ? 'at its start' : `after “${before}”`}, which can’t be sent. Delete it.`
}

/** A failure that concerns no field, or null. A request without a response may be repeated. */
export const findProblemElsewhere = (
  error: unknown,
  fields: readonly string[],
): { unanswered: string } | { elsewhere: string } | null => {
  const message = findErrorBeside(error, fields)
  if (message === null) return null
  return error instanceof ApiError && (error.code === 'no_answer' || error.code === 'internal')
    ? { unanswered: `${message} It’s safe to try again: Docket never sends it twice.` }
    : { elsewhere: message }
}

/** False for a refused prompt, which stays in the form. */
export const isTakenPrompt = ({ state }: AgentPrompt): boolean => state !== 'refused'
