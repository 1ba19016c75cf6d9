import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { toJobId } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorkingJob } from '#features/records/agent-jobs/job-state.ts'
import { isRunningExport } from '#features/records/static-exports/export-state.ts'

/** An export or a job, in the order of `at` (milliseconds since the epoch). */
export type OverviewItem = { id: string; at: number } & (
  | { kind: 'export'; row: StaticExport }
  | { kind: 'job'; job: AgentJob }
)

const maxRecent = 8

const toExportItem = (row: StaticExport): OverviewItem => ({
  kind: 'export',
  id: row.exportId,
  // The start time never changes, so a row keeps its place within its section.
  at: Date.parse(row.startedAt),
  row,
})

const toJobItem = (job: AgentJob): OverviewItem => ({
  kind: 'job',
  id: toJobId(job),
  at: Date.parse(job.followedAt),
  job,
})

export type OverviewSection = 'running' | 'attention' | 'recent'

const findSection = (item: OverviewItem): OverviewSection => {
  if ((item.kind === 'export' ? item.row : item.job).needsAttention === true) return 'attention'
  return (item.kind === 'export' ? isRunningExport(item.row) : isWorkingJob(item.job)) ? 'running' : 'recent'
}

export type Overview = Record<OverviewSection, OverviewItem[]>

/**
 * Groups records into running ones, ones that need attention, and the newest of the rest. With `pinned`, items keep their
 * section and new ones wait, so that nothing moves under the pointer. New records by the reader appear at once.
 */
export const buildOverview = (
  rows: readonly StaticExport[],
  jobs: readonly AgentJob[],
  pinned: ReadonlyMap<string, OverviewSection> | null = null,
  own: ReadonlySet<string> = new Set(),
): Overview => {
  const sections: Overview = { running: [], attention: [], recent: [] }
  for (const item of [...rows.map(toExportItem), ...jobs.map(toJobItem)].toSorted((a, b) => b.at - a.at)) {
    const section = pinned?.get(item.id) ?? (pinned === null || own.has(item.id) ? findSection(item) : undefined)
    if (section !== undefined) sections[section].push(item)
  }
  return pinned === null ? { ...sections, recent: sections.recent.slice(0, maxRecent) } : sections
}

/** Section of each visible item, for `pinned`. */
export const listSections = ({ running, attention, recent }: Overview): ReadonlyMap<string, OverviewSection> =>
  new Map([
    ...running.map(({ id }) => [id, 'running'] as const),
    ...attention.map(({ id }) => [id, 'attention'] as const),
    ...recent.map(({ id }) => [id, 'recent'] as const),
  ])
