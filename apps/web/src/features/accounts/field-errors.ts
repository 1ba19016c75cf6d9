import { ApiError, toMessage } from '#lib/api-error.ts'

/** Removes the field's name, which schemas put in front and the label already shows. */
const stripField = (message: string, field: string) =>
  message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message

/** Message of a refusal that concerns `field`, or null. */
export const errorAt = (error: unknown, field: string): string | null =>
  error instanceof ApiError && error.field === field ? stripField(error.message, field) : null

/** Message of a failure that concerns none of `fields`, or null. */
export const errorBeside = (error: unknown, fields: readonly string[]): string | null =>
  error === null || fields.some((field) => errorAt(error, field) !== null) ? null : toMessage(error)
