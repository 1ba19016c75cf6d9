import type { DeliveryPhase } from '@docket/site-delivery/delivery-target'
import { type SQL } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { deliveries } from './targets.table.ts'

const everyMs = 1_000
/** Silence of the database after which another process may take over. pg-boss misses a process after 60 s. */
const lostMs = 45_000

/**
 * Writes the progress of a delivery, at most once a second. `signal` aborts when the delivery is no longer that of this process: its target
 * was removed, or another process took over. `isOurs` tells that.
 */
export const deliveryProgress = (db: Database, isOurs: SQL | undefined) => {
  const lost = new AbortController()
  let latest: { phase: DeliveryPhase | null; done: number; total: number | null } = {
    phase: null,
    done: 0,
    total: null,
  }
  let confirmedAt = performance.now()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const written = await db
      .update(deliveries)
      .set(latest)
      .where(isOurs)
      .returning({ deliveryId: deliveries.deliveryId })
      .catch(() => null)
    if (written !== null && written.length > 0) confirmedAt = performance.now()
    else if (written !== null || performance.now() - confirmedAt > lostMs) lost.abort()
  }
  let isWriting = false
  const timer = setInterval(() => {
    if (isWriting) return
    isWriting = true
    writing = write().finally(() => (isWriting = false))
  }, everyMs)

  return {
    signal: lost.signal,
    report: (phase: DeliveryPhase, done: number, total: number | null) => {
      latest = { phase, done, total }
    },
    /** Waits for a write under way, and writes no more. */
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await writing
    },
  }
}
