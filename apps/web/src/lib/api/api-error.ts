import type { ApiErrorBody, ErrorCode } from '@docket/api-types/api-error'

/** The web app adds `no_answer`: Docket was unreachable, or its response was incomplete. */
export type ApiErrorCode = ErrorCode | 'no_answer'

/** Error of every call to `/api`. The message is for the reader. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** Names the request in the server's log; null when no answer came. */
  readonly requestId: string | null
  /** Path of the invalid field, such as `domain` or `paths.3`. */
  readonly field: string | null
  /** With `conflict` on a start: the existing export. */
  readonly exportId: string | null
  /** Wait that the server requests. Milliseconds. */
  readonly retryAfterMs: number | null

  constructor(code: ApiErrorCode, message: string, details: Partial<ApiErrorBody> & { retryAfterMs?: number | null }) {
    super(message)
    this.code = code
    this.requestId = details.requestId ?? null
    this.field = details.field ?? null
    this.exportId = details.exportId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** A mistake that the page finds before it sends anything. */
export const createFieldError = (field: string, message: string) => new ApiError('invalid_request', message, { field })

/** True after a 401, which only the sign-in dialog reports. */
export const isNotSignedIn = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_signed_in'

const isErrorBody = (value: unknown): value is ApiErrorBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

/** Turns a failed response into an `ApiError`, even if its body is not Docket's. */
export const readError = async (response: Response): Promise<ApiError> => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : null
  const body: unknown = await response.json().catch(() => null)
  if (isErrorBody(body)) return new ApiError(body.code, body.message, { ...body, retryAfterMs })
  return new ApiError('no_answer', `Something between this page and Docket returned ${response.status}.`, {
    retryAfterMs,
  })
}

export const toMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it and try again.'

/** Like `toMessage`, without the field's name, for use at the field. */
export const toMessageAtField = (error: unknown): string =>
  error instanceof ApiError && error.field !== null ? error.message.replace(`${error.field}: `, '') : toMessage(error)

/** Message of a refusal that concerns `field`, or a part of it such as `paths.3`. Null for any other. */
export const findErrorAt = (error: unknown, field: string): string | null =>
  error instanceof ApiError && error.field?.split('.')[0] === field ? toMessageAtField(error) : null

/** Message of a failure that concerns none of `fields`, or null. */
export const findErrorBeside = (error: unknown, fields: readonly string[]): string | null =>
  error === null || fields.some((field) => findErrorAt(error, field) !== null) ? null : toMessage(error)
