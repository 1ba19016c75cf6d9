import { redactLinks } from './redact.ts'

// Recognizes errors of Drizzle and pg by their properties, because main.ts loads this file before either.
type FailedQuery = Error & { query: string; params: unknown }

const isFailedQuery = (error: Error): error is FailedQuery =>
  'query' in error && typeof error.query === 'string' && 'params' in error

const maxStatement = 300

/** Removes a value that the database repeats: `invalid input syntax for type uuid: "…"`, `value "…" is out of range`. */
const removeValues = (message: string): string =>
  message.replace(/: ".*"$/s, '').replace(/^value ".*" is out of range/s, 'value is out of range')

const findCause = (error: Error): string => {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return describeError(error.errors[0])
  if (isFailedQuery(error)) {
    const cause = error.cause === undefined ? 'The database did not say why' : describeError(error.cause)
    return `${cause} (while running: ${error.query.replace(/\s+/g, ' ').trim().slice(0, maxStatement)})`
  }
  return 'severity' in error ? removeValues(error.message) : error.message
}

/** An error for a thrown value that is none. Libraries copy errors into plain objects, such as pg-boss for its events. */
export const toError = (thrown: unknown): Error => {
  if (thrown instanceof Error) return thrown
  if (typeof thrown !== 'object' || thrown === null) return new Error(String(thrown))
  const error = Object.assign(new Error(), thrown)
  if (typeof error.message !== 'string' || error.message === '')
    error.message = `${thrown.constructor?.name ?? 'Object'} without a message`
  return error
}

const describeError = (error: unknown): string => findCause(toError(error))

/** Describes a failure for the terminal and the log: the cause, then the failed statement. Never the values of a statement. */
export const describeFailure = (error: unknown): string => redactLinks(describeError(error))

/** The stack frames of an error, one line each. Omits the message, which may contain values. */
export const readStackFrames = ({ message, stack = '' }: Error): string[] => {
  const end = stack.indexOf(message)
  return stack.slice(end < 0 ? 0 : end + message.length).match(/^ +at .*$/gm) ?? []
}
