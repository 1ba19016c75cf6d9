import type { ErrorCode } from '@docket/api-types/api-error'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** HTTP status of each error code. */
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
