import { ApiError, toMessageAtField } from '#lib/api/api-error.ts'
import { targetFields } from './target-draft.ts'

const nameField = (error: unknown): string | null =>
  error instanceof ApiError && error.field !== null ? error.field.replace(/^settings\./, '') : null

/** Message of a refusal that concerns a field of the form, such as `bucket`. Null for any other refusal. */
export const findFieldError = (error: unknown, field: string): string | null =>
  nameField(error) === field ? toMessageAtField(error) : null

export const findErrorBesideFields = (error: unknown): unknown =>
  targetFields.includes(nameField(error) ?? '') ? null : error
