import type { ErrorCode } from '@docket/api-types/api-error'

/** An expected failure. The reader sees `message`, which explains how to continue; `cause` is only logged. */
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

/** A value of the request that the reader can correct in its field. */
export const refusedFieldError = (field: string, message: string) => new AppError('invalid_request', message, { field })

/** Maximum wait for a service, whatever its `Retry-After`. Milliseconds. */
export const maxWaitMs = 3_600_000

export type UpstreamCode = Extract<ErrorCode, `upstream_${string}`>

/**
 * Effect of a failed call. `none`: the service refused it or never got it. `unknown`: the answer was lost, so only a click may repeat it.
 */
export type Effect = 'none' | 'unknown'

/**
 * The only error of the Admin API client. Its message is for the reader and contains neither the key nor a presigned
 * link.
 */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError'
  readonly code: UpstreamCode
  readonly effect: Effect
  /** From `Retry-After`, at most `maxWaitMs`. Milliseconds from the response. */
  readonly retryAfterMs: number | null
  /** The wait that the service requested, without that limit. */
  readonly askedWaitMs: number | null
  /** The service's own message (Admin API §2.2), cleaned and shortened, or null. Untrusted plain text. */
  readonly sentence: string | null
  /** True when the service reports that the record is permanently gone (410). A 404 may be temporary. */
  readonly gone: boolean
  /** Domain, project or job of the call. Null when the call was never made. */
  readonly about: string | null
  /** Id of a job that the answer to a start names without starting it. Untrusted. */
  readonly named: string | null

  constructor(
    code: UpstreamCode,
    message: string,
    details: {
      effect: Effect
      retryAfterMs?: number | null
      sentence?: string | null
      gone?: boolean
      about?: string | null
      named?: string | null
      cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.effect = details.effect
    this.askedWaitMs = details.retryAfterMs ?? null
    this.retryAfterMs = this.askedWaitMs === null ? null : Math.min(this.askedWaitMs, maxWaitMs)
    this.sentence = details.sentence ?? null
    this.gone = details.gone ?? false
    this.about = details.about ?? null
    this.named = details.named ?? null
  }
}
