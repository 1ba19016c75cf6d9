import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { isWorking, jobNeedsAttention } from '#features/agent-jobs/job-state.ts'
import { isRunning, needsAttention } from '#features/static-exports/export-state.ts'

/** An export or a job, in the order of `at` (milliseconds since the epoch). */
export type OverviewItem = { id: string; at: number } & (
  | { kind: 'export'; row: StaticExport }
  | { kind: 'job'; job: AgentJob }
)

const mostRecent = 8

const ofExport = (row: StaticExport): OverviewItem => ({
  kind: 'export',
  id: row.exportId,
  // By the start, which never changes: a row that stays in its section keeps its place.
  at: Date.parse(row.startedAt),
  row,
})

const ofJob = (job: AgentJob): OverviewItem => ({
  kind: 'job',
  id: JSON.stringify([job.projectId, job.id]),
  at: Date.parse(job.followedAt),
  job,
})

/** Sorts everything known into what runs, what needs a person, and the newest of the rest. Nothing is in two places. */
export const overviewOf = (rows: readonly StaticExport[], jobs: readonly AgentJob[], nowMs: number) => {
  const newestFirst = (items: OverviewItem[]) => items.toSorted((a, b) => b.at - a.at)
  const isBad = (item: OverviewItem) =>
    item.kind === 'export' ? needsAttention(item.row, nowMs) : jobNeedsAttention(item.job, nowMs)
  const isLive = (item: OverviewItem) => (item.kind === 'export' ? isRunning(item.row) : isWorking(item.job))
  const all = newestFirst([...rows.map(ofExport), ...jobs.map(ofJob)])
  const attention = all.filter(isBad)
  const running = all.filter((item) => !isBad(item) && isLive(item))
  const recent = all.filter((item) => !isBad(item) && !isLive(item)).slice(0, mostRecent)
  return { running, attention, recent }
}
