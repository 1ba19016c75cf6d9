import { eq, sql } from 'drizzle-orm'
import type { AdminApiOperation } from '#service/admin-api/admin-api.ts'
import type { AdminApiError } from '#ground/errors/app-error.ts'
import { applyOutcome, isGoodAnswer, noConnection } from '#service/admin-api/connection.ts'
import { waitForDatabase } from '#ground/db/deadline.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { callAnswers, callMinutes, connectionStates, type KeyName } from './rate-limit.table.ts'

/** `atMs` is the end of the call, in milliseconds since the epoch; `ms` its duration. */
export type CallRecord = {
  operation: AdminApiOperation
  key: KeyName
  click: boolean
  /** Null after an answer that matched the contract. */
  error: Pick<AdminApiError, 'code' | 'message' | 'about' | 'sentence'> | null
  atMs: number
  ms: number
}

const flushMs = 1000
const retryMs = 5000
/** Buffer size while the database is unavailable. Drops the oldest calls first. */
const maxPending = 10_000

const startOfMinute = (ms: number) => Math.floor(ms / 60_000) * 60_000

const writeConnection = async (tx: Tx, connectionId: string, calls: readonly CallRecord[]) => {
  await tx.insert(connectionStates).values({ connectionId, state: noConnection }).onConflictDoNothing()
  // Other flushes of this connection wait for this lock, so only one at a time writes the rows below.
  const [row] = await tx
    .select({ state: connectionStates.state })
    .from(connectionStates)
    .where(eq(connectionStates.connectionId, connectionId))
    .for('update')
  const state = calls.reduce((log, call) => applyOutcome(log, call, call.atMs), row?.state ?? noConnection)
  await tx.update(connectionStates).set({ state }).where(eq(connectionStates.connectionId, connectionId))
}

const writeAnswers = async (tx: Tx, connectionId: string, calls: readonly CallRecord[]) => {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  const rows = [...byOperation].map(([operation, calls]) => {
    const { atMs, ms, error } = calls.at(-1)!
    const good = calls.findLast((call) => isGoodAnswer(call.error))
    const failure = isGoodAnswer(error) ? null : error
    return {
      connectionId,
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
      target: [callAnswers.connectionId, callAnswers.operation],
      set: {
        at: sql`excluded.at`,
        okAt: sql`coalesce(excluded.ok_at, ${callAnswers.okAt})`,
        code: sql`excluded.code`,
        message: sql`excluded.message`,
        ms: sql`excluded.ms`,
      },
    })
}

const writeCounts = async (tx: Tx, connectionId: string, calls: readonly CallRecord[]) => {
  const byMinute = Map.groupBy(calls, ({ key, atMs }) => `${startOfMinute(atMs)} ${key}`)
  const rows = [...byMinute.values()].map((calls) => ({
    connectionId,
    key: calls[0]!.key,
    minute: new Date(startOfMinute(calls[0]!.atMs)),
    polls: calls.filter(({ click }) => !click).length,
    clicks: calls.filter(({ click }) => click).length,
    rateLimited: calls.filter(({ error }) => error?.code === 'upstream_rate_limited').length,
    failed: calls.filter(({ error }) => !isGoodAnswer(error)).length,
  }))
  await tx
    .insert(callMinutes)
    .values(rows)
    .onConflictDoUpdate({
      target: [callMinutes.connectionId, callMinutes.minute, callMinutes.key],
      set: {
        polls: sql`${callMinutes.polls} + excluded.polls`,
        clicks: sql`${callMinutes.clicks} + excluded.clicks`,
        rateLimited: sql`${callMinutes.rateLimited} + excluded.rate_limited`,
        failed: sql`${callMinutes.failed} + excluded.failed`,
      },
    })
}

/** Counts for all Dockets, in batches. A killed process loses the last second. */
export const createCallRecords = ({ db, connectionId, log }: { db: Database; connectionId: string; log: Log }) => {
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
        for (const write of [writeConnection, writeAnswers, writeCounts]) await write(tx, connectionId, calls)
      })
    } catch (error) {
      pending = [...calls, ...pending].slice(-maxPending)
      later(retryMs)
      throw error
    }
  }

  const flush = async (): Promise<void> => {
    // The next flush writes the calls that end during this one.
    while (underWay !== undefined) {
      const other = underWay
      await waitForDatabase(() => other.catch(() => {}))
    }
    if (pending.length === 0) return
    underWay = write().finally(() => (underWay = undefined))
    await underWay
  }

  return {
    /** Never fails and never waits. */
    record: (call: CallRecord) => {
      pending.push(call)
      later(flushMs)
    },
    /** Writes the pending calls. Rejects while the database is unavailable, and keeps them. */
    flush,
    /** Never rejects. */
    close: async () => {
      closed = true
      clearTimeout(timer)
      await flush().catch((error: unknown) => log.debug({ err: error }, 'the last calls were not counted'))
    },
  }
}
