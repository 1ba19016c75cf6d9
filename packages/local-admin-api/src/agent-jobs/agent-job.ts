import type { MaintenanceOrder as Order } from '@docket/doc-agent/recipes/order'
import { jobBranches } from '@docket/doc-agent/work/open-pull-requests'
import { toLine } from '@docket/sources/text'
import { z } from 'zod'
import { MaintenanceOrder } from '#maintenance/order.ts'

export const RequestedBy = z.object({
  name: z.string().min(1).max(200),
  email: z.string().max(320).nullable().default(null),
})

export type RequestedBy = z.infer<typeof RequestedBy>

const Usage = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
})

const Checks = z.object({ command: z.string(), passed: z.boolean(), output: z.array(z.string()).readonly() })

const DiffStat = z.object({ files: z.number(), added: z.number(), removed: z.number() })

/** The first message is the prompt of the job. Messages are handled in order. Times are ISO 8601, UTC. */
const Turn = z.object({
  prompt: z.string(),
  /** Null for a free prompt. */
  maintenance: MaintenanceOrder.nullable().default(null),
  sentAt: z.iso.datetime(),
  /** When the work on this message began; null while it waits. */
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  outcome: z.enum(['completed', 'failed', 'cancelled']).nullable(),
  /** When a user cancelled it, recorded before the work is aborted. */
  cancelAskedAt: z.iso.datetime().nullable().default(null),
  report: z.array(z.string()),
  usage: Usage.nullable().default(null),
  checks: Checks.nullable().default(null),
  /** Commit about to be pushed. Recorded before the push, so that a restart can check whether it happened. */
  commit: z.string().nullable(),
  base: z.string().nullable().default(null),
  isPushed: z.boolean().default(false),
  diffStat: DiffStat.nullable().default(null),
  /** Null when Docket did not send it. */
  requestedBy: RequestedBy.nullable().default(null),
})

/** An agent job on disk: the fields of the Admin API (§2.1) and the state of the work. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  /** Marker of the project's embedded code host when the last message was sent. Null when its code host is remote. */
  codeHost: z.string().nullable().default(null),
  status: z.enum(['active', 'completed', 'archived', 'failed']),
  model: z.string(),
  turns: z.array(Turn).min(1),
  /** The pull request, once there is one. `url` is absolute, or a path of this service; `state` is the last one seen. */
  pullRequest: z
    .object({
      number: z.number(),
      url: z.string().nullable(),
      state: z.enum(['open', 'merged', 'closed']).nullable().default(null),
    })
    .nullable(),
  createdAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
  branchRemoved: z.boolean().default(false),
})

export type AgentJobRecord = z.infer<typeof AgentJobRecord>

/** Null when the record is damaged, of another version, or of another id. */
export const parseAgentJob = (value: unknown, id: string): AgentJobRecord | null => {
  const job = AgentJobRecord.safeParse(value)
  return job.success && job.data.id === id ? job.data : null
}

export type Turn = z.infer<typeof Turn>

// Line breaks and tabs are text. Other control characters would end up in commits, and NUL ends strings elsewhere.
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Prompt of an agent job: 1 to 10,000 readable characters. */
export const Prompt = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .refine((text) => !controls.test(text))

export const promptRule = 'A prompt of 1 to 10,000 characters, without control characters, is required'

export const toBranch = (job: Pick<AgentJobRecord, 'id'>) => `${jobBranches}${job.id}`

export const createTurn = (
  prompt: string,
  sentAt: Date,
  requestedBy: RequestedBy | null = null,
  maintenance: Order | null = null,
): Turn => ({
  prompt,
  maintenance,
  requestedBy,
  sentAt: sentAt.toISOString(),
  startedAt: null,
  finishedAt: null,
  outcome: null,
  cancelAskedAt: null,
  report: [],
  usage: null,
  checks: null,
  commit: null,
  base: null,
  isPushed: false,
  diffStat: null,
})

export const findLastPush = ({ turns }: Pick<AgentJobRecord, 'turns'>) =>
  turns.findLast(({ commit, isPushed, outcome }) => commit !== null && (isPushed || outcome === 'completed'))

/** First line with an instruction in a job's first message, at most `max` characters. */
export const toTitle = ({ turns }: Pick<AgentJobRecord, 'turns'>, max: number): string => {
  const lines = turns[0]!.prompt.split(/\r\n?|\n/).flatMap((line) => toLine(line, max) ?? [])
  return lines.find((line) => !/^wait\s/i.test(line)) ?? lines[0] ?? ''
}

/** Jobs of earlier versions link to pages that this service once served itself. */
const toAddress = (url: string, origin: string) => new URL(url.replace(/^\/docket\//, '/code/'), origin).href

/** A job as returned by §4.1, with exactly the fields of §2.1. Addresses that are paths of Docket get its `origin`. */
export const toWire = (job: AgentJobRecord, repositoryUrl: string, origin: string) => ({
  id: job.id,
  status: job.status,
  source: { repository: new URL(repositoryUrl, origin).href, ref: toBranch(job) },
  model: job.model,
  prLink: job.pullRequest?.url ? toAddress(job.pullRequest.url, origin) : null,
  createdAt: job.createdAt,
  archivedAt: job.archivedAt,
})

export const toListEntry = (job: AgentJobRecord) => {
  const { id, status, turns, createdAt } = job
  const haulted = status === 'failed'
  const report = turns.at(-1)!.report.at(-1) ?? null
  return {
    id,
    title: toTitle(job, 120),
    todos: [],
    haulted,
    haultReason: haulted ? report : null,
    messageToUser: haulted ? null : report,
    createdAt,
  }
}
