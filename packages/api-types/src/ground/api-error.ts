import { z } from 'zod'

/**
 * All error codes of `/api`. `upstream_*` codes report failures of the Admin API; only `not_signed_in` concerns the reader's own
 * session.
 */
export const ErrorCode = z.enum([
  'invalid_request',
  'not_signed_in',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'too_many_requests',
  'internal',
  'busy',
  'database_unavailable',
  'upstream_key_rejected',
  'upstream_forbidden',
  'upstream_not_found',
  'upstream_conflict',
  'upstream_refused',
  'upstream_rate_limited',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_unexpected',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** The body of every answer that is not 2xx. */
export const ApiErrorBody = z.object({
  code: ErrorCode,
  /** One or two sentences for the reader: what happened and what to do. Plain text, never HTML. */
  message: z.string(),
  /** Names this request in the server's log; people quote it when they ask for help. */
  requestId: z.string(),
  /** Path of the invalid field of the request, such as `domain` or `paths.3`, if there is one. */
  field: z.string().optional(),
  /** With `conflict` on a start: the export that already runs (or may run) for the same domain. */
  exportId: z.uuid().optional(),
})
export type ApiErrorBody = z.infer<typeof ApiErrorBody>

/** Failure of the last read of a record; the record keeps its last good data. */
export const CheckFailure = z.object({
  code: ErrorCode,
  /** Cause and remedy for the reader, without secrets. */
  message: z.string(),
  /** When Docket last saw that export. ISO 8601, UTC. */
  at: z.iso.datetime(),
  /** Job that the service named in its answer to a start, instead of starting one. Untrusted plain text. */
  jobId: z.string().optional(),
})
export type CheckFailure = z.infer<typeof CheckFailure>
