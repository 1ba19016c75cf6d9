import { isNull, and } from 'drizzle-orm'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { AdminApi, StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Polling } from '#service/polling/polling.ts'
import { writeOutcome } from './settle-exports.ts'
import { findTarget, isExport, lockDomain, notListed, recordExportEvents } from './static-exports.rows.ts'
import { afterAnswer, isActive, type StaticExportRow } from './static-exports.state.ts'
import { listEvents } from './static-exports.history.ts'
import { staticExports } from './static-exports.table.ts'

/** What can be done with an export at its connection. Only Docket's own service is known to cancel; null for others. */
export const exportActions = (
  row: StaticExportRow,
  { embedded, isOpen }: { embedded: boolean; isOpen: boolean },
): NonNullable<StaticExport['actions']> | null => {
  if (!embedded) return null
  if (!isOpen) return { cancel: 'The connection of this export isn’t active.' }
  if (row.goneAt !== null) return { cancel: 'The service no longer finds this export.' }
  if (!isActive(row)) return { cancel: 'This export is over.' }
  return { cancel: row.jobId === null ? 'The service hasn’t accepted this export yet.' : null }
}

/** Cancels exports of a connection, each with one call that is never repeated. */
export const exportCanceller = (deps: Pick<Ctx, 'db' | 'events'> & { adminApi: AdminApi; polling: Polling }) => {
  const { db, adminApi, events } = deps
  const { embedded, limiter, lease, now, schedule } = deps.polling

  const lock = async (tx: Tx, exportId: string): Promise<StaticExportRow> => {
    const which = and(isExport(exportId), isNull(staticExports.removedAt))
    const [row] = await tx.select().from(staticExports).where(which).for('update')
    if (row === undefined) throw notListed()
    return row
  }

  const writeIntent = (exportId: string, by: Actor) =>
    db.transaction(async (tx) => {
      const row = await lock(tx, exportId)
      const actions = exportActions(row, { embedded, isOpen: true })
      if (actions === null) throw new AppError('conflict', 'This service has no way to cancel an export.', { exportId })
      if (actions.cancel !== null) throw new AppError('conflict', actions.cancel, { exportId })
      // The export is read again, whatever becomes of the call.
      await tx
        .update(staticExports)
        .set({ nextCheckAt: new Date(now() + lease.leaseMs) })
        .where(isExport(exportId))
      await recordExportEvents(tx, exportId, [{ kind: 'cancel_requested', at: new Date(now()), by }])
      return { jobId: row.jobId!, granted: await limiter.grant(tx, 'cancelStaticExport') }
    })

  const keep = (exportId: string, domain: string, snapshot: StaticExportSnapshot) =>
    db.transaction(async (tx) => {
      await lockDomain(tx, domain)
      const row = await lock(tx, exportId)
      const after = afterAnswer(row, snapshot, { now: now(), schedule })
      const history = listEvents(row, after, { now: now(), runningSince: now() })
      // Without its lease, a read under way cannot write its older answer.
      await writeOutcome(tx, events, { before: row, after, history }, { leaseOwner: null, leaseUntil: null })
    })

  const keepFailure = (exportId: string, { message }: AdminApiError) =>
    db.transaction(async (tx) => {
      const at = new Date(now())
      await tx.update(staticExports).set({ nextCheckAt: at }).where(isExport(exportId))
      await recordExportEvents(tx, exportId, [{ kind: 'action_failed', at, to: message }])
    })

  /** Rejects with `conflict` and the reason when it is not possible, or with `upstream_*`. */
  return async (exportId: string, by: Actor): Promise<void> => {
    const { domain } = await findTarget(db, exportId)
    await schedule.refresh()
    const { jobId, granted } = await writeIntent(exportId, by)
    // The person may leave meanwhile; the outcome is written all the same.
    await withoutDeadline(async () => {
      try {
        await keep(exportId, domain, await granted.call(() => adminApi.cancelStaticExport(jobId)))
      } catch (error) {
        if (error instanceof AdminApiError) await keepFailure(exportId, error)
        throw error
      }
    })
  }
}
