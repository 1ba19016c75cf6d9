import { waitForDatabase, withOwnDeadline } from '#db/deadline.ts'
import { budgetPlan } from '#watch/budget.ts'
import { fullJitter, settledAgesMs } from '#watch/intervals.ts'
import type { RecordKind } from './ages.ts'
import { learnHazards, meanDurationMs, type Ending } from './hazards.ts'
import { callsByPrice, intervalMs, nothing, plansOf, type Load } from './policy.ts'

/** What decides the next read of a record that is still changing. */
export type Due = {
  kind: RecordKind
  /** Milliseconds since the epoch. */
  nowMs: number
  /** When the call began whose answer is known now: intervals count from there. Now when left out. */
  askedMs?: number
  /** Since when it has been changing. */
  since: Date
  /** Somebody has it on screen. */
  viewed: boolean
  /** Failed reads in a row, and what the last one asked for. */
  failures?: number
  retryAfterMs?: number | null
}

/** Plans the reads of all records, so that together they spend the budget of the key and no more. */
export type Schedule = {
  /**
   * When to read a changing record again, a twentieth earlier or later so that records do not move in step; after failures later by
   * full jitter (to five minutes), and never before the service's `Retry-After`. With a budget of 0 it is planned like any other
   * and not read, so it is due when polling is allowed again.
   */
  nextRead: (due: Due) => Date
  /**
   * When to read a settled record again: at the next of `settledAgesMs`; null when none is left. Where so many records settle that
   * this would take more than a small part of the budget, some of these reads are left out at random.
   */
  nextSettledRead: (settled: { kind: RecordKind; nowMs: number; settledAt: Date }) => Date | null
  /** Learns the load when what is known of it is old. Call it before planning; rejects when the database is away. */
  refresh: () => Promise<void>
}

/** What a schedule learns from. */
export type Watched = {
  load: (nowMs: number) => Promise<Load>
  /** Earlier endings of every kind, some hundred each. */
  endings: () => Promise<Readonly<Record<RecordKind, readonly Ending[]>>>
}

const minute = 60_000
const hour = 60 * minute
/** With more records than the budget can follow, each is still looked at; whoever is due waits its turn. */
const longestIntervalMs = 12 * hour
const loadAgeMs = 1000
const loadAgePerRecordMs = 1
/** Between an answer and the next call of a record, however long the answer took. */
const leastPauseMs = 100
const endingsAgeMs = 10 * minute
const settledShare = 0.02
/**
 * Planned are so many calls for each that the budget has: what is too much waits for its turn, the longest due first, while a call
 * that nobody wanted when it was there is lost.
 */
export const planned = 1.1
/** What `ADMIN_API_CALLS_PER_HOUR` is when nothing may be polled, so that every record still has a time. */
const unspentCallsPerHour = 3600

/** The shortest interval between two reads of one record: for the embedded service people see it move. Milliseconds. */
export const floorMs = ({ embedded }: { embedded: boolean }): number => (embedded ? 250 : 1000)

/** `callsPerHour` is the budget of polling and clicks together; clicks are so few that polling plans with all of it. */
export const schedule = (options: {
  callsPerHour: number
  embedded: boolean
  watched: Watched
  now: () => number
  random?: () => number
}): Schedule => {
  const { callsPerHour, embedded, watched, now, random = Math.random } = options
  const callsPerMs = planned * budgetPlan(callsPerHour === 0 ? unspentCallsPerHour : callsPerHour).refillPerMs
  let load: Load = { static_exports: nothing, agent_jobs: nothing }
  let hazards = { static_exports: learnHazards([]), agent_jobs: learnHazards([]) }
  let plans = plansOf(hazards)
  let calls = callsByPrice(load, plans)
  let active = 0
  let loadAt = -Infinity
  let learntAt = -Infinity
  let underWay: Promise<void> | null = null

  // A clock that was set back makes everything old at once.
  const isOld = (at: number, ageMs: number) => now() - at >= ageMs || now() < at

  const learn = async () => {
    if (isOld(learntAt, endingsAgeMs)) {
      const endings = await watched.endings()
      hazards = {
        static_exports: learnHazards(endings.static_exports),
        agent_jobs: learnHazards(endings.agent_jobs),
      }
      plans = plansOf(hazards)
      learntAt = now()
    }
    load = await watched.load(now())
    loadAt = now()
    calls = callsByPrice(load, plans)
    active = [...load.static_exports.changing, ...load.agent_jobs.changing].reduce((sum, count) => sum + count, 0)
  }

  /** What all re-checks would take if the load stayed as it is. */
  const settledCallsPerMs = (kind: RecordKind) => {
    const records = load[kind].changing.reduce((sum, count) => sum + count, 0)
    return (records * settledAgesMs.length) / meanDurationMs(hazards[kind])
  }

  const spread = (ms: number) => ms * (0.95 + 0.1 * random())

  return {
    nextRead: ({ kind, nowMs, askedMs = nowMs, since, viewed, failures = 0, retryAfterMs }) => {
      const ageMs = nowMs - since.getTime()
      const share = { ageMs, plans: plans[kind], viewed, callsByPrice: calls, callsPerMs }
      const delayMs = Math.min(longestIntervalMs, Math.max(floorMs({ embedded }), intervalMs(share)))
      const backOffMs = failures === 0 ? 0 : fullJitter(failures, { baseMs: 2 * delayMs, capMs: 5 * minute, random })
      const fromMs = Math.min(nowMs, askedMs)
      const nextMs = Math.max(fromMs + spread(delayMs), nowMs + leastPauseMs) + backOffMs
      return new Date(Math.max(nextMs, nowMs + (retryAfterMs ?? 0)))
    },
    nextSettledRead: ({ kind, nowMs, settledAt }) => {
      const ageMs = nowMs - settledAt.getTime()
      const kept = Math.min(1, (settledShare * callsPerMs) / settledCallsPerMs(kind))
      const next = settledAgesMs.find((age) => age > ageMs && (kept >= 1 || random() < kept))
      return next === undefined ? null : new Date(settledAt.getTime() + next)
    },
    refresh: async () => {
      if (!isOld(loadAt, Math.max(loadAgeMs, active * loadAgePerRecordMs))) return
      await waitForDatabase(() => (underWay ??= withOwnDeadline(learn).finally(() => (underWay = null))))
    },
  }
}
