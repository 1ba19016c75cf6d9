import type { Database } from '#ground/db/database.ts'
import { findGapBefore, type Moment } from '#service/history/gap.ts'
import type { NewEvent } from '#service/history/history.ts'
import { cacheUsualDurations, readUsualDurations } from '#service/history/usual-durations.ts'
import { isActive, isCancelled, type StaticExportRow } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'

const milestones = [25, 50, 75]

/** Returns 0 before the first milestone. */
const findLastMilestone = (progress: number | null): number =>
  milestones.findLast((mark) => mark <= (progress ?? 0)) ?? 0

const listEndings = (after: StaticExportRow, at: Date): NewEvent[] => {
  const { state, reason } = after
  if (state === 'completed') return [{ kind: state, at, ending: state }]
  // A person cancelled the export, so it is not announced as a failure.
  if (isCancelled(after)) return [{ kind: 'cancelled', at }]
  if (state === 'failed' || state === 'refused') return [{ kind: state, at, to: reason, ending: state }]
  return state === 'unknown' ? [{ kind: 'answer_lost', at, to: reason, ending: 'answer_lost' }] : []
}

/** Null unless the export was open or the answer contains a change. */
const findGap = (before: StaticExportRow, after: StaticExportRow, moment: Moment, news: boolean): NewEvent | null => {
  const waited = before.state === 'accepted' && before.goneAt === null
  return after.failures === 0 && (waited || news) ? findGapBefore(before, moment) : null
}

/**
 * Lists the events of an outcome in order. A changed status is an event, unless it ends the export, which has its own event. Of several
 * milestones passed at once, only the last is an event.
 */
export const listExportEvents = (before: StaticExportRow, after: StaticExportRow, moment: Moment): NewEvent[] => {
  const at = new Date(moment.now)
  const events: NewEvent[] = []
  if (before.goneAt !== null && after.goneAt === null) events.push({ kind: 'back', at })
  if (before.jobId === null && after.jobId !== null) events.push({ kind: 'accepted', at, to: after.jobId })
  const end = after.state === before.state ? [] : listEndings(after, at)
  const isEndWord = after.state === 'completed' || after.state === 'failed'
  if (after.status !== null && after.status !== before.status && !isEndWord)
    events.push({ kind: 'status_changed', at, from: before.status, to: after.status })
  if (before.exporter !== null && after.exporter !== before.exporter)
    events.push({ kind: 'changed', at, field: 'exporter', from: before.exporter, to: after.exporter })
  const milestone = findLastMilestone(after.progress)
  if (after.state === 'accepted' && milestone > findLastMilestone(before.progress))
    events.push({ kind: 'progressed', at, to: String(milestone) })
  events.push(...end)
  // A finished export is only read for its bundle, so its absence is not an ending.
  if (before.goneAt === null && after.goneAt !== null)
    events.push({ kind: 'gone', at, ...(after.state === 'accepted' ? { ending: 'gone' as const } : {}) })
  const gap = findGap(before, after, moment, events.length > 0)
  return gap === null ? events : [gap, ...events]
}

/** Measures only whole sites that Docket started and whose end it observed without a gap. */
export const measureExportDuration = (
  before: StaticExportRow,
  after: StaticExportRow,
  moment: Moment,
): StaticExportRow => {
  const { state, finishedAt, imported, paths, startedAt } = after
  if (before.unfinishedAt === null || before.state !== 'accepted' || state !== 'completed') return after
  if (finishedAt === null || imported || paths !== null) return after
  const tookMs = finishedAt.getTime() - startedAt.getTime()
  return tookMs < 0 || findGapBefore(before, moment) !== null ? after : { ...after, tookMs }
}

const timed = { table: staticExports, by: staticExports.domain }

const isWholeSite = ({ paths }: StaticExportRow) => paths === null

/** Null for an export of some pages. `now` in milliseconds since the epoch. */
export const exportDurations = (db: Database, now: () => number) => {
  const cached = cacheUsualDurations(timed, now)
  return {
    forOne: async (row: StaticExportRow) =>
      isWholeSite(row) ? ((await readUsualDurations(db, timed, [row.domain])).get(row.domain) ?? null) : null,
    /** Returns durations for the running exports of a list, and null for the others. They may be some seconds old. */
    forRunning: async (rows: readonly StaticExportRow[]) => {
      const compared = rows.filter((row) => isWholeSite(row) && isActive(row))
      const known = await cached(
        db,
        compared.map(({ domain }) => domain),
      )
      return (row: StaticExportRow) => (compared.includes(row) ? (known.get(row.domain) ?? null) : null)
    },
  }
}
