import { and, eq, gt, type InferSelectModel, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { maxClockSkewMs } from '#ground/clock.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { claimDueRecords, freeLeases, nextDueAt, type WatchedTable } from './claim.ts'
import type { Polling } from './polling.ts'
import type { GrantedRead } from './reader.ts'
import type { ChangingTable } from './read-interval.ts'
import { replanReads } from './demand.ts'
import { createWatchLoop } from './loop.ts'

/** Smaller changes are ordinary clock corrections. Milliseconds. */
const clockSkewMs = 60_000

/** Maximum duration of a lease. Milliseconds. */
const maxLeaseMs = 900_000

/**
 * Makes `readable` records due that a faster clock planned: their last read is in the future, so they would wait too long. Also ends their
 * leases. For the first pass of a process, and after its clock was set back. Returns the number of records.
 */
export const pullReadsForward = async (
  tx: Tx,
  table: WatchedTable,
  { now, readable }: { now: number; readable?: SQL | undefined },
): Promise<number> => {
  const at = new Date(now)
  const fromTheFuture = and(gt(table.checkedAt, new Date(now + maxClockSkewMs)), gt(table.nextCheckAt, at))
  const leasedTooLong = gt(table.leaseUntil, new Date(now + maxLeaseMs))
  const { rowCount } = await tx
    .update(table as PgTable)
    .set({
      nextCheckAt: sql`case when ${fromTheFuture} then ${at.toISOString()}::timestamptz else ${table.nextCheckAt} end`,
      leaseOwner: sql`case when ${leasedTooLong} then null else ${table.leaseOwner} end`,
      leaseUntil: sql`case when ${leasedTooLong} then null else ${table.leaseUntil} end`,
    } as object)
    .where(and(isNull(table.removedAt), isNotNull(table.nextCheckAt), readable, or(fromTheFuture, leasedTooLong)))
  return rowCount ?? 0
}

/** Any number of processes may share one database. */
export const createRecordWatcher = <T extends ChangingTable>(options: {
  name: string
  db: Database
  table: T
  /** Condition for records that can be read. Undefined: all. */
  readable?: SQL | undefined
  polling: Polling
  read: (claimed: GrantedRead<InferSelectModel<T>>) => Promise<void>
  /** Ends calls whose answer can no longer arrive; with `orphanOwner`, also those of every other process. */
  endTimedOut: (orphanOwner: string | undefined) => Promise<void>
  log: Log
}) => {
  const { name, db, table, polling, read, endTimedOut, log } = options
  const { connectionId, limiter, schedule, lease, now, embedded, alone } = polling
  const own = eq(table.connectionId, connectionId)
  const readable = and(own, options.readable)
  let first = true
  let lastPassMs = -Infinity
  return createWatchLoop({
    name,
    now,
    log,
    claim: async (wanted) => {
      await endTimedOut(first && alone ? lease.owner : undefined)
      if (first && alone) await freeLeases(db, table, { owner: lease.owner, readable: own })
      // The embedded service started with this process, so an earlier pause is void. A pause of a hosted service still
      // counts.
      if (first && embedded) await limiter.reopen()
      if (first || now() < lastPassMs - clockSkewMs) await pullReadsForward(db, table, { now: now(), readable: own })
      lastPassMs = now()
      await schedule.refresh()
      if (first) {
        const { floorMs, stretch } = schedule
        await replanReads(db, table, { nowMs: now(), floorMs, stretch: stretch(), readable: own })
      }
      first = false
      return db.transaction(async (tx) => {
        const polls = await limiter.polls(tx, wanted)
        if (polls.allowed === 0) return []
        const claimed = await claimDueRecords(tx, table, { ...lease, now: now(), limit: polls.allowed, readable })
        if (claimed.length === 0) return []
        const granted = await polls.take(claimed.length)
        return claimed.map((record) => ({ ...record, granted }))
      })
    },
    check: read,
    nextDueAt: async () => {
      const due = await nextDueAt(db, table, { now: now(), readable })
      const opens = limiter.opensAt()
      return due === null || opens === null || opens < due ? due : opens
    },
  })
}
