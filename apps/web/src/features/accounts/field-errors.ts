import { ApiError, toMessage } from '#lib/api-error.ts'

/** What a schema refuses is told with the name of the field in front, which stands above it here. */
const stripField = (message: string, field: string) =>
  message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message

/** The message of a refusal for the field it is about; null for others. */
export const errorAt = (error: unknown, field: string): string | null =>
  error instanceof ApiError && error.field === field ? stripField(error.message, field) : null

/** The message of a failure that is about none of `fields`; null when there is none. */
export const errorBeside = (error: unknown, fields: readonly string[]): string | null =>
  error === null || fields.some((field) => errorAt(error, field) !== null) ? null : toMessage(error)
