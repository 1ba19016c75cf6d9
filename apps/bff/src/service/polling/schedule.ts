import { waitForDatabase, withOwnDeadline } from '#ground/db/deadline.ts'
import { planBudget } from '#service/rate-limit/bucket.ts'
import { pickJitteredPause } from '#ground/clock.ts'
import { readIntervalMs } from './read-interval.ts'
import type { Demand } from './demand.ts'

export type Due = {
  /** Milliseconds since the epoch. */
  nowMs: number
  /** Start of the call whose answer has just arrived; intervals count from there. Default: now. */
  sentMs?: number
  since: Date
  /** True while the record is on a screen. */
  viewed: boolean
  /** True while an answer must be confirmed, so that the record is read within seconds. */
  unsure?: boolean
  /** Number of failed reads in a row, and the `Retry-After` of the last one. */
  failures?: number
  retryAfterMs?: number | null
}

/** The time of an outcome (milliseconds since the epoch), the start of its call, and the plan for the next read. */
export type Clock = {
  now: number
  sentMs?: number
  schedule: Pick<Schedule, 'nextRead' | 'nextSettledRead' | 'nextRetry'>
}

/** Ages at which a record that stopped changing is read again. */
const settledAgesMs = [1, 10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * 60_000)
/** Maximum interval, however many records share the budget. */
const maxIntervalMs = 12 * 3_600_000
/** Minimum pause between an answer and the next call for the same record. */
const minPauseMs = 100
const maxBackOffMs = 5 * 60_000
/** Maximum interval until an answer is confirmed. */
const unsureMs = 10_000
/** First and maximum wait before a failed read of a settled record is repeated. */
const retryMs = { first: 10_000, max: 6 * 3_600_000 }
const demandAgeMs = 1000
const demandAgePerRecordMs = 1
/** Rate that intervals assume when the budget is 0. */
const unspentCallsPerHour = 3600

/** Builds the schedule. Clicks also use `callsPerHour`, but are so few that polling plans with all of it. */
export const schedule = (options: {
  callsPerHour: number
  floorMs: number
  /** Covers all changing records and all replicas. */
  demand: (nowMs: number) => Promise<Demand>
  now: () => number
  random?: () => number
}) => {
  const { callsPerHour, floorMs, demand, now, random = Math.random } = options
  const { refillPerMs } = planBudget(callsPerHour === 0 ? unspentCallsPerHour : callsPerHour)
  let known: Demand = { callsPerMs: 0, records: 0 }
  let knownAt = -Infinity
  let underWay: Promise<void> | null = null

  const stretch = () => Math.max(1, known.callsPerMs / refillPerMs)
  const spread = (ms: number) => ms * (0.95 + 0.1 * random())

  const readDemand = async () => {
    known = await demand(now())
    knownAt = now()
  }

  return {
    /** Milliseconds. */
    floorMs,
    /** Factor by which the budget stretches every interval; 1 while the budget suffices. */
    stretch,
    /**
     * Returns when to read a changing record again, up to 5 % earlier or later, so that records are not all read at the same time. Failures
     * delay the read by full jitter, up to five minutes. Never before `Retry-After`. A budget of 0 plans like the default one, so every
     * record is due as soon as polling is allowed again.
     */
    nextRead: ({ nowMs, sentMs = nowMs, since, viewed, unsure = false, failures = 0, retryAfterMs }: Due) => {
      const ageMs = nowMs - since.getTime()
      const intervalMs = Math.min(unsure ? unsureMs : Infinity, readIntervalMs({ ageMs, viewed, floorMs }))
      const delayMs = Math.min(maxIntervalMs, stretch() * intervalMs)
      const backOffMs =
        failures === 0 ? 0 : pickJitteredPause(failures, { baseMs: 2 * delayMs, capMs: maxBackOffMs, random })
      const fromMs = Math.min(nowMs, sentMs)
      const nextMs = Math.max(fromMs + spread(delayMs), nowMs + minPauseMs) + backOffMs
      return new Date(Math.max(nextMs, nowMs + (retryAfterMs ?? 0)))
    },
    /** When to read a settled record again: at the next settled age, or only at the last while the budget is tight. Null after that. */
    nextSettledRead: ({ nowMs, settledAt }: { nowMs: number; settledAt: Date }) => {
      const left = settledAgesMs.filter((ageMs) => ageMs > nowMs - settledAt.getTime())
      const ageMs = stretch() > 1 ? left.at(-1) : left[0]
      return ageMs === undefined ? null : new Date(settledAt.getTime() + ageMs)
    },
    /** Returns when to repeat a failed read of a settled record: after 10 s, then after twice the time, up to six hours. */
    nextRetry: ({ nowMs, failures, retryAfterMs }: Pick<Due, 'nowMs' | 'retryAfterMs'> & { failures: number }) => {
      const delayMs = Math.min(retryMs.max, stretch() * retryMs.first * 2 ** (Math.max(1, failures) - 1))
      return new Date(nowMs + Math.max(spread(delayMs), retryAfterMs ?? 0))
    },
    /** Call this before planning. Rejects when the database is unavailable. */
    refresh: async () => {
      const ageMs = now() - knownAt
      // A known demand from the future means that the clock was set back, so it is outdated.
      if (ageMs >= 0 && ageMs < Math.max(demandAgeMs, known.records * demandAgePerRecordMs)) return
      await waitForDatabase(() => (underWay ??= withOwnDeadline(readDemand).finally(() => (underWay = null))))
    },
  }
}

/** Plans for records that are not read here: the process that reads them plans again. */
export const idleSchedule: Clock['schedule'] = {
  nextRead: ({ nowMs }) => new Date(nowMs),
  nextSettledRead: ({ nowMs }) => new Date(nowMs),
  nextRetry: ({ nowMs }) => new Date(nowMs),
}

/** The budget of the key is a limit, not a target. */
export type Schedule = ReturnType<typeof schedule>
