import { gapBefore, type Moment } from '#history/gap.ts'
import type { NewEvent } from '#history/new-event.ts'
import type { StaticExportRow } from './static-exports.view.ts'

const milestones = [25, 50, 75]

/** The last milestone that a progress passed; 0 before the first. */
const lastMilestone = (progress: number | null): number => milestones.findLast((mark) => mark <= (progress ?? 0)) ?? 0

/** What a new state is called, and what to tell somebody who looks elsewhere. */
const listEndings = (after: StaticExportRow, at: Date): NewEvent[] => {
  const { state, reason } = after
  if (state === 'completed') return [{ kind: state, at, ending: state }]
  if (state === 'failed' || state === 'refused') return [{ kind: state, at, to: reason, ending: state }]
  return state === 'unknown' ? [{ kind: 'answer_lost', at, ending: 'answer_lost' }] : []
}

/** The gap that an answer ended, while the export was waited for or when the answer brought news. */
const findGap = (before: StaticExportRow, after: StaticExportRow, moment: Moment, news: boolean): NewEvent | null => {
  const waited = before.state === 'accepted' && before.goneAt === null
  return after.failures === 0 && (waited || news) ? gapBefore(before, moment) : null
}

/**
 * What an outcome changed about an export, in the order to be told. The service's word is told when it changes, but not for
 * the two words that are an end, which tell it themselves; of several milestones passed at once only the last.
 */
export const listEvents = (before: StaticExportRow, after: StaticExportRow, moment: Moment): NewEvent[] => {
  const at = new Date(moment.now)
  const told: NewEvent[] = []
  if (before.goneAt !== null && after.goneAt === null) told.push({ kind: 'back', at })
  if (before.jobId === null && after.jobId !== null) told.push({ kind: 'accepted', at, to: after.jobId })
  const end = after.state === before.state ? [] : listEndings(after, at)
  const isEndWord = after.state === 'completed' || after.state === 'failed'
  if (after.status !== null && after.status !== before.status && !isEndWord)
    told.push({ kind: 'status_changed', at, from: before.status, to: after.status })
  const milestone = lastMilestone(after.progress)
  if (after.state === 'accepted' && milestone > lastMilestone(before.progress))
    told.push({ kind: 'progressed', at, to: String(milestone) })
  told.push(...end)
  // One that had ended is only looked for because its bundle may be wanted.
  if (before.goneAt === null && after.goneAt !== null)
    told.push({ kind: 'gone', at, ...(after.state === 'accepted' ? { ending: 'gone' as const } : {}) })
  const gap = findGap(before, after, moment, told.length > 0)
  return gap === null ? told : [gap, ...told]
}

/**
 * The outcome with how long the export took: only of a whole one that was started here, and when its end was seen without a gap
 * before it.
 */
export const measureDuration = (before: StaticExportRow, after: StaticExportRow, moment: Moment): StaticExportRow => {
  const { state, finishedAt, imported, paths, startedAt } = after
  if (before.unfinishedAt === null || before.state !== 'accepted' || state !== 'completed') return after
  if (finishedAt === null || imported || paths !== null) return after
  const tookMs = finishedAt.getTime() - startedAt.getTime()
  return tookMs < 0 || gapBefore(before, moment) !== null ? after : { ...after, tookMs }
}
