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
