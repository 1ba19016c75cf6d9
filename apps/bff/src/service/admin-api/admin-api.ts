import type { AgentUsage, PullRequestState } from '@docket/api-types/agent-jobs'
import type { DiffStat } from '@docket/api-types/changes'

/** An agent job as the service describes it (Admin API §2.1). Missing and mistyped fields are null; dates are ISO 8601 UTC. */
export type AgentJobSnapshot = {
  status: string | null
  repository: string | null
  ref: string | null
  model: string | null
  prLink: string | null
  createdAt: string | null
  archivedAt: string | null
} & AgentJobStory

/** Fields beyond §2.1 that a service may send. All texts are untrusted plain text. */
type AgentJobStory = {
  /** True when the answer has at least one of these fields. */
  isDetailed: boolean
  /** True for an active job that is queued: it has a queue position, or the service reports that work has not begun. */
  isWaiting: boolean
  serviceTitle: string | null
  /** Several lines. */
  report: string | null
  /** Several lines. `cancelled`: a person cancelled the job. */
  error: string | null
  startedAt: string | null
  queuePosition: number | null
  lastLine: string | null
  diffStat: DiffStat | null
  usage: AgentUsage | null
  pullRequestNumber: number | null
  pullRequestTitle: string | null
  pullRequestState: PullRequestState | null
  pullRequestChecks: PullRequestChecks | null
  pullRequestMergeable: boolean | null
}

/** Combines the results of all checks of the head commit. */
export type PullRequestChecks = 'passing' | 'failing' | 'pending'

/** Offsets count UTF-8 bytes. */
export type AgentJobLogPart = { text: string; nextOffset: number; isCut: boolean; ended: boolean }

/** A static export job as the service describes it (Admin API §2.3). Missing and mistyped fields are null. */
export type StaticExportSnapshot = {
  status: string | null
  /** Percent, or a fraction of 1. A number up to 1 may be either; `scale` is set when the format proves one. Null when unusable. */
  progress: { value: number; scale: 'percent' | 'fraction' | 'ambiguous' } | null
  pageCount: number | null
  /** Null unless the export failed. Untrusted plain text. */
  error: string | null
  /** Only the embedded service sends the digest of the exporter that does the work. */
  exporter: string | null
  createdAt: string | null
  updatedAt: string | null
}

/** A presigned link to a bundle (Admin API §4.4, §8). `bundleUrl` is a secret. */
export type BundleGrant = {
  bundleUrl: string
  sizeBytes: number | null
  /** From the response, or from the parameters of the link. Milliseconds since the epoch. */
  expiresAtMs: number | null
}

/** Missing and mistyped texts are null; all are untrusted plain text. */
export type ListedAgentJob = {
  id: string
  title: string | null
  halted: boolean
  haltReason: string | null
  messageToUser: string | null
}

/** `entries` counts all entries of the answer, `skipped` those without a usable id. */
export type AgentJobListing = { jobs: ListedAgentJob[]; entries: number; skipped: number }

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
  listAgentJobs(page: { projectId: string; skip: number; take: number }): Promise<AgentJobListing>
  /** Never retried. `effect: 'unknown'` on the error: the job may exist, under an unknown id. */
  createAgentJob(request: { projectId: string } & Asked): Promise<AgentJobSnapshot & { id: string }>
  /** Sends a follow-up, which makes a finished job active again. Never retried. `effect: 'unknown'`: it may have arrived. */
  sendAgentMessage(request: { projectId: string; id: string } & Asked): Promise<AgentJobSnapshot>
  /** Stops a waiting or working job. Never retried. Rejects with `upstream_conflict` when the job has ended. */
  cancelAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  /** Never retried. */
  archiveAgentJob(key: { projectId: string; id: string }): Promise<AgentJobSnapshot>
  readAgentJobLog(part: { projectId: string; id: string; offset: number }): Promise<AgentJobLogPart>
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
