import type {
  parseAgentJob,
  parseAgentJobList,
  parseAgentJobLog,
  parseBundleGrant,
  parseStaticExport,
} from '#service/admin-api/wire/wire.ts'

type Parsed<Parse extends (...answer: never[]) => unknown> = NonNullable<ReturnType<Parse>>

/** An agent job as the service describes it (Admin API §2.1). Missing and mistyped fields are null; dates are ISO 8601 UTC. */
export type AgentJobSnapshot = Parsed<typeof parseAgentJob>

export type PullRequestChecks = NonNullable<AgentJobSnapshot['pullRequestChecks']>

/** A static export job as the service describes it (Admin API §2.3). Missing and mistyped fields are null. */
export type StaticExportSnapshot = Parsed<typeof parseStaticExport>

/** A presigned link to a bundle (Admin API §4.4, §8). `bundleUrl` is a secret. */
export type BundleGrant = Parsed<typeof parseBundleGrant>

/** Only the embedded service receives it: no other service gets names and addresses. */
export type Requested = { requestedBy?: { name: string; email: string | null } | undefined }

/** Only the embedded service receives `maintenance`, the order that the prompt describes. */
type Asked = { prompt: string; maintenance?: object | undefined } & Requested

/**
 * The four operations of the Admin API, and those that a service may offer: two for prompts, its list of agent jobs, and four of the
 * embedded service. Methods reject with `AdminApiError`. For an id that does not fit into a path, they reject with `AppError`
 * `invalid_request` before anything is sent.
 */
export type AdminApi = {
  /** Safe to show. */
  readonly origin: string
  getAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  /** Keeps the order of the service. Returns at most `take` jobs (1 to 100). */
  listAgentJobs(page: { projectId: string; skip: number; take: number }): Promise<Parsed<typeof parseAgentJobList>>
  /** Never retried. `effect: 'unknown'` on the error: the job may exist, under an unknown id. */
  createAgentJob(request: { projectId: string } & Asked): Promise<AgentJobSnapshot & { id: string }>
  /** Sends a follow-up, which makes a finished job active again. Never retried. `effect: 'unknown'`: it may have arrived. */
  sendAgentMessage(request: { projectId: string; id: string } & Asked): Promise<AgentJobSnapshot>
  /** Stops a waiting or working job. Never retried. Rejects with `upstream_conflict` when the job has ended. */
  cancelAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  /** Never retried. */
  archiveAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  readAgentJobLog(part: { projectId: string; id: string; offset: number }): Promise<Parsed<typeof parseAgentJobLog>>
  /** Never retried. `effect: 'unknown'` on the error: the export may have started. */
  startStaticExport(request: {
    domain: string
    version?: string | undefined
    paths?: readonly string[] | undefined
    /** Only for the embedded service: lower priority than exports that people wait for. */
    priority?: 'low' | undefined
  }): Promise<StaticExportSnapshot & { jobId: string }>
  getStaticExport(jobId: string): Promise<StaticExportSnapshot>
  /** Stops a waiting or running export. Never retried. Rejects with `upstream_conflict` when the export has ended. */
  cancelStaticExport(jobId: string): Promise<StaticExportSnapshot>
  generateBundle(jobId: string): Promise<BundleGrant>
}

export type AdminApiOperation = Exclude<keyof AdminApi, 'origin'>
