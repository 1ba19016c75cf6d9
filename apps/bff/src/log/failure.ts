// Recognizes errors of Drizzle and pg by their properties, because main.ts loads this file before either.
type FailedQuery = Error & { query: string; params: unknown }

const isFailedQuery = (error: Error): error is FailedQuery =>
  'query' in error && typeof error.query === 'string' && 'params' in error

/**
 * Removes a query's parameter values from an error message, because they may be secrets. The database repeats one at
 * the end of some messages: `invalid input syntax for type uuid: "…"`.
 */
export const withoutValues = (error: Error, text: string): string => {
  if (isFailedQuery(error)) return text.replace(`\nparams: ${String(error.params)}`, () => '')
  if (!('severity' in error)) return text
  return text.replace(error.message, () => error.message.replace(/: ".*"$/s, ''))
}

const maxStatement = 300

/** Describes a failure for the operator: the cause, then the failed statement, never its values. */
export const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors[0])
  if (isFailedQuery(error) && error.cause !== undefined)
    return `${describeFailure(error.cause)} (while running: ${error.query.slice(0, maxStatement)})`
  return withoutValues(error, error.message)
}
