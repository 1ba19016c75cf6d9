import type { ErrorCode } from '@docket/api-types/api-error'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** The one status table: exhaustive by type, so a new code does not compile until it has a status. */
export const statusOf: Record<ErrorCode, ContentfulStatusCode> = {
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

/** A failure a slice reports on purpose. `message` reaches the reader and says what to do; `cause` stays in the log. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: { field?: string; exportId?: string; retryAfterMs?: number }

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; exportId?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    const { cause, ...rest } = details
    super(message, { cause })
    this.code = code
    this.details = rest
  }
}
