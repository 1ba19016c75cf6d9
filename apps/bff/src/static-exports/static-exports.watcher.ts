import { and, eq, lte, notLike, sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import type { Log } from '#log.ts'
import { claimDue, nextDueAt } from '#watch/claim.ts'
import type { CallGate } from '#watch/gate.ts'
import { watchLoop, type WatchLoop } from '#watch/watch-loop.ts'
import { afterLostAnswer } from './static-exports.outcome.ts'
import { countChange, isExport, type StaticExportReader } from './static-exports.reader.ts'
import { staticExports } from './static-exports.table.ts'

/**
 * Marks starts whose answer can no longer come as `unknown`: those older than any call, and, with `orphansOf`, those of every
 * other process. Nothing is ever started again. Should another process be alive after all, its answer still counts.
 */
const giveUpLostStarts = async (db: Database, now: number, orphansOf?: string): Promise<void> => {
  const lost = and(
    eq(staticExports.state, 'starting'),
    orphansOf === undefined
      ? lte(staticExports.nextCheckAt, new Date(now))
      : notLike(sql`coalesce(${staticExports.leaseOwner}, '')`, `${orphansOf}/%`),
  )
  const rows = await db.select().from(staticExports).where(lost)
  for (const row of rows)
    await db.transaction(async (tx) => {
      const { state, reason, nextCheckAt } = afterLostAnswer(row, null, now)
      const given = await tx
        .update(staticExports)
        .set({ state, reason, nextCheckAt, leaseOwner: null, leaseUntil: null })
        .where(and(isExport(row.exportId), lost))
        .returning({ exportId: staticExports.exportId })
      if (given.length > 0) await countChange(tx, isExport(row.exportId))
    })
}

/** Keeps running exports up to date without a request. Any number of processes may watch one database. */
export const staticExportWatcher = (deps: {
  db: Database
  reader: StaticExportReader
  gate: CallGate
  lease: { owner: string; leaseMs: number }
  clock: { now: () => number; log: Log }
}): WatchLoop => {
  const { db, reader, gate, lease, clock } = deps
  let recovered = false
  return watchLoop({
    name: 'static exports',
    ...clock,
    claim: async (wanted) => {
      await giveUpLostStarts(db, clock.now(), recovered ? undefined : lease.owner)
      recovered = true
      const limit = gate.allowance(wanted)
      return limit === 0 ? [] : claimDue(db, staticExports, { ...lease, now: clock.now(), limit })
    },
    check: reader.readClaimed,
    nextDueAt: async () => {
      const due = await nextDueAt(db, staticExports)
      const opens = gate.opensAt()
      return due === null || opens === null || opens < due ? due : opens
    },
  })
}
