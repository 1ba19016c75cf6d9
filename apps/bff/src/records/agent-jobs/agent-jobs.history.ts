import type { Database } from '#ground/db/database.ts'
import { findGapBefore, lastAnswerMs, type Moment } from '#service/history/gap.ts'
import type { NewEvent } from '#service/history/history.ts'
import { cacheUsualDurations, readUsualDurations } from '#service/history/usual-durations.ts'
import { type AgentJobRow, findFirstLine, findGraceEnd, isCancelled, isFinished } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

const listStatusEvents = (before: AgentJobRow, after: AgentJobRow, at: Date): NewEvent[] => {
  const [from, to] = [before.status, after.status]
  if (to === from && to === 'active' && before.isWaiting && !after.isWaiting) return [{ kind: 'begun', at }]
  if (to === null || to === from) return []
  if (isCancelled(after)) return [{ kind: 'cancelled', at, from }]
  if (to === 'failed') return [{ kind: to, at, from, to: findFirstLine(after.error), ending: to }]
  if (to === 'completed' || to === 'archived') return [{ kind: to, at, from }]
  return [{ kind: isFinished(from) ? 'active_again' : 'status_changed', at, from, to }]
}

const fields = [
  ['repository', 'repository'],
  ['branch', 'ref'],
  ['model', 'model'],
] as const

const hasReadyPullRequest = ({ status, prLink }: AgentJobRow): boolean => status === 'completed' && prLink !== null

/** The link of a completed job is its pull request; otherwise it is an ordinary field. */
const listReadyPullRequestEvents = (before: AgentJobRow, after: AgentJobRow, at: Date): NewEvent[] => {
  if (hasReadyPullRequest(after) && !hasReadyPullRequest(before))
    return [{ kind: 'pull_request_reported', at, to: after.prLink, ending: 'pull_request_ready' }]
  if (after.prLink === before.prLink) return []
  return [{ kind: 'changed', at, field: 'pull request', from: before.prLink, to: after.prLink }]
}

export const listPullRequestEvents = (before: AgentJobRow, after: AgentJobRow, at: Date): NewEvent[] => {
  const [from, to] = [before.pullRequestState, after.pullRequestState]
  if (to === null || to === from) return []
  if (to === 'merged') return [{ kind: 'pull_request_merged', at }]
  if (to === 'closed') return [{ kind: 'pull_request_closed', at }]
  return from === 'merged' || from === 'closed' ? [{ kind: 'pull_request_reopened', at }] : []
}

const hasGraceEnded = (row: AgentJobRow, atMs: number): boolean =>
  (findGraceEnd({ ...row, goneAt: null }) ?? Infinity) <= atMs

const isSettled = ({ finishedAt, goneAt }: AgentJobRow): boolean => finishedAt !== null || goneAt !== null

export const listJobEvents = (before: AgentJobRow, after: AgentJobRow, moment: Moment): NewEvent[] => {
  const at = new Date(moment.now)
  const events: NewEvent[] = []
  if (before.goneAt !== null && after.goneAt === null) events.push({ kind: 'back', at })
  events.push(...listStatusEvents(before, after, at))
  for (const [field, name] of fields)
    if (before[name] !== after[name]) events.push({ kind: 'changed', at, field, from: before[name], to: after[name] })
  events.push(...listReadyPullRequestEvents(before, after, at), ...listPullRequestEvents(before, after, at))
  const answered = after.failures === 0
  if (
    answered &&
    after.goneAt === null &&
    hasGraceEnded(after, moment.now) &&
    !hasGraceEnded(before, lastAnswerMs(before) ?? 0)
  )
    events.push({ kind: 'no_pull_request', at, ending: 'no_pull_request' })
  if (before.goneAt === null && after.goneAt !== null)
    events.push({ kind: 'gone', at, ...(after.finishedAt === null ? { ending: 'gone' as const } : {}) })
  const gap = answered && (!isSettled(before) || events.length > 0) ? findGapBefore(before, moment) : null
  return gap === null ? events : [gap, ...events]
}

/** Adds the duration to a completed job, only for its first run and only when Docket observed its end without a gap. */
export const measureJobDuration = (before: AgentJobRow, after: AgentJobRow, moment: Moment): AgentJobRow => {
  const watched = before.unfinishedAt !== null && before.finishedAt === null && before.tookMs === null
  if (!watched || after.status !== 'completed' || after.finishedAt === null) return after
  const tookMs = after.finishedAt.getTime() - (after.changingSince ?? after.followedAt).getTime()
  return tookMs < 0 || findGapBefore(before, moment) !== null ? after : { ...after, tookMs }
}

const timed = { table: agentJobs, by: agentJobs.repository }

/** Usual durations of jobs, by repository, or over all repositories when one has too few. `now` in milliseconds since the epoch. */
export const jobDurations = (db: Database, now: () => number) => {
  const cached = cacheUsualDurations(timed, now)
  const findUsual = (known: Awaited<ReturnType<typeof cached>>, { repository }: AgentJobRow) =>
    (repository === null ? null : known.get(repository)) ?? known.get(null) ?? null
  return {
    forOne: async (row: AgentJobRow) =>
      findUsual(await readUsualDurations(db, timed, [...new Set([row.repository, null])]), row),
    /** Returns durations for the working jobs of a list, and null for the others. They may be some seconds old. */
    forWorking: async (rows: readonly AgentJobRow[]) => {
      const working = rows.filter(({ finishedAt, goneAt }) => finishedAt === null && goneAt === null)
      if (working.length === 0) return () => null
      const known = await cached(db, [null, ...working.map(({ repository }) => repository)])
      return (row: AgentJobRow) => (working.includes(row) ? findUsual(known, row) : null)
    },
  }
}
