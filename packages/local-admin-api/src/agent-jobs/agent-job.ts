import type { MaintenanceOrder as Order } from '@docket/doc-agent/recipes/order'
import { z } from 'zod'
import { MaintenanceOrder } from '#maintenance/order.ts'

/**
 * One message to a job with its result; the first message is the prompt of the job. Jobs handle messages in order.
 * Times are ISO 8601, UTC.
 */
const Turn = z.object({
  prompt: z.string(),
  /** The order that the prompt tells in words; null for a free prompt. */
  maintenance: MaintenanceOrder.nullable().default(null),
  sentAt: z.iso.datetime(),
  /** When the work on this message began; null while it waits. */
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  outcome: z.enum(['completed', 'failed']).nullable(),
  /** Lines of the runner's report, or of the failure. */
  report: z.array(z.string()),
  /** Commit about to be pushed, noted first, so that a restart can tell whether the push happened. */
  commit: z.string().nullable(),
})

/** An agent job on disk: the fields of the Admin API (§2.1) and the state of the work. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(['active', 'completed', 'archived', 'failed']),
  /** Model that the Admin API reports. */
  model: z.string(),
  turns: z.array(Turn).min(1),
  /** The pull request, once there is one. `url` is absolute, or a path of this service. */
  pullRequest: z.object({ number: z.number(), url: z.string().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
  /** True once the job's branch was removed, after archiving and merging. */
  branchRemoved: z.boolean().default(false),
})

/** See the schema of the same name. */
export type AgentJobRecord = z.infer<typeof AgentJobRecord>

/** Parses a job's file. Null when it is damaged, of another version, or of another name. */
export const asAgentJob = (value: unknown, id: string): AgentJobRecord | null => {
  const job = AgentJobRecord.safeParse(value)
  return job.success && job.data.id === id ? job.data : null
}

/** See the schema of the same name. */
export type Turn = z.infer<typeof Turn>

// Line breaks and tabs are text. Other control characters would end up in commits, and NUL ends strings elsewhere.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Prompt of an agent job: 1 to 10,000 readable characters. */
export const Prompt = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .refine((text) => !controls.test(text))

/** Message for any other prompt. */
export const promptRule = 'A prompt of 1 to 10,000 characters, without control characters, is required'

/** Branch a job works on. */
export const toBranch = (job: Pick<AgentJobRecord, 'id'>) => `docs-agent/${job.id}`

/** Creates a message without a result. */
export const newTurn = (prompt: string, sentAt: Date, maintenance: Order | null = null): Turn => ({
  prompt,
  maintenance,
  sentAt: sentAt.toISOString(),
  startedAt: null,
  finishedAt: null,
  outcome: null,
  report: [],
  commit: null,
})

/** A job as §4.1 answers it: exactly the fields of §2.1. Addresses that are paths of this service get its `origin`. */
export const toWire = (job: AgentJobRecord, repositoryUrl: string, origin: string) => ({
  id: job.id,
  status: job.status,
  source: { repository: new URL(repositoryUrl, origin).href, ref: toBranch(job) },
  model: job.model,
  prLink: job.pullRequest?.url ? new URL(job.pullRequest.url, origin).href : null,
  createdAt: job.createdAt,
  archivedAt: job.archivedAt,
})

const maxTitle = 120

/** A job in the list of a project. `haulted` is spelled as a public service spells it. */
export const toListEntry = ({ id, status, turns, createdAt }: AgentJobRecord) => {
  const [line = ''] = turns[0]!.prompt.split('\n')
  const haulted = status === 'failed'
  const report = turns.at(-1)!.report.at(-1) ?? null
  return {
    id,
    title: line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 1).toWellFormed()}…`,
    todos: [],
    haulted,
    haultReason: haulted ? report : null,
    messageToUser: haulted ? null : report,
    createdAt,
  }
}
