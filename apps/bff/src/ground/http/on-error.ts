import { ApiErrorBody, type ErrorCode } from '@docket/api-types/api-error'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export const statusByCode: Record<ErrorCode, ContentfulStatusCode> = {
  invalid_request: 400,
  not_signed_in: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  busy: 503,
  database_unavailable: 503,
  upstream_key_rejected: 502,
  upstream_forbidden: 502,
  upstream_not_found: 404,
  upstream_conflict: 409,
  upstream_refused: 502,
  upstream_rate_limited: 503,
  upstream_unavailable: 503,
  upstream_timeout: 504,
  upstream_unexpected: 502,
}

/** Default `Retry-After` for 503 and 429. */
const defaultRetryAfterMs = 5_000

type Failure = {
  code: ErrorCode
  message: string
  details?: { field?: string; exportId?: string; retryAfterMs?: number }
}

const unavailable: Failure = {
  code: 'database_unavailable',
  message: 'Docket can’t reach its database right now. Nothing is lost, and Docket keeps trying.',
  details: { retryAfterMs: 5_000 },
}

const toHttpFailure = (error: HTTPException): Failure => {
  if (error.status === 404) return { code: 'not_found', message: 'There is nothing at this address.' }
  if (error.status === 413) return { code: 'too_large', message: 'The request is larger than Docket accepts.' }
  if (error.status < 500)
    return { code: 'invalid_request', message: error.message || 'Docket couldn’t read the request.' }
  return internal
}

const internal: Failure = {
  code: 'internal',
  message:
    'Something went wrong inside Docket. Try again; if it keeps failing, look for the request ID in Docket’s log.',
}

const brokenOff: Failure = { code: 'invalid_request', message: 'The request broke off before it was complete.' }

/** True for Node's error when a connection ends inside a request's body. */
const isAbortedRequest = (error: unknown) =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

const toFailure = (error: unknown, isDatabaseUnavailable: (error: unknown) => boolean): Failure => {
  if (error instanceof AppError) return error
  if (error instanceof AdminApiError)
    return {
      code: error.code,
      message: error.message,
      details: error.retryAfterMs === null ? {} : { retryAfterMs: error.retryAfterMs },
    }
  if (error instanceof HTTPException) return toHttpFailure(error)
  if (isAbortedRequest(error)) return brokenOff
  return isDatabaseUnavailable(error) ? unavailable : internal
}

/**
 * Turns every thrown error into a response: `ApiErrorBody` with the status of its code. The cause goes to the log only. `onRefused` is
 * called for requests that were not allowed.
 */
export const onError =
  (
    isDatabaseUnavailable: (error: unknown) => boolean,
    onRefused?: (c: Context<AppEnv>, code: 'not_signed_in' | 'forbidden') => void,
  ) =>
  (error: unknown, c: Context<AppEnv>): Response => {
    const { code, message, details = {} } = toFailure(error, isDatabaseUnavailable)
    const status = statusByCode[code]
    const { retryAfterMs, ...publicDetails } = details
    const line = { err: error, code, status }
    if (code === 'internal') c.var.log.error(line, 'request failed')
    else if (status >= 500) c.var.log.warn(line, 'request failed')
    else c.var.log.debug(line, 'request refused')
    if (code === 'not_signed_in' || code === 'forbidden') onRefused?.(c, code)
    // Git asks its user for a password only with this header.
    if (status === 401) c.header('WWW-Authenticate', c.req.path.startsWith('/git/') ? 'Basic realm="Docket"' : 'Bearer')
    const waitMs = retryAfterMs ?? (status === 503 || status === 429 ? defaultRetryAfterMs : null)
    if (waitMs !== null) c.header('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))))
    return c.json(ApiErrorBody.parse({ code, message, requestId: c.var.requestId, ...publicDetails }), status)
  }
