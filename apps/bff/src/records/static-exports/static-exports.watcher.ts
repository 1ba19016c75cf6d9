import { and, eq, isNotNull, lte, notLike, sql } from 'drizzle-orm'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import type { Polling } from '#service/polling/polling.ts'
import { recordReader } from '#service/polling/reader.ts'
import { recordWatcher } from '#service/polling/watcher.ts'
import { listEvents, measureDuration } from './static-exports.history.ts'
import { learnProgressScale, readProgressScale } from './progress-scales.ts'
import { announceOutcome, countExportOutcome, lockOutcome } from './settle-exports.ts'
import { isExport, recordExportEvents } from './static-exports.rows.ts'
import { afterAnswer, afterFailure, afterLostAnswer, selectChanges } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'

/** Condition for exports with a jobId, which can be read. */
export const hasJobId = isNotNull(staticExports.jobId)

type Key = { exportId: string }

/** Reads accepted exports upstream. */
export const staticExportReader = ({
  adminApi,
  events,
  ...deps
}: Pick<Ctx, 'db' | 'events'> & { adminApi: AdminApi; polling: Polling }) => {
  const { connectionId } = deps.polling
  return recordReader(
    { ...deps, toKey: ({ exportId }: Key) => ({ exportId }) },
    {
      table: staticExports,
      condition: ({ exportId }: Key) => isExport(exportId),
      readable: hasJobId,
      ask: async (row) => {
        const snapshot = await adminApi.getStaticExport(row.jobId!)
        const isAmbiguous = snapshot.progress?.scale === 'ambiguous'
        return { snapshot, scale: isAmbiguous ? await readProgressScale(deps.db, connectionId) : null }
      },
      afterAnswer: (row, { snapshot, scale }, clock) => afterAnswer(row, snapshot, clock, scale),
      onOutcome: async (tx, before, after) => {
        await learnProgressScale(tx, connectionId, before, after)
        await announceOutcome(tx, events, before, after)
      },
      afterFailure,
      measureDuration,
      selectChanges,
      lock: lockOutcome,
      countChange: countExportOutcome,
      listEvents,
      recordEvents: (tx, { exportId }, events) => recordExportEvents(tx, exportId, events),
    },
  )
}

/**
 * Ends starts without an answer as `unknown`: those whose lease expired or, with `orphans`, those of every other process at a connection. Never starts
 * anything again. A late answer of a live process still counts.
 */
export const endTimedOutStarts = async (
  db: Database,
  now: number,
  orphans?: { owner: string; connectionId: string },
): Promise<void> => {
  const lost = and(
    eq(staticExports.state, 'starting'),
    orphans === undefined
      ? lte(staticExports.nextCheckAt, new Date(now))
      : and(
          eq(staticExports.connectionId, orphans.connectionId),
          notLike(sql`coalesce(${staticExports.leaseOwner}, '')`, `${orphans.owner}/%`),
        ),
  )
  const rows = await db.select().from(staticExports).where(lost)
  for (const row of rows)
    await db.transaction(async (tx) => {
      const outcome = afterLostAnswer(row, null, now)
      await lockOutcome(tx, outcome)
      const { state, reason, nextCheckAt } = outcome
      const ended = await tx
        .update(staticExports)
        .set({ state, reason, nextCheckAt, leaseOwner: null, leaseUntil: null })
        .where(and(isExport(row.exportId), lost))
        .returning({ exportId: staticExports.exportId })
      if (ended.length === 0) return
      await countExportOutcome(tx, outcome)
      await recordExportEvents(tx, row.exportId, listEvents(row, outcome, { now, runningSince: now }))
    })
}

/** Keeps running exports up to date without a request, and ends starts without an answer. */
export const staticExportWatcher = (deps: {
  db: Database
  reader: ReturnType<typeof staticExportReader>
  polling: Polling
  log: Log
}) => {
  const { db, reader, polling, log } = deps
  return recordWatcher({
    name: 'static exports',
    db,
    table: staticExports,
    readable: hasJobId,
    polling,
    read: reader.readClaimed,
    endTimedOut: (owner) =>
      endTimedOutStarts(
        db,
        polling.now(),
        owner === undefined ? undefined : { owner, connectionId: polling.connectionId },
      ),
    log,
  })
}
