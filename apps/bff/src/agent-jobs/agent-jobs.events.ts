import { graceEnd, isFinished, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { gapBefore, lastAnswerMs, type Moment } from '#history/gap.ts'
import type { NewEvent } from '#history/new-event.ts'

/** The service's new word as an event. */
const statusEvents = (before: AgentJobRow, after: AgentJobRow, at: Date): NewEvent[] => {
  const [from, to] = [before.status, after.status]
  if (to === null || to === from) return []
  if (to === 'failed') return [{ kind: to, at, from, ending: to }]
  if (to === 'completed' || to === 'archived') return [{ kind: to, at, from }]
  return [{ kind: isFinished(from) ? 'active_again' : 'status_changed', at, from, to }]
}

const fields = [
  ['repository', 'repository'],
  ['branch', 'ref'],
  ['model', 'model'],
] as const

const isReady = ({ status, prLink }: AgentJobRow): boolean => status === 'completed' && prLink !== null

/** A link tells that the pull request is ready once the job is completed; before and after that it is a field like any other. */
const pullRequestEvents = (before: AgentJobRow, after: AgentJobRow, at: Date): NewEvent[] => {
  if (isReady(after) && !isReady(before))
    return [{ kind: 'pull_request_reported', at, to: after.prLink, ending: 'pull_request_ready' }]
  if (after.prLink === before.prLink) return []
  return [{ kind: 'changed', at, field: 'pull request', from: before.prLink, to: after.prLink }]
}

/** Whether, at an instant, a completed job counts as one without a pull request, for no link came in time. */
const hasNone = (row: AgentJobRow, atMs: number): boolean => (graceEnd({ ...row, goneAt: null }) ?? Infinity) <= atMs

const isSettled = ({ finishedAt, goneAt }: AgentJobRow): boolean => finishedAt !== null || goneAt !== null

/** What an outcome changed about a job, in the order to be told. */
export const listEvents = (before: AgentJobRow, after: AgentJobRow, moment: Moment): NewEvent[] => {
  const at = new Date(moment.now)
  const told: NewEvent[] = []
  if (before.goneAt !== null && after.goneAt === null) told.push({ kind: 'back', at })
  told.push(...statusEvents(before, after, at))
  for (const [field, name] of fields)
    if (before[name] !== after[name]) told.push({ kind: 'changed', at, field, from: before[name], to: after[name] })
  told.push(...pullRequestEvents(before, after, at))
  const answered = after.failures === 0
  if (answered && after.goneAt === null && hasNone(after, moment.now) && !hasNone(before, lastAnswerMs(before) ?? 0))
    told.push({ kind: 'no_pull_request', at, ending: 'no_pull_request' })
  if (before.goneAt === null && after.goneAt !== null)
    told.push({ kind: 'gone', at, ...(after.finishedAt === null ? { ending: 'gone' as const } : {}) })
  const gap = answered && (!isSettled(before) || told.length > 0) ? gapBefore(before, moment) : null
  return gap === null ? told : [gap, ...told]
}

/**
 * The outcome with how long the job took: when it was being watched while it ran the first time, and its end was seen without a gap
 * before it.
 */
export const measureDuration = (before: AgentJobRow, after: AgentJobRow, moment: Moment): AgentJobRow => {
  const watched = before.unfinishedAt !== null && before.finishedAt === null && before.tookMs === null
  if (!watched || after.status !== 'completed' || after.finishedAt === null) return after
  const tookMs = after.finishedAt.getTime() - (after.changingSince ?? after.followedAt).getTime()
  return tookMs < 0 || gapBefore(before, moment) !== null ? after : { ...after, tookMs }
}
