import { and, type InferSelectModel, type SQL } from 'drizzle-orm'
import { AdminApiError } from '#admin-api/admin-api.ts'
import type { Database, Tx } from '#db/database.ts'
import { claimNow, writeBack, type Claimed, type WatchedTable } from '#watch/claim.ts'
import type { Clock } from '#watch/failed-read.ts'
import { GateClosed } from '#watch/gate.ts'
import type { Polling } from '#watch/polling.ts'

/** One kind of records: where they are kept, how they are asked for, and what an answer makes of one. */
export type ReadableRecords<T extends WatchedTable, Key, Answer> = {
  table: T
  /** The condition that names one record. */
  named: (key: Key) => SQL | undefined
  /** Records that have something to ask for; undefined: all. */
  readable?: SQL | undefined
  /** Asks the service once. */
  ask: (row: InferSelectModel<T>) => Promise<Answer>
  /** May throw `AdminApiError` for an answer that says nothing about the record. */
  afterAnswer: (row: InferSelectModel<T>, answer: Answer, clock: Clock) => InferSelectModel<T>
  afterFailure: (row: InferSelectModel<T>, error: AdminApiError, clock: Clock) => InferSelectModel<T>
  /** What of an outcome is written. */
  changesOf: (row: InferSelectModel<T>) => Partial<InferSelectModel<T>>
  /** Counts the change of a record for those who read the list. */
  countChange: (tx: Tx, key: Key) => Promise<unknown>
}

/** Reads records upstream, one call per record at a time, and keeps the outcome. */
export type RecordReader<Row, Key> = {
  /** For the watcher: reads a claimed record. Failures of the service end up in the record. */
  readClaimed: (claimed: Claimed<Row>) => Promise<void>
  /**
   * For a person: reads it now, or joins the read that is under way in this process. False when there is no such record.
   * Rejects with `GateClosed`, without a call, while the service asked to be left alone.
   */
  readNow: (key: Key) => Promise<boolean>
}

/** `keyOf` names a record; two keys of one record are equal as JSON. */
export const recordReader = <T extends WatchedTable, Key, Answer>(
  { db, polling, keyOf }: { db: Database; polling: Polling; keyOf: (row: InferSelectModel<T> | Key) => Key },
  records: ReadableRecords<T, Key, Answer>,
): RecordReader<InferSelectModel<T>, Key> => {
  type Row = InferSelectModel<T>
  const { table, named, ask, afterAnswer, afterFailure, changesOf, countChange } = records
  const { gate, now, pace, lease: own } = polling
  const underWay = new Map<string, Promise<boolean>>()

  const joined = (key: Key, read: () => Promise<boolean>): Promise<boolean> => {
    const name = JSON.stringify(key)
    const running = underWay.get(name) ?? read().finally(() => underWay.delete(name))
    underWay.set(name, running)
    return running
  }

  const keep = (lease: string, outcome: Row) =>
    db.transaction(async (tx) => {
      const key = keyOf(outcome)
      const kept = await writeBack(tx, table, { which: named(key), lease, set: changesOf(outcome) })
      if (kept !== undefined) await countChange(tx, key)
    })

  /** No call was made, so the record is free again; one that is polled waits as long as the gate is closed. */
  const free = ({ row, lease }: Claimed<Row>, { retryAfterMs }: GateClosed) => {
    const polled = (row as { nextCheckAt: Date | null }).nextCheckAt !== null
    const set = polled ? { nextCheckAt: new Date(now() + (retryAfterMs ?? 0)) } : {}
    return writeBack(db, table, { which: named(keyOf(row)), lease, set: set as Partial<Row> })
  }

  const readAndKeep = async (claimed: Claimed<Row>, click: boolean): Promise<void> => {
    const { row, lease } = claimed
    let outcome: Row
    try {
      const answer = await gate.call(() => ask(row), { click })
      outcome = afterAnswer(row, answer, { now: now(), pace })
    } catch (error) {
      if (error instanceof GateClosed) await free(claimed, error)
      if (!(error instanceof AdminApiError) || error instanceof GateClosed) throw error
      outcome = afterFailure(row, error, { now: now(), pace })
    }
    await keep(lease, outcome)
  }

  return {
    readClaimed: async (claimed) => {
      await joined(keyOf(claimed.row), async () => {
        await readAndKeep(claimed, false).catch((error: unknown) => {
          if (!(error instanceof GateClosed)) throw error
        })
        return true
      })
    },
    readNow: (key) =>
      joined(keyOf(key), async () => {
        // Before the claim, which would make another process drop its answer.
        gate.ensureOpen({ click: true })
        const which = and(named(key), records.readable)
        const claimed = await claimNow(db, table, { ...own, now: now(), which })
        if (claimed === undefined) return false
        await readAndKeep(claimed, true)
        return true
      }),
  }
}
