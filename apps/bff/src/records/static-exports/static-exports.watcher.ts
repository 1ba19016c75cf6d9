import { and, eq, lte, notLike, sql } from 'drizzle-orm'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { ExportsCtx, ExportsHere } from '#records/static-exports/exports-ctx.ts'
import { getExport } from './read-exports.ts'
import { createExportStarts } from './start-export.ts'
import { readLearntScale } from '#service/connections/progress-scales.table.ts'
import type { Polling } from '#service/polling/polling.ts'
import { createRecordReader } from '#service/polling/reader.ts'
import { createRecordWatcher } from '#service/polling/watcher.ts'
import { listExportEvents, measureExportDuration } from './static-exports.history.ts'
import { announceOutcome, countExportOutcome, lockOutcome } from './settle-exports.ts'
import {
  findExportConnection,
  findListedExport,
  hasJobId,
  isExport,
  recordExportEvents,
} from './static-exports.rows.ts'
import { afterAnswer, afterFailure, afterLostAnswer, selectChangedColumns } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'

type Key = { exportId: string }

const createExportReader = ({
  adminApi,
  events,
  ...deps
}: Pick<Ctx, 'db' | 'events'> & { adminApi: AdminApi; polling: Polling }) => {
  const { connectionId } = deps.polling
  return createRecordReader(
    { ...deps, toKey: ({ exportId }: Key) => ({ exportId }) },
    {
      table: staticExports,
      condition: ({ exportId }: Key) => isExport(exportId),
      readable: hasJobId,
      ask: async (row) => {
        const snapshot = await adminApi.getStaticExport(row.jobId!)
        const isAmbiguous = snapshot.progress?.scale === 'ambiguous'
        return { snapshot, scale: isAmbiguous ? await readLearntScale(deps.db, connectionId) : null }
      },
      afterAnswer: (row, { snapshot, scale }, clock) => afterAnswer(row, snapshot, clock, scale),
      onOutcome: (tx, before, after) => announceOutcome(tx, events, before, after),
      afterFailure,
      measureDuration: measureExportDuration,
      selectChanges: selectChangedColumns,
      lock: lockOutcome,
      countChange: countExportOutcome,
      listEvents: listExportEvents,
      recordEvents: (tx, { exportId }, events) => recordExportEvents(tx, exportId, events),
    },
  )
}

/**
 * Ends starts without an answer as `unknown`: those whose lease expired and, with `orphans`, those of every other process at a connection.
 * Never starts anything again. A late answer of a running process still counts.
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
      await recordExportEvents(tx, row.exportId, listExportEvents(row, outcome, { now, runningSince: now }))
    })
}

/** Polls exports, and ends starts without an answer. */
export const openExportsAt = (deps: Ctx & { adminApi: AdminApi; polling: Polling }): ExportsHere => {
  const { db, log, adminApi, polling } = deps
  const reader = createExportReader(deps)
  const watcher = createRecordWatcher({
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
  const starts = createExportStarts({ ...deps, wake: watcher.wake })
  return { adminApi, polling, watcher, readNow: reader.readNow, starts }
}

/** A failed read sets `checkFailure`. Rejects only while the service asks for a pause. */
export const checkExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { exports: here } = ctx.connections.open(await findExportConnection(ctx.db, exportId))
  if (!(await here.readNow({ exportId }, by))) {
    await findListedExport(ctx.db, exportId)
    throw new AppError('conflict', 'This export has no job ID, so Docket can’t check it.', { exportId })
  }
  here.watcher.wake()
  return getExport(ctx, exportId)
}
