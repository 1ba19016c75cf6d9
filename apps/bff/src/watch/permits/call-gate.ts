import { AdminApiError, type AdminApiOperation } from '#admin-api/admin-api.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { Log } from '#log/log.ts'
import { takeTokens, type BudgetPlan } from '#watch/budget.ts'
import {
  afterFailed,
  afterGood,
  afterNothing,
  begin,
  clickRefusal,
  heldUntil,
  pollAllowance,
  openGate,
  type Begun,
  type GateClosed,
  type GateState,
  type HeldBack,
} from '#watch/gate.ts'
import { changeGate, lockStanding, writeGate, writeLevel, type StandingKey } from './permit-store.ts'
import type { CallRecord } from './call-records.ts'
import type { CallClass, KeyName } from './permits.table.ts'

/** Leave to make one call, paid for. */
export type Permit = {
  /** Makes the call and learns from its outcome, for all Dockets. Rejects as the call does, or with `GateClosed`, without a call. */
  call: <T>(make: () => Promise<T>) => Promise<T>
}

/** What may be polled now. Part of the transaction that claims records: without its commit nothing was taken. */
export type PollPermits = {
  /** How many calls may begin. */
  allowed: number
  /** Takes as many; the permit is for each of them. Not to be called with 0. */
  take: (used: number) => Promise<Permit>
}

/**
 * Keeps one class of calls (agent jobs, prompts to them, static exports) within the budget and within what the service asks for, together with every
 * other Docket on this database.
 */
export type CallGate = {
  polls: (tx: Tx, wanted: number) => Promise<PollPermits>
  /** When polling may go on, as far as this process knows; null when nothing held it back the last time. */
  opensAt: () => Date | null
  /** What held everything back the last time, as far as this process knows. */
  held: () => HeldBack | null
  /**
   * For a person who waits. Of all reasons, only the service's own `Retry-After`, a very recent refusal and a budget that is spent to
   * the last call stop it: rejects with `GateClosed`, or with `too_many_requests`. Nothing is taken unless `tx` commits. A start,
   * a bundle and a prompt are told about a `Retry-After` by `call`, so that it can be written down.
   */
  permit: (tx: Tx, operation?: AdminApiOperation) => Promise<Permit>
  /** A call for a person, with a permit of its own: a read when `operation` does not say otherwise. */
  call: <T>(make: () => Promise<T>, operation?: AdminApiOperation) => Promise<T>
  /** Forgets what held calls back: for a service that was started anew. */
  reopen: () => Promise<void>
}

/** Good news is written down no more often than this, where nothing else depends on it. */
const goodNewsMs = 10_000

const inWords = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

const budgetSpent = ({ callsPerHour }: BudgetPlan, waitMs: number) =>
  new AppError(
    'too_many_requests',
    `The budget of ${callsPerHour} calls an hour (ADMIN_API_CALLS_PER_HOUR) is spent. The next call can be made in ${inWords(waitMs)}.`,
    { retryAfterMs: waitMs },
  )

/** Whether a call was refused because the budget is spent. */
export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'too_many_requests'

const writes: readonly AdminApiOperation[] = [
  'startStaticExport',
  'generateBundle',
  'createAgentJob',
  'sendAgentMessage',
]
const isWrite = (operation: AdminApiOperation) => writes.includes(operation)

/** `leaseMs`: after which time a call that is to find out counts as lost. */
export const callGate = (deps: {
  db: Database
  calls: CallClass
  origin: string
  /** Reads have a key of their own. */
  hasReadKey: boolean
  plan: BudgetPlan
  leaseMs: number
  record: (call: CallRecord) => void
  now: () => number
  log: Log
  random?: (() => number) | undefined
}): CallGate => {
  const { db, calls, origin, hasReadKey, plan, leaseMs, record, now, log, random = Math.random } = deps
  const pollOperation = calls === 'static_exports' ? 'getStaticExport' : 'getAgentJob'
  const keyOf = (operation: AdminApiOperation): KeyName => (hasReadKey && !isWrite(operation) ? 'read' : 'main')
  const standing = (operation: AdminApiOperation): StandingKey => ({ origin, key: keyOf(operation), calls })
  let known: GateState = openGate
  let opensAtMs: number | null = null

  const learn = async (change: (state: GateState) => GateState) => {
    try {
      known = await changeGate(db, standing(pollOperation), change)
    } catch (error) {
      // The answer itself is worth more. A database that is away lets nobody poll anyway.
      log.warn({ err: error, calls }, 'what a call taught could not be written down')
    }
  }

  const isNews = ({ closed, outage, probeUntilMs, lastGoodMs }: GateState, atMs: number) =>
    closed !== null || outage > 0 || probeUntilMs !== null || Math.abs(atMs - (lastGoodMs ?? 0)) >= goodNewsMs

  /** `begun` is null for a start or a bundle: what is refused for one domain (a plan, a scope) says nothing about reads, but a 429 does. */
  const permitFor = (operation: AdminApiOperation, click: boolean, begun: Begun | null): Permit => ({
    call: async (make) => {
      const startedAt = performance.now()
      const end = (error: AdminApiError | null) =>
        record({ operation, key: keyOf(operation), click, error, atMs: now(), ms: performance.now() - startedAt })
      try {
        const answer = await make()
        end(null)
        if (begun !== null && isNews(known, now())) await learn((state) => afterGood(state, begun, now()))
        return answer
      } catch (error) {
        if (!(error instanceof AdminApiError)) {
          if (begun !== null && begun.probeUntilMs !== null) await learn((state) => afterNothing(state, begun))
          throw error
        }
        end(error)
        if (begun !== null || error.code === 'upstream_rate_limited')
          await learn((state) =>
            afterFailed(state, begun ?? { closings: -1, probeUntilMs: null }, error, { nowMs: now(), random }),
          )
        throw error
      }
    },
  })

  const refused = (reason: GateClosed): Permit => ({ call: () => Promise.reject(reason) })

  const permit = async (tx: Tx, operation: AdminApiOperation = pollOperation): Promise<Permit> => {
    const nowMs = now()
    const { level, gate } = await lockStanding(tx, standing(operation), plan, nowMs)
    known = gate
    const reason = clickRefusal(gate, nowMs)
    if (reason !== null && !isWrite(operation)) throw reason
    if (reason !== null && reason.code === 'upstream_rate_limited') return refused(reason)
    const taken = takeTokens(plan, level, { nowMs, wanted: 1, click: true })
    if (taken.granted === 0) throw budgetSpent(plan, (taken.nextAtMs ?? nowMs) - nowMs)
    await writeLevel(tx, standing(operation), taken.level)
    if (isWrite(operation)) return permitFor(operation, true, null)
    const { state, begun } = begin(gate, nowMs, leaseMs)
    if (state !== gate) await writeGate(tx, standing(operation), state)
    return permitFor(operation, true, begun)
  }

  return {
    polls: async (tx, wanted) => {
      const nowMs = now()
      const key = standing(pollOperation)
      const { level, gate } = await lockStanding(tx, key, plan, nowMs)
      known = gate
      const { granted } = takeTokens(plan, level, { nowMs, wanted, click: false })
      const allowed = pollAllowance(gate, granted, nowMs)
      const { nextAtMs } = takeTokens(plan, level, { nowMs, wanted: 0, click: false })
      const held = [heldUntil(gate, nowMs), nextAtMs].filter((ms) => ms !== null)
      opensAtMs = plan.callsPerHour === 0 ? Infinity : held.length === 0 ? null : Math.max(...held)
      return {
        allowed,
        take: async (used) => {
          const taken = takeTokens(plan, level, { nowMs, wanted: used, click: false })
          await writeLevel(tx, key, taken.level)
          const { state, begun } = begin(gate, nowMs, leaseMs)
          if (state !== gate) await writeGate(tx, key, state)
          return permitFor(pollOperation, false, begun)
        },
      }
    },
    held: () => known.held,
    opensAt: () => (opensAtMs === null ? null : new Date(Math.min(opensAtMs, 8.64e15))),
    permit,
    call: async (make, operation) => {
      const own = await db.transaction((tx) => permit(tx, operation))
      return own.call(make)
    },
    reopen: () => learn(() => openGate),
  }
}
