import { and, eq } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
import { fullLevel, type BudgetLevel, type BudgetPlan } from '#watch/budget.ts'
import { openGate, type GateState } from '#watch/gate.ts'
import { callBudgets, callGates, type CallClass, type KeyName } from './permits.table.ts'

/** What decides whether a call may be made. */
export type Standing = { level: BudgetLevel; gate: GateState }

/** A key's budget, and the gate of a class of calls. */
export type StandingKey = { origin: string; key: KeyName; calls: CallClass }

const isBudget = ({ origin, key }: StandingKey) => and(eq(callBudgets.origin, origin), eq(callBudgets.key, key))
const isGate = ({ origin, calls }: StandingKey) => and(eq(callGates.origin, origin), eq(callGates.calls, calls))

/**
 * Reads budget and gate in one statement and keeps them for this transaction: who else wants to take tokens waits until it is over.
 * The first one ever begins with a full bucket and an open gate.
 */
export const lockStanding = async (tx: Tx, key: StandingKey, plan: BudgetPlan, nowMs: number): Promise<Standing> => {
  const look = () =>
    tx
      .select({ tokens: callBudgets.tokens, atMs: callBudgets.atMs, gate: callGates.state })
      .from(callBudgets)
      .innerJoin(callGates, isGate(key))
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
      .values({ ...key, state: openGate })
      .onConflictDoNothing()
    ;[row] = await look()
  }
  const { tokens, atMs, gate } = row!
  return { level: { tokens, atMs }, gate }
}

/** Writes what is left in the bucket. */
export const writeLevel = async (tx: Tx, key: StandingKey, { tokens, atMs }: BudgetLevel): Promise<void> => {
  await tx.update(callBudgets).set({ tokens, atMs }).where(isBudget(key))
}

/** Writes the state of a gate. */
export const writeGate = async (tx: Tx, key: StandingKey, state: GateState): Promise<void> => {
  await tx.update(callGates).set({ state }).where(isGate(key))
}

/** Changes a gate by what it is now; others who learn something about it wait for each other. */
export const changeGate = (tx: Tx, key: StandingKey, change: (state: GateState) => GateState): Promise<GateState> =>
  tx.transaction(async (inner) => {
    const [row] = await inner.select({ state: callGates.state }).from(callGates).where(isGate(key)).for('update')
    const before = row?.state ?? openGate
    const after = change(before)
    if (after !== before) await writeGate(inner, key, after)
    return after
  })
