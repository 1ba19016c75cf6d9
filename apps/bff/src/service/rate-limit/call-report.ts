import type { OpenCircuit, ConnectionReport } from '@docket/api-types/connection'
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { describeConnection, noConnection } from '#service/admin-api/connection.ts'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#ground/db/database.ts'
import { createFullLevel, takeTokens, type BudgetPlan } from './bucket.ts'
import { pausedUntil } from './circuit-breaker.ts'
import { callAnswers, callBudgets, callGates, callMinutes, connectionStates, type KeyName } from './rate-limit.table.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const toIso = (ms: number) => new Date(ms).toISOString()

const describePause = (plan: BudgetPlan, tokens: number, nextPollAt: string | null, gates: readonly OpenCircuit[]) => {
  const [gate] = gates
    .filter(({ calls }) => calls !== 'agent_prompts')
    .toSorted((a, b) => b.until.localeCompare(a.until))
  if (gate !== undefined) return { heldBack: gate.message, until: gate.until }
  // Polling never takes the reserve, so a level below the reserve is caused by clicks.
  if (plan.callsPerHour > 0 && tokens < plan.reserve - 1)
    return {
      heldBack: `Clicks used much of the budget of ${plan.callsPerHour} calls per hour, so reads wait.`,
      until: nextPollAt,
    }
  return { heldBack: null, until: null }
}

/** `key` is the key used for polling. */
export const readCallReport = async (
  db: Database,
  { connectionId, key, plan, nowMs }: { connectionId: string; key: KeyName; plan: BudgetPlan; nowMs: number },
) => {
  const [budgets, gateRows, states, minutes] = await Promise.all([
    db
      .select()
      .from(callBudgets)
      .where(and(eq(callBudgets.connectionId, connectionId), eq(callBudgets.key, key))),
    db.select().from(callGates).where(eq(callGates.connectionId, connectionId)).orderBy(callGates.calls),
    db.select().from(connectionStates).where(eq(connectionStates.connectionId, connectionId)),
    db
      .select({
        polls: sql<number>`coalesce(sum(${callMinutes.polls}), 0)::int`,
        clicks: sql<number>`coalesce(sum(${callMinutes.clicks}), 0)::int`,
      })
      .from(callMinutes)
      .where(
        and(
          eq(callMinutes.connectionId, connectionId),
          eq(callMinutes.key, key),
          gte(callMinutes.minute, new Date(nowMs - hourMs)),
        ),
      ),
  ])
  const stored = budgets[0] ?? createFullLevel(plan, nowMs)
  const { level, nextAtMs } = takeTokens(plan, stored, { nowMs, wanted: 0, click: false })
  const nextPollAt = nextAtMs === null ? null : toIso(nextAtMs)
  const spent = minutes[0] ?? { polls: 0, clicks: 0 }
  const gates = gateRows.flatMap(({ calls, state }): OpenCircuit[] => {
    const untilMs = pausedUntil(state, nowMs)
    if (state.closed === null || untilMs === null) return []
    const { code, message, sinceMs, askedMs } = state.closed
    return [{ calls, code, message, since: toIso(sinceMs), until: toIso(untilMs), ...(askedMs && { askedMs }) }]
  })
  return {
    budget: {
      callsPerHour: plan.callsPerHour,
      spent,
      left: Math.max(0, plan.callsPerHour - spent.polls - spent.clicks),
      reserve: plan.reserve,
      nextPollAt,
    },
    gates,
    connection: describeConnection(states[0]?.state ?? noConnection),
    watching: { polls: plan.callsPerHour > 0, ...describePause(plan, level.tokens, nextPollAt, gates) },
  }
}

export type CallReport = Awaited<ReturnType<typeof readCallReport>>

export const readCalls = async (
  db: Database,
  { connectionId, nowMs }: { connectionId: string; nowMs: number },
): Promise<Pick<ConnectionReport, 'operations' | 'hours'>> => {
  const hour = sql<string>`date_trunc('hour', ${callMinutes.minute} at time zone 'UTC')`
  const sum = (column: PgColumn) => sql<number>`sum(${column})::int`
  const [answers, hours] = await Promise.all([
    db.select().from(callAnswers).where(eq(callAnswers.connectionId, connectionId)).orderBy(callAnswers.operation),
    db
      .select({
        hour: sql<string>`to_char(${hour}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
        polls: sum(callMinutes.polls),
        clicks: sum(callMinutes.clicks),
        rateLimited: sum(callMinutes.rateLimited),
        failed: sum(callMinutes.failed),
      })
      .from(callMinutes)
      .where(and(eq(callMinutes.connectionId, connectionId), gte(callMinutes.minute, new Date(nowMs - dayMs))))
      .groupBy(hour)
      .orderBy(asc(hour)),
  ])
  return {
    operations: answers.map(({ operation, at, okAt, code, message, ms }) => ({
      operation,
      lastAt: at.toISOString(),
      lastOkAt: okAt?.toISOString() ?? null,
      failure: code === null ? null : { code, message: message ?? '' },
      lastMs: ms,
    })),
    hours,
  }
}

/** Counts of the last day and one hour are kept. */
export const deleteOldCalls = async (db: Database, now: number): Promise<void> => {
  await db.delete(callMinutes).where(lt(callMinutes.minute, new Date(now - dayMs - hourMs)))
}
