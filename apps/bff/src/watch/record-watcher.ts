import type { InferSelectModel, SQL } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import type { Log } from '#log.ts'
import { claimDue, freeLeases, nextDueAt, type Claimed, type WatchedTable } from '#watch/claim.ts'
import type { Polling } from '#watch/polling.ts'
import { watchLoop, type WatchLoop } from '#watch/watch-loop.ts'

/**
 * Keeps the records of a table up to date without a request. Any number of processes may watch one database. `beforeClaim` runs
 * first in every pass.
 */
export const recordWatcher = <T extends WatchedTable>(options: {
  name: string
  db: Database
  table: T
  /** Records that have something to ask for; undefined: all. */
  readable?: SQL | undefined
  polling: Polling
  read: (claimed: Claimed<InferSelectModel<T>>) => Promise<void>
  beforeClaim?: () => Promise<void>
  log: Log
}): WatchLoop => {
  const { name, db, table, readable, polling, read, beforeClaim, log } = options
  const { gate, schedule, lease, now, embedded } = polling
  // The embedded service serves this process only, so whoever holds a lease at the start was killed; a hosted one is waited for.
  let abandoned = embedded
  return watchLoop({
    name,
    now,
    log,
    claim: async (wanted) => {
      await beforeClaim?.()
      if (abandoned) await freeLeases(db, table, lease.owner)
      abandoned = false
      await schedule.refresh()
      const limit = gate.allowance(wanted)
      return limit === 0 ? [] : claimDue(db, table, { ...lease, now: now(), limit, readable })
    },
    check: read,
    nextDueAt: async () => {
      const due = await nextDueAt(db, table)
      const opens = gate.opensAt()
      return due === null || opens === null || opens < due ? due : opens
    },
  })
}
