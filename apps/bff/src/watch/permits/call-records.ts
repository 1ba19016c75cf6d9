import { sql } from 'drizzle-orm'
import { isGoodAnswer } from '#admin-api/connection.ts'
import { afterOutcome, noConnection } from '#admin-api/connection.ts'
import type { AdminApiError, AdminApiOperation } from '#admin-api/admin-api.ts'
import type { Database, Tx } from '#db/database.ts'
import type { Log } from '#log.ts'
import { callAnswers, callMinutes, connectionStates, type KeyName } from './permits.table.ts'
import { eq } from 'drizzle-orm'

/** How one call ended. `atMs`: when, in milliseconds since the epoch; `ms`: how long it took. */
export type CallRecord = {
  operation: AdminApiOperation
  key: KeyName
  click: boolean
  /** Null after an answer that fitted the contract. */
  error: Pick<AdminApiError, 'code' | 'message'> | null
  atMs: number
  ms: number
}

/** Writes calls down for all Dockets, in bulk. A process that is killed loses the last second. */
export type CallRecords = {
  /** Never fails and never waits. */
  record: (call: CallRecord) => void
  /** Writes what was not written yet. Rejects while the database is away; then it is kept. */
  flush: () => Promise<void>
  /** The last flush; never rejects. */
  close: () => Promise<void>
}

const flushMs = 1000
const retryMs = 5000
/** While the database is away: more than this is forgotten, the oldest first. */
const mostKept = 10_000

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

/** Flushes by itself a second after the first call that is not written yet. */
export const callRecords = ({ db, origin, log }: { db: Database; origin: string; log: Log }): CallRecords => {
  let pending: CallRecord[] = []
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let closed = false

  const later = (ms: number) => {
    if (timer !== undefined || closed) return
    timer = setTimeout(() => {
      timer = undefined
      flush().catch((error: unknown) => log.debug({ err: error }, 'calls could not be counted yet'))
    }, ms)
    timer.unref()
  }

  const write = async (): Promise<void> => {
    const calls = pending
    pending = []
    try {
      await db.transaction(async (tx) => {
        await writeConnection(tx, origin, calls)
        await writeAnswers(tx, origin, calls)
        await writeCounts(tx, origin, calls)
      })
    } catch (error) {
      pending = [...calls, ...pending].slice(-mostKept)
      later(retryMs)
      throw error
    }
  }

  const flush = async (): Promise<void> => {
    // What came during a flush is in the next one.
    while (underWay !== undefined) await underWay.catch(() => {})
    if (pending.length === 0) return
    underWay = write().finally(() => (underWay = undefined))
    await underWay
  }

  return {
    record: (call) => {
      pending.push(call)
      later(flushMs)
    },
    flush,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await flush().catch((error: unknown) => log.debug({ err: error }, 'the last calls were not counted'))
    },
  }
}
