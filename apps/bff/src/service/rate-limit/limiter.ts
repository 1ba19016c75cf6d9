import { and, eq } from 'drizzle-orm'
import type { AdminApiOperation } from '#service/admin-api/admin-api.ts'
import { formatWait } from '#service/admin-api/failures.ts'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { createFullLevel, takeTokens, type BudgetLevel, type BudgetPlan, planBudget } from './bucket.ts'
import {
  applyFailedCall,
  applyGoodAnswer,
  startCall,
  findClickRefusal,
  resume,
  endProbe,
  pausedUntil,
  countAllowedPolls,
  initialState,
  type BreakerCall,
  type BreakerState,
} from './circuit-breaker.ts'
import { type CallRecord, createCallRecords } from './call-records.ts'
import { callBudgets, callGates, type CallClass, type KeyName } from './rate-limit.table.ts'
import { waitForDatabase, withOwnDeadline } from '#ground/db/deadline.ts'
import { readCalls, readCallReport, type CallReport } from './call-report.ts'

/** The token of the call is already taken. */
export type GrantedCall = {
  /** Makes the call and updates the circuit breaker for all Dockets. Rejects as the call does, or with `CallsPaused` without a call. */
  call: <T>(make: () => Promise<T>) => Promise<T>
}

/** Minimum interval between two writes of an unchanged good state. */
const goodWriteMs = 10_000

const budgetSpentError = ({ callsPerHour }: BudgetPlan, waitMs: number) =>
  new AppError(
    'too_many_requests',
    `The budget of ${callsPerHour} calls per hour (ADMIN_API_CALLS_PER_HOUR) is used up. Try again in ${formatWait(waitMs)}.`,
    { retryAfterMs: waitMs },
  )

export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'too_many_requests'

const isWrite = (operation: AdminApiOperation) => !/^(?:get|list|read)/.test(operation)

/** True for calls whose failures do not affect polling, except for a 429. */
const isApartFromPolling = (operation: AdminApiOperation) =>
  isWrite(operation) || operation === 'listAgentJobs' || operation === 'readAgentJobLog'

type Settings = {
  db: Database
  connectionId: string
  /** True when reads use a second key. */
  hasReadKey: boolean
  /** A probe without an answer counts as lost after this time, which is longer than any call. Milliseconds. */
  leaseMs: number
  now: () => number
  log: Log
  /** Returns a random number from 0 to 1, for the pauses of an outage. */
  random?: () => number
}

const createCallLimiter = (
  calls: CallClass,
  settings: Settings & { plan: BudgetPlan; record: (call: CallRecord) => void },
) => {
  const { db, connectionId, hasReadKey, plan, leaseMs, record, now, log, random = Math.random } = settings
  const pollOperation: AdminApiOperation = calls === 'static_exports' ? 'getStaticExport' : 'getAgentJob'
  /** One operation for each key, and so for each breaker. */
  const gates: AdminApiOperation[] = hasReadKey ? [pollOperation, 'startStaticExport'] : [pollOperation]
  const chooseKey = (operation: AdminApiOperation): KeyName => (hasReadKey && !isWrite(operation) ? 'read' : 'main')
  const rowOf = (operation: AdminApiOperation) => ({ connectionId, key: chooseKey(operation), calls })
  const isBudget = (operation: AdminApiOperation) =>
    and(eq(callBudgets.connectionId, connectionId), eq(callBudgets.key, chooseKey(operation)))
  const isBreaker = (operation: AdminApiOperation) =>
    and(eq(callGates.connectionId, connectionId), eq(callGates.key, chooseKey(operation)), eq(callGates.calls, calls))
  /** State of the breaker of reads, as this process last read it. */
  let known: BreakerState = initialState
  let opensAtMs: number | null = null

  /** Holds the locks until the transaction ends, so concurrent calls wait. Creates a full bucket before the first call. */
  const lock = async (tx: Tx, operation: AdminApiOperation) => {
    const nowMs = now()
    const look = () =>
      tx
        .select({ tokens: callBudgets.tokens, atMs: callBudgets.atMs, breaker: callGates.state })
        .from(callBudgets)
        .innerJoin(callGates, isBreaker(operation))
        .where(isBudget(operation))
        .for('update')
    let [row] = await look()
    if (row === undefined) {
      const budget = { ...rowOf(operation), ...createFullLevel(plan, nowMs) }
      await tx.insert(callBudgets).values(budget).onConflictDoNothing()
      await tx
        .insert(callGates)
        .values({ ...rowOf(operation), state: initialState })
        .onConflictDoNothing()
      ;[row] = await look()
    }
    const { breaker, ...level } = row!
    known = breaker
    return { nowMs, level, breaker }
  }
  const writeLevel = (tx: Tx, operation: AdminApiOperation, { tokens, atMs }: BudgetLevel) =>
    tx.update(callBudgets).set({ tokens, atMs }).where(isBudget(operation))
  const writeBreaker = (tx: Tx, operation: AdminApiOperation, state: BreakerState) =>
    tx.update(callGates).set({ state }).where(isBreaker(operation))

  const beginCall = async (tx: Tx, operation: AdminApiOperation, breaker: BreakerState, nowMs: number) => {
    const { state, call } = startCall(breaker, nowMs, leaseMs)
    if (state !== breaker) await writeBreaker(tx, operation, state)
    return call
  }
  /** False when `change` changes nothing. */
  const changeBreaker = async (tx: Tx, operation: AdminApiOperation, change: (state: BreakerState) => BreakerState) => {
    const { before, after } = await tx.transaction(async (inner) => {
      const [row] = await inner
        .select({ state: callGates.state })
        .from(callGates)
        .where(isBreaker(operation))
        .for('update')
      const before = row?.state ?? initialState
      const after = change(before)
      if (after !== before) await writeBreaker(inner, operation, after)
      return { before, after }
    })
    if (chooseKey(operation) === chooseKey(pollOperation)) known = after
    return after !== before
  }
  const recordOutcome = async (operation: AdminApiOperation, change: (state: BreakerState) => BreakerState) => {
    try {
      await changeBreaker(db, operation, change)
    } catch (error) {
      // Returns the answer even if its outcome cannot be stored. Without a database, there is no polling anyway.
      log.warn({ err: error, calls }, 'the outcome of a call could not be written down')
    }
  }

  const isGoodWorthWriting = ({ closed, outage, probeUntilMs, lastGoodMs }: BreakerState, atMs: number) =>
    closed !== null || outage > 0 || probeUntilMs !== null || Math.abs(atMs - (lastGoodMs ?? 0)) >= goodWriteMs

  /** `begun` is null for calls that do not affect reads: a refusal for one domain says nothing about reads, but a 429 does. */
  const grantCall = (operation: AdminApiOperation, click: boolean, begun: BreakerCall | null): GrantedCall => ({
    call: async (make) => {
      const startedAt = performance.now()
      const end = (error: AdminApiError | null) =>
        record({ operation, key: chooseKey(operation), click, error, atMs: now(), ms: performance.now() - startedAt })
      try {
        const answer = await make()
        end(null)
        if (begun !== null && isGoodWorthWriting(known, now()))
          await recordOutcome(operation, (state) => applyGoodAnswer(state, begun, now()))
        return answer
      } catch (error) {
        if (error instanceof AdminApiError) {
          end(error)
          const call = begun ?? (error.code === 'upstream_rate_limited' ? { closings: -1, probeUntilMs: null } : null)
          if (call !== null)
            await recordOutcome(operation, (state) => applyFailedCall(state, call, error, { nowMs: now(), random }))
        } else if (begun !== null && begun.probeUntilMs !== null)
          await recordOutcome(operation, (state) => endProbe(state, begun))
        throw error
      }
    },
  })

  const grant = async (tx: Tx, operation: AdminApiOperation = pollOperation): Promise<GrantedCall> => {
    const { nowMs, level, breaker } = await lock(tx, operation)
    const reason = findClickRefusal(breaker, nowMs)
    if (reason !== null && !isWrite(operation)) throw reason
    if (reason !== null && reason.code === 'upstream_rate_limited') return { call: () => Promise.reject(reason) }
    const taken = takeTokens(plan, level, { nowMs, wanted: 1, click: true })
    if (taken.granted === 0) throw budgetSpentError(plan, (taken.nextAtMs ?? nowMs) - nowMs)
    await writeLevel(tx, operation, taken.level)
    return grantCall(
      operation,
      true,
      isApartFromPolling(operation) ? null : await beginCall(tx, operation, breaker, nowMs),
    )
  }

  return {
    /** Permission to poll. Part of the transaction that claims records; a rollback returns the tokens. */
    polls: async (tx: Tx, wanted: number) => {
      const { nowMs, level, breaker } = await lock(tx, pollOperation)
      const take = (count: number) => takeTokens(plan, level, { nowMs, wanted: count, click: false })
      const waits = [pausedUntil(breaker, nowMs), take(0).nextAtMs].filter((ms) => ms !== null)
      opensAtMs = plan.callsPerHour === 0 ? Infinity : waits.length === 0 ? null : Math.max(...waits)
      return {
        /** Number of calls that may start. */
        allowed: countAllowedPolls(breaker, take(wanted).granted, nowMs),
        /** Takes `used` tokens, at least 1. The granted call may run once for each of them. */
        take: async (used: number) => {
          await writeLevel(tx, pollOperation, take(used).level)
          return grantCall(pollOperation, false, await beginCall(tx, pollOperation, breaker, nowMs))
        },
      }
    },
    /** The last pause, as this process last read it. */
    lastPause: () => known.pause,
    /** When polling may continue, as this process last read it. Null when it was not paused. */
    opensAt: () => (opensAtMs === null ? null : new Date(Math.min(opensAtMs, 8.64e15))),
    /**
     * Takes a token for a person. Rejects with `CallsPaused` during a `Retry-After` and for some seconds after a refusal, or with
     * `too_many_requests` when the budget is spent. A rollback of `tx` returns the token. For a start, a bundle or a prompt, the
     * `Retry-After` is reported by `call`, so that the record can store it.
     */
    grant,
    /** Takes a token for a person and makes the call: a read, unless `operation` is given. */
    call: async <T>(make: () => Promise<T>, operation?: AdminApiOperation) => {
      const own = await db.transaction((tx) => grant(tx, operation))
      return own.call(make)
    },
    /** Ends every pause of a person's choice. False when there is none. */
    resume: async (tx: Tx) => {
      const ended = []
      for (const operation of gates) ended.push(await changeBreaker(tx, operation, (state) => resume(state, now())))
      return ended.includes(true)
    },
    /** Ends every pause. For a service that was restarted. */
    reopen: async () => {
      for (const operation of gates) await recordOutcome(operation, () => initialState)
    },
  }
}

/** All Dockets on this database share the limits. */
export type CallLimiter = ReturnType<typeof createCallLimiter>

/**
 * Rate limit of the Admin API for all Dockets on one database: one budget per key, one circuit breaker per class of calls. `callsPerHour`
 * 0: no polling; clicks are counted but not limited.
 */
export const createRateLimit = ({ callsPerHour, ...settings }: Settings & { callsPerHour: number }) => {
  const { db, connectionId, hasReadKey, now, log } = settings
  const plan = planBudget(callsPerHour)
  const records = createCallRecords({ db, connectionId, log })
  const createLimiter = (calls: CallClass) => createCallLimiter(calls, { ...settings, plan, record: records.record })
  let reading: Promise<CallReport> | undefined

  const readBy = (by: Database) =>
    readCallReport(by, { connectionId, key: hasReadKey ? 'read' : 'main', plan, nowMs: now() })
  const read = async () => {
    await records.flush()
    return readBy(db)
  }

  const limiters = {
    static_exports: createLimiter('static_exports'),
    agent_jobs: createLimiter('agent_jobs'),
    agent_prompts: createLimiter('agent_prompts'),
  }

  return {
    limiters,
    /** Ends every pause. For a service that was restarted, and for a new key. */
    reopen: async () => {
      for (const limiter of Object.values(limiters)) await limiter.reopen()
    },
    /** Ends the pauses of all calls. Returns the classes of calls that had one. */
    resume: async (tx: Tx): Promise<CallClass[]> => {
      const ended: CallClass[] = []
      for (const [calls, limiter] of Object.entries(limiters))
        if (await limiter.resume(tx)) ended.push(calls as CallClass)
      return ended
    },
    // Many pages request the report at the same time, so they share one read.
    /** The report over all Dockets. With another connection `by`, it leaves out the last second. */
    report: (by?: Database) =>
      by === undefined
        ? waitForDatabase(() => (reading ??= withOwnDeadline(read).finally(() => (reading = undefined))))
        : readBy(by),
    /** Last answer of each operation, and the calls of the last day. */
    calls: async () => {
      await records.flush()
      return readCalls(db, { connectionId, nowMs: now() })
    },
    close: records.close,
  }
}
