import type { AgentJob, AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { UsualDuration } from '@docket/api-types/list'
import { upstreamLink } from '#admin-api/safe-link.ts'
import type { agentJobs } from '#agent-jobs/agent-jobs.table.ts'

/** A followed agent job as it is kept. */
export type AgentJobRow = typeof agentJobs.$inferSelect

/** What may be written of a job: all but what the database computes. */
export const selectWritable = ({ group, troubledAt, ...row }: AgentJobRow) => row

/** The pull request may follow the completion this much later. */
const graceMs = 60_000
/** The service gives up on a job after about a day, so an older one was completed long before anybody looked here. */
const maxRunMs = 25 * 60 * 60_000

const finishedStatuses: readonly (string | null)[] = ['completed', 'failed', 'archived']

/** Whether the contract calls this status final (Admin API §2.1). A status it does not list is never final. */
export const isFinished = (status: string | null): boolean => finishedStatuses.includes(status)

/** When `finishing` turns into `no_pull_request` all by itself; null when it is neither. Milliseconds since the epoch. */
export const graceEnd = (row: AgentJobRow): number | null => {
  if (row.goneAt !== null || row.status !== 'completed' || row.prLink !== null || row.finishedAt === null) return null
  const finishedMs = row.finishedAt.getTime()
  const longAgo = row.createdAt !== null && finishedMs - row.createdAt.getTime() > maxRunMs
  return longAgo ? finishedMs : finishedMs + graceMs
}

/** What its state means to a reader at `now` (milliseconds since the epoch). */
export const deriveMeaning = (row: AgentJobRow, now: number): AgentJobMeaning => {
  if (row.goneAt !== null) return 'gone'
  if (row.status === 'active') return 'working'
  if (row.status === 'failed' || row.status === 'archived') return row.status
  if (row.status !== 'completed') return 'unrecognised'
  if (row.prLink !== null) return 'pull_request_ready'
  return now < (graceEnd(row) ?? 0) ? 'finishing' : 'no_pull_request'
}

/** A kept job as the contract describes it. `embedded`: Docket's own service may link to loopback http. `usual`: how long such jobs take. */
export const toAgentJob = (
  row: AgentJobRow,
  { now, embedded, usual }: { now: number; embedded: boolean; usual: UsualDuration | null },
): AgentJob => {
  const link = (text: string | null) => (text === null ? null : upstreamLink(text, { allowLoopbackHttp: embedded }))
  return {
    projectId: row.projectId,
    id: row.id,
    status: row.status,
    meaning: deriveMeaning(row, now),
    source: { repository: link(row.repository), ref: row.ref },
    model: row.model,
    prLink: link(row.prLink),
    createdAt: row.createdAt?.toISOString() ?? null,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    followedAt: row.followedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    goneAt: row.goneAt?.toISOString() ?? null,
    usual,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
    checkFailure: row.checkFailure,
  }
}
