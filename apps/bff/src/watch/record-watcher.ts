import type { InferSelectModel, SQL } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import { claimDue, freeLeases, nextDueAt } from '#watch/claim.ts'
import type { Polling } from '#watch/polling.ts'
import type { Permitted } from '#watch/record-reader.ts'
import type { ChangingTable } from '#watch/schedule/read-interval.ts'
import { replan } from '#watch/schedule/replan.ts'
import { pullBack } from '#watch/schedule/set-back.ts'
import { watchLoop, type WatchLoop } from '#watch/watch-loop.ts'

/** Clocks are corrected by less than this all the time. */
const clockSetBackMs = 60_000

/**
 * Keeps the records of a table up to date without a request. Any number of processes may watch one database. `beforeClaim` runs
 * first in every pass.
 */
export const recordWatcher = <T extends ChangingTable>(options: {
  name: string
  db: Database
  table: T
  /** Records that have something to ask for; undefined: all. */
  readable?: SQL | undefined
  polling: Polling
  read: (claimed: Permitted<InferSelectModel<T>>) => Promise<void>
  beforeClaim?: () => Promise<void>
  log: Log
}): WatchLoop => {
  const { name, db, table, readable, polling, read, beforeClaim, log } = options
  const { gate, schedule, lease, now, embedded, alone } = polling
  let first = true
  let lastPassMs = -Infinity
  return watchLoop({
    name,
    now,
    log,
    claim: async (wanted) => {
      await beforeClaim?.()
      if (first && alone) await freeLeases(db, table, lease.owner)
      // The embedded service was started anew with this process; what a hosted one asked for stands.
      if (first && embedded) await gate.reopen()
      if (first || now() < lastPassMs - clockSetBackMs) await pullBack(db, table, now())
      lastPassMs = now()
      await schedule.refresh()
      if (first) await replan(db, table, { nowMs: now(), floorMs: schedule.floorMs, stretch: schedule.stretch() })
      first = false
      return db.transaction(async (tx) => {
        const polls = await gate.polls(tx, wanted)
        if (polls.allowed === 0) return []
        const claimed = await claimDue(tx, table, { ...lease, now: now(), limit: polls.allowed, readable })
        if (claimed.length === 0) return []
        const permit = await polls.take(claimed.length)
        return claimed.map((record) => ({ ...record, permit }))
      })
    },
    check: read,
    nextDueAt: async () => {
      const due = await nextDueAt(db, table, now())
      const opens = gate.opensAt()
      return due === null || opens === null || opens < due ? due : opens
    },
  })
}
