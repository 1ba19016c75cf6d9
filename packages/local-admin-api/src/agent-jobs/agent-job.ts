import { z } from 'zod'

/** Statuses of an agent job (Admin API §2.1). */
export type AgentJobStatus = 'active' | 'completed' | 'archived' | 'failed'

/** An agent job as it is kept: what the Admin API shows (§2.1), and what the work needs. Times are ISO 8601, UTC. */
export type AgentJobRecord = {
  id: string
  projectId: string
  prompt: string
  status: AgentJobStatus
  /** Number of the pull request, once there is one. */
  pullNumber: number | null
  /** What the runner did, or why it failed; one line a step. */
  report: string[]
  createdAt: string
  /** When the work began; null while the job waits for its turn. */
  startedAt: string | null
  finishedAt: string | null
  archivedAt: string | null
}

// Line breaks and tabs are text. The other controls are not: they would end up in commits, and NUL ends strings elsewhere.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** What an agent is asked to do: 1 to 10,000 characters that can be read. */
export const Prompt = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .refine((text) => !controls.test(text))

/** What to say about anything else. */
export const promptRule = 'A prompt of 1 to 10,000 characters, without control characters, is required'

/** Branch a job works on. */
export const branchOf = (job: Pick<AgentJobRecord, 'id'>) => `docs-agent/${job.id}`

/** Name of the built-in runner, where the Admin API reports a model. */
export const builtInModel = 'built-in recipes'

/** Address of a project's repository on the code host. */
export const repositoryUrl = (origin: string, projectId: string) => `${origin}/docket/${encodeURIComponent(projectId)}`

/** A job as §4.1 answers it: exactly the fields of §2.1. */
export const toWire = (job: AgentJobRecord, origin: string) => ({
  id: job.id,
  status: job.status,
  source: { repository: repositoryUrl(origin, job.projectId), ref: branchOf(job) },
  model: builtInModel,
  prLink: job.pullNumber === null ? null : `${repositoryUrl(origin, job.projectId)}/pulls/${job.pullNumber}`,
  createdAt: job.createdAt,
  archivedAt: job.archivedAt,
})
