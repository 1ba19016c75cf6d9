import { and, eq } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { fullLevel, type BudgetLevel, type BudgetPlan } from './bucket.ts'
import { initialState, type BreakerState } from './circuit-breaker.ts'
import { callBudgets, callGates, type CallClass, type KeyName } from './rate-limit.table.ts'

/** Stored state that decides whether a call may start. */
export type Standing = { level: BudgetLevel; breaker: BreakerState }

/** Identifies the bucket of a key and the breaker of a class of calls. */
export type StandingKey = { connectionId: string; key: KeyName; calls: CallClass }

const isBudget = ({ connectionId, key }: StandingKey) =>
  and(eq(callBudgets.connectionId, connectionId), eq(callBudgets.key, key))
const isBreaker = ({ connectionId, key, calls }: StandingKey) =>
  and(eq(callGates.connectionId, connectionId), eq(callGates.key, key), eq(callGates.calls, calls))

/**
 * Reads bucket and breaker, and locks both until the transaction ends, so concurrent calls wait. The first call ever
 * gets a full bucket and a closed breaker.
 */
export const lockStanding = async (tx: Tx, key: StandingKey, plan: BudgetPlan, nowMs: number): Promise<Standing> => {
  const look = () =>
    tx
      .select({ tokens: callBudgets.tokens, atMs: callBudgets.atMs, breaker: callGates.state })
      .from(callBudgets)
      .innerJoin(callGates, isBreaker(key))
      .where(isBudget(key))
      .for('update')
  let [row] = await look()
  if (row === undefined) {
    await tx
      .insert(callBudgets)
      .values({ ...key, ...fullLevel(plan, nowMs) })
      .onConflictDoNothing()
    await tx
      .insert(callGates)
      .values({ ...key, state: initialState })
      .onConflictDoNothing()
    ;[row] = await look()
  }
  const { tokens, atMs, breaker } = row!
  return { level: { tokens, atMs }, breaker }
}

/** Writes the level of the bucket. */
export const writeLevel = async (tx: Tx, key: StandingKey, { tokens, atMs }: BudgetLevel): Promise<void> => {
  await tx.update(callBudgets).set({ tokens, atMs }).where(isBudget(key))
}

/** Writes the state of a breaker. */
export const writeBreaker = async (tx: Tx, key: StandingKey, state: BreakerState): Promise<void> => {
  await tx.update(callGates).set({ state }).where(isBreaker(key))
}

/** Changes a breaker under a row lock, so that concurrent changes follow each other. */
export const changeBreaker = (
  tx: Tx,
  key: StandingKey,
  change: (state: BreakerState) => BreakerState,
): Promise<BreakerState> =>
  tx.transaction(async (inner) => {
    const [row] = await inner.select({ state: callGates.state }).from(callGates).where(isBreaker(key)).for('update')
    const before = row?.state ?? initialState
    const after = change(before)
    if (after !== before) await writeBreaker(inner, key, after)
    return after
  })
