import type { AdminApiOperation } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Log } from '#ground/log/log.ts'
import { takeTokens, type BudgetPlan } from './bucket.ts'
import {
  afterFailed,
  afterGood,
  afterNothing,
  begin,
  clickRefusal,
  endLongPause,
  pausedUntil,
  pollAllowance,
  initialState,
  type BreakerCall,
  type CallsPaused,
  type BreakerState,
} from './circuit-breaker.ts'
import { changeBreaker, lockStanding, writeBreaker, writeLevel, type StandingKey } from './store.ts'
import type { CallRecord } from './call-records.ts'
import type { CallClass, KeyName } from './rate-limit.table.ts'

/** Permission for one call. Its token is already taken. */
export type GrantedCall = {
  /** Makes the call and updates the circuit breaker for all Dockets. Rejects as the call does, or with `CallsPaused` without a call. */
  call: <T>(make: () => Promise<T>) => Promise<T>
}

/** Minimum interval between two writes of an unchanged good state. */
const goodNewsMs = 10_000

const formatWait = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

const budgetSpent = ({ callsPerHour }: BudgetPlan, waitMs: number) =>
  new AppError(
    'too_many_requests',
    `The budget of ${callsPerHour} calls per hour (ADMIN_API_CALLS_PER_HOUR) is used up. Try again in ${formatWait(waitMs)}.`,
    { retryAfterMs: waitMs },
  )

/** True for the refusal of a spent budget. */
export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'too_many_requests'

const writes: readonly AdminApiOperation[] = [
  'startStaticExport',
  'generateBundle',
  'createAgentJob',
  'sendAgentMessage',
  'cancelAgentJob',
  'archiveAgentJob',
  'cancelStaticExport',
]
const isWrite = (operation: AdminApiOperation) => writes.includes(operation)
/** True for calls whose failures say nothing about polling, except for a 429. */
const isApart = (operation: AdminApiOperation) =>
  isWrite(operation) || operation === 'listAgentJobs' || operation === 'readAgentJobLog'

/** Builds the limiter. A probe without an answer counts as lost after `leaseMs`. */
export const callLimiter = (deps: {
  db: Database
  calls: CallClass
  connectionId: string
  /** Reads use a second key. */
  hasReadKey: boolean
  plan: BudgetPlan
  leaseMs: number
  record: (call: CallRecord) => void
  now: () => number
  log: Log
  random?: (() => number) | undefined
}) => {
  const { db, calls, connectionId, hasReadKey, plan, leaseMs, record, now, log, random = Math.random } = deps
  const pollOperation: AdminApiOperation = calls === 'static_exports' ? 'getStaticExport' : 'getAgentJob'
  const chooseKey = (operation: AdminApiOperation): KeyName => (hasReadKey && !isWrite(operation) ? 'read' : 'main')
  const standing = (operation: AdminApiOperation): StandingKey => ({ connectionId, key: chooseKey(operation), calls })
  let known: BreakerState = initialState
  let opensAtMs: number | null = null

  const learn = async (change: (state: BreakerState) => BreakerState, operation: AdminApiOperation = pollOperation) => {
    try {
      const state = await changeBreaker(db, standing(operation), change)
      if (chooseKey(operation) === chooseKey(pollOperation)) known = state
    } catch (error) {
      // Returns the answer even when its outcome cannot be stored. Without a database, nothing polls anyway.
      log.warn({ err: error, calls }, 'what a call taught could not be written down')
    }
  }

  const isNews = ({ closed, outage, probeUntilMs, lastGoodMs }: BreakerState, atMs: number) =>
    closed !== null || outage > 0 || probeUntilMs !== null || Math.abs(atMs - (lastGoodMs ?? 0)) >= goodNewsMs

  /** `breakerCall` is null for calls apart: a refusal of one domain says nothing about reads, but a 429 does. */
  const grantCall = (operation: AdminApiOperation, click: boolean, breakerCall: BreakerCall | null): GrantedCall => ({
    call: async (make) => {
      const startedAt = performance.now()
      const end = (error: AdminApiError | null) =>
        record({ operation, key: chooseKey(operation), click, error, atMs: now(), ms: performance.now() - startedAt })
      try {
        const answer = await make()
        end(null)
        if (breakerCall !== null && isNews(known, now())) await learn((state) => afterGood(state, breakerCall, now()))
        return answer
      } catch (error) {
        if (!(error instanceof AdminApiError)) {
          if (breakerCall !== null && breakerCall.probeUntilMs !== null)
            await learn((state) => afterNothing(state, breakerCall))
          throw error
        }
        end(error)
        if (breakerCall !== null || error.code === 'upstream_rate_limited')
          await learn(
            (state) =>
              afterFailed(state, breakerCall ?? { closings: -1, probeUntilMs: null }, error, { nowMs: now(), random }),
            operation,
          )
        throw error
      }
    },
  })

  const refused = (reason: CallsPaused): GrantedCall => ({ call: () => Promise.reject(reason) })

  const grant = async (tx: Tx, operation: AdminApiOperation = pollOperation): Promise<GrantedCall> => {
    const nowMs = now()
    const { level, breaker } = await lockStanding(tx, standing(operation), plan, nowMs)
    known = breaker
    const reason = clickRefusal(breaker, nowMs)
    if (reason !== null && !isWrite(operation)) throw reason
    if (reason !== null && reason.code === 'upstream_rate_limited') return refused(reason)
    const withdrawal = takeTokens(plan, level, { nowMs, wanted: 1, click: true })
    if (withdrawal.granted === 0) throw budgetSpent(plan, (withdrawal.nextAtMs ?? nowMs) - nowMs)
    await writeLevel(tx, standing(operation), withdrawal.level)
    if (isApart(operation)) return grantCall(operation, true, null)
    const { state, call: breakerCall } = begin(breaker, nowMs, leaseMs)
    if (state !== breaker) await writeBreaker(tx, standing(operation), state)
    return grantCall(operation, true, breakerCall)
  }

  return {
    /** Permission to poll. Part of the transaction that claims records; a rollback returns the tokens. */
    polls: async (tx: Tx, wanted: number) => {
      const nowMs = now()
      const key = standing(pollOperation)
      const { level, breaker } = await lockStanding(tx, key, plan, nowMs)
      known = breaker
      const { granted } = takeTokens(plan, level, { nowMs, wanted, click: false })
      const allowed = pollAllowance(breaker, granted, nowMs)
      const { nextAtMs } = takeTokens(plan, level, { nowMs, wanted: 0, click: false })
      const waits = [pausedUntil(breaker, nowMs), nextAtMs].filter((ms) => ms !== null)
      opensAtMs = plan.callsPerHour === 0 ? Infinity : waits.length === 0 ? null : Math.max(...waits)
      return {
        /** Number of calls that may start. */
        allowed,
        /** Takes `used` tokens, at least 1. The granted call may run once for each of them. */
        take: async (used: number) => {
          const withdrawal = takeTokens(plan, level, { nowMs, wanted: used, click: false })
          await writeLevel(tx, key, withdrawal.level)
          const { state, call: breakerCall } = begin(breaker, nowMs, leaseMs)
          if (state !== breaker) await writeBreaker(tx, key, state)
          return grantCall(pollOperation, false, breakerCall)
        },
      }
    },
    /** The last pause, as this process last read it. */
    lastPause: () => known.pause,
    /** When polling may go on, as this process last read it. Null when it was not paused. */
    opensAt: () => (opensAtMs === null ? null : new Date(Math.min(opensAtMs, 8.64e15))),
    /**
     * Takes a token for a person. Rejects with `CallsPaused` during a `Retry-After` and for seconds after a refusal, or with
     * `too_many_requests` when the budget is spent. A rollback of `tx` returns the token. A start, a bundle and a prompt learn of a
     * `Retry-After` from `call`, so that their record can keep it.
     */
    grant,
    /** Takes a token for a person and makes the call: a read, unless `operation` is given. */
    call: async <T>(make: () => Promise<T>, operation?: AdminApiOperation) => {
      const own = await db.transaction((tx) => grant(tx, operation))
      return own.call(make)
    },
    /** Ends a pause that the service asked to last longer than Docket waits. False when there is none. */
    endLongPause: async (tx: Tx): Promise<boolean> => {
      let ended = false
      known = await changeBreaker(tx, standing(pollOperation), (state) => {
        const after = endLongPause(state, now())
        ended = after !== state
        return after
      })
      return ended
    },
    /** Ends every pause. For a service that started anew. */
    reopen: async () => {
      await learn(() => initialState)
      if (hasReadKey) await learn(() => initialState, 'startStaticExport')
    },
  }
}

/**
 * Limits one class of calls (agent jobs, prompts, static exports) to the budget and to the service's own limits, together with every
 * other Docket on this database.
 */
export type CallLimiter = ReturnType<typeof callLimiter>
