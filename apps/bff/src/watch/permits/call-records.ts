import type { AdminApiError, AdminApiOperation } from '#admin-api/admin-api.ts'
import { waitForDatabase } from '#db/deadline.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import type { KeyName } from './permits.table.ts'
import { writeCalls } from './write-calls.ts'

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
      await db.transaction((tx) => writeCalls(tx, origin, calls))
    } catch (error) {
      pending = [...calls, ...pending].slice(-mostKept)
      later(retryMs)
      throw error
    }
  }

  const flush = async (): Promise<void> => {
    // What came during a flush is in the next one.
    while (underWay !== undefined) {
      const other = underWay
      await waitForDatabase(() => other.catch(() => {}))
    }
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
