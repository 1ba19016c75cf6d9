import type { ErrorCode } from '@docket/api-types/api-error'

/** The upstream part of the closed list of error codes. */
export type UpstreamCode = Extract<ErrorCode, `upstream_${string}`>

/**
 * What is known about the effect of a failed call. `none`: the service did not act (it refused, or the request never left).
 * `unknown`: the request may have been acted upon and the answer was lost; nobody may repeat it without a click.
 */
export type Effect = 'none' | 'unknown'

/** The one error that leaves the Admin API client. Its message is for the reader and never holds the key or a presigned link. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError'
  readonly code: UpstreamCode
  readonly effect: Effect
  /** From `Retry-After`, clamped to an hour. Milliseconds from the answer. */
  readonly retryAfterMs: number | null
  /** The service's own sentence (Admin API §2.2), cleaned and cut; null when it sent none. Untrusted plain text. */
  readonly sentence: string | null

  constructor(
    code: UpstreamCode,
    message: string,
    details: { effect: Effect; retryAfterMs?: number | null; sentence?: string | null; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.effect = details.effect
    this.retryAfterMs = details.retryAfterMs ?? null
    this.sentence = details.sentence ?? null
  }
}

/** An agent job as the service describes it (Admin API §2.1). Missing and mistyped fields are null; dates are ISO 8601 UTC. */
export type AgentJobSnapshot = {
  status: string | null
  repository: string | null
  ref: string | null
  model: string | null
  prLink: string | null
  createdAt: string | null
  archivedAt: string | null
}

/** A static export job as the service describes it (Admin API §2.3). Missing and mistyped fields are null. */
export type StaticExportSnapshot = {
  status: string | null
  /**
   * Percent, 0 to 100, or a fraction, 0 to 1: a bare number up to 1 may be either, so `scale` says what the shape proved.
   * Null when nothing usable was sent.
   */
  progress: { value: number; scale: 'percent' | 'fraction' | 'ambiguous' } | null
  pageCount: number | null
  /** Reason of a failure, where the service gives one. Untrusted plain text. */
  error: string | null
  createdAt: string | null
  updatedAt: string | null
}

/** A presigned link to a bundle (Admin API §4.4, §8). `bundleUrl` is a secret. */
export type BundleGrant = {
  bundleUrl: string
  sizeBytes: number | null
  /** From the service, or from the link's own parameters. Milliseconds since the epoch. */
  expiresAtMs: number | null
}

/**
 * The four operations of the Admin API in Docket's words, and the two about prompts that it does not show and a service may offer. Every method rejects with `AdminApiError`, or with `AppError` `invalid_request`
 * before anything is sent when an id cannot be put into a path.
 */
export type AdminApi = {
  /** Origin of the service, safe to show. */
  readonly origin: string
  getAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  /** Never retried. `effect: 'unknown'` on the error means that the job may exist, under an id that nobody knows. */
  createAgentJob(request: { projectId: string; prompt: string }): Promise<AgentJobSnapshot & { id: string }>
  /** Sends a follow-up, which makes a finished job active again. Never retried; `effect: 'unknown'` means that it may have arrived. */
  sendAgentMessage(request: { projectId: string; id: string; prompt: string }): Promise<AgentJobSnapshot>
  /** Never retried. `effect: 'unknown'` on the error means that the export may have started. */
  startStaticExport(request: {
    domain: string
    version?: string | undefined
    paths?: readonly string[] | undefined
  }): Promise<StaticExportSnapshot & { jobId: string }>
  getStaticExport(jobId: string): Promise<StaticExportSnapshot>
  generateBundle(jobId: string): Promise<BundleGrant>
}

/** The operations by name, for health, metrics and budgets. */
export type AdminApiOperation =
  | 'getAgentJob'
  | 'createAgentJob'
  | 'sendAgentMessage'
  | 'startStaticExport'
  | 'getStaticExport'
  | 'generateBundle'
