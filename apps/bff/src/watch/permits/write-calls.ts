import { eq, sql } from 'drizzle-orm'
import { afterOutcome, isGoodAnswer, noConnection } from '#admin-api/connection.ts'
import type { Tx } from '#db/database.ts'
import type { CallRecord } from './call-records.ts'
import { callAnswers, callMinutes, connectionStates } from './permits.table.ts'

const minuteOf = (ms: number) => Math.floor(ms / 60_000) * 60_000

const writeConnection = async (tx: Tx, origin: string, calls: readonly CallRecord[]) => {
  await tx.insert(connectionStates).values({ origin, state: noConnection }).onConflictDoNothing()
  // Whoever flushes the same origin waits here, so everything below is written by one at a time.
  const [row] = await tx
    .select({ state: connectionStates.state })
    .from(connectionStates)
    .where(eq(connectionStates.origin, origin))
    .for('update')
  const state = calls.reduce((log, call) => afterOutcome(log, call, call.atMs), row?.state ?? noConnection)
  await tx.update(connectionStates).set({ state }).where(eq(connectionStates.origin, origin))
}

const writeAnswers = async (tx: Tx, origin: string, calls: readonly CallRecord[]) => {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  const rows = [...byOperation].map(([operation, made]) => {
    const { atMs, ms, error } = made.at(-1)!
    const good = made.findLast((call) => isGoodAnswer(call.error))
    const failure = isGoodAnswer(error) ? null : error
    return {
      origin,
      operation,
      at: new Date(atMs),
      okAt: good === undefined ? null : new Date(good.atMs),
      code: failure?.code ?? null,
      message: failure?.message ?? null,
      ms,
    }
  })
  await tx
    .insert(callAnswers)
    .values(rows)
    .onConflictDoUpdate({
      target: [callAnswers.origin, callAnswers.operation],
      set: {
        at: sql`excluded.at`,
        okAt: sql`coalesce(excluded.ok_at, ${callAnswers.okAt})`,
        code: sql`excluded.code`,
        message: sql`excluded.message`,
        ms: sql`excluded.ms`,
      },
    })
}

const writeCounts = async (tx: Tx, origin: string, calls: readonly CallRecord[]) => {
  const byMinute = Map.groupBy(calls, ({ key, atMs }) => `${minuteOf(atMs)} ${key}`)
  const rows = [...byMinute.values()].map((made) => ({
    origin,
    key: made[0]!.key,
    minute: new Date(minuteOf(made[0]!.atMs)),
    polls: made.filter(({ click }) => !click).length,
    clicks: made.filter(({ click }) => click).length,
    rateLimited: made.filter(({ error }) => error?.code === 'upstream_rate_limited').length,
    failed: made.filter(({ error }) => !isGoodAnswer(error)).length,
  }))
  await tx
    .insert(callMinutes)
    .values(rows)
    .onConflictDoUpdate({
      target: [callMinutes.origin, callMinutes.minute, callMinutes.key],
      set: {
        polls: sql`${callMinutes.polls} + excluded.polls`,
        clicks: sql`${callMinutes.clicks} + excluded.clicks`,
        rateLimited: sql`${callMinutes.rateLimited} + excluded.rate_limited`,
        failed: sql`${callMinutes.failed} + excluded.failed`,
      },
    })
}

/** Writes calls of one origin down, in the order they ended: the state of the connection, the last answers, and counts by minute. */
export const writeCalls = async (tx: Tx, origin: string, calls: readonly CallRecord[]): Promise<void> => {
  await writeConnection(tx, origin, calls)
  await writeAnswers(tx, origin, calls)
  await writeCounts(tx, origin, calls)
}
