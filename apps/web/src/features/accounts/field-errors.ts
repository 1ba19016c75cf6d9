import { ApiError, messageOf } from '#lib/api-error.ts'

/** The message of a refusal for the field it is about; null for others. */
export const errorAt = (error: unknown, field: string): string | null =>
  error instanceof ApiError && error.field === field ? error.message : null

/** The message of a failure that is about none of `fields`; null when there is none. */
export const errorBeside = (error: unknown, fields: readonly string[]): string | null =>
  error === null || fields.some((field) => errorAt(error, field) !== null) ? null : messageOf(error)
