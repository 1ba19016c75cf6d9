import { ApiError, toMessageAtField } from '#lib/api/api-error.ts'

const shown: readonly string[] = [
  'name',
  'secret',
  'address',
  'path',
  'keep',
  'endpoint',
  'region',
  'bucket',
  'prefix',
  'accessKeyId',
  'graceMinutes',
  'url',
  'branch',
  'folder',
  'user',
  'hostKey',
  'host',
  'port',
]

const nameField = (error: unknown): string | null =>
  error instanceof ApiError && error.field !== null ? error.field.replace(/^settings\./, '') : null

/** Message of a refusal that concerns a field of the form, such as `bucket`. Null for any other refusal. */
export const findFieldError = (error: unknown, field: string): string | null =>
  nameField(error) === field ? toMessageAtField(error) : null

export const findErrorBesideFields = (error: unknown): unknown =>
  shown.includes(nameField(error) ?? '') ? null : error
