import { isNull, and } from 'drizzle-orm'
import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { ExportsCtx, ExportsHere } from '#records/static-exports/exports-ctx.ts'
import { getExport } from './read-exports.ts'
import { writeOutcome } from './settle-exports.ts'
import {
  findKnownExport,
  isExport,
  lockDomain,
  exportNotListedError,
  recordExportEvents,
} from './static-exports.rows.ts'
import { afterAnswer, describeExportActions, type StaticExportRow } from './static-exports.state.ts'
import { listExportEvents } from './static-exports.history.ts'
import { staticExports } from './static-exports.table.ts'

const lockExport = async (tx: Tx, exportId: string): Promise<StaticExportRow> => {
  const which = and(isExport(exportId), isNull(staticExports.removedAt))
  const [row] = await tx.select().from(staticExports).where(which).for('update')
  if (row === undefined) throw exportNotListedError()
  return row
}

const writeCancelIntent = ({ db, now }: ExportsCtx, { polling }: ExportsHere, exportId: string, by: Actor) =>
  db.transaction(async (tx) => {
    const row = await lockExport(tx, exportId)
    const actions = describeExportActions(row, { embedded: polling.embedded, isOpen: true })
    if (actions === null) throw new AppError('conflict', 'This service has no way to cancel an export.', { exportId })
    if (actions.cancel !== null) throw new AppError('conflict', actions.cancel, { exportId })
    // Read the export again, whatever the outcome of the call.
    await tx
      .update(staticExports)
      .set({ nextCheckAt: new Date(now() + polling.lease.leaseMs) })
      .where(isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'cancel_requested', at: new Date(now()), by }])
    return { jobId: row.jobId!, granted: await polling.limiter.grant(tx, 'cancelStaticExport') }
  })

const storeCancelAnswer = (
  { db, now, events }: ExportsCtx,
  { polling }: ExportsHere,
  { exportId, domain, snapshot }: { exportId: string; domain: string; snapshot: StaticExportSnapshot },
) =>
  db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const row = await lockExport(tx, exportId)
    const after = afterAnswer(row, snapshot, { now: now(), schedule: polling.schedule })
    const history = listExportEvents(row, after, { now: now(), runningSince: now() })
    // A read in progress loses its lease, so it cannot write its older answer.
    await writeOutcome(tx, events, { before: row, after, history }, { leaseOwner: null, leaseUntil: null })
  })

const storeCancelFailure = ({ db, now }: ExportsCtx, exportId: string, { message }: AdminApiError) =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    await tx.update(staticExports).set({ nextCheckAt: at }).where(isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'action_failed', at, to: message }])
  })

/** Makes one call and never repeats it. Throws `conflict` with the reason when that is not possible, or `upstream_*`. */
export const cancelExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { domain, connectionId } = await findKnownExport(ctx.db, exportId)
  const { exports: here } = ctx.connections.open(connectionId)
  const cancel = async () => {
    await here.polling.schedule.refresh()
    const { jobId, granted } = await writeCancelIntent(ctx, here, exportId, by)
    // The outcome is written even if the caller disconnects in the meantime.
    await withoutDeadline(async () => {
      try {
        const snapshot = await granted.call(() => here.adminApi.cancelStaticExport(jobId))
        await storeCancelAnswer(ctx, here, { exportId, domain, snapshot })
      } catch (error) {
        if (error instanceof AdminApiError) await storeCancelFailure(ctx, exportId, error)
        throw error
      }
    })
  }
  // After a failed call, a read of the export is already planned.
  await cancel().finally(here.watcher.wake)
  return getExport(ctx, exportId)
}
