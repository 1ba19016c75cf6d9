import { randomUUID } from 'node:crypto'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Polling } from '#service/polling/polling.ts'
import { afterAnswer, type StaticExportRow } from './static-exports.state.ts'
import { listEvents } from './static-exports.history.ts'
import { writeOutcome } from './settle-exports.ts'
import { isExport, findListed, lockDomain, refuseTracked, withoutTwins } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

const refuseUnlessUnknown = ({ state, replacedBy, exportId }: StaticExportRow): void => {
  if (replacedBy !== null)
    throw new AppError('conflict', 'This export was started again. Track the job by its ID instead.', {
      exportId: replacedBy,
    })
  if (state !== 'unknown')
    throw new AppError('conflict', 'Only an export with an unknown outcome can be given a job ID.', { exportId })
}

/**
 * Tracks jobs by an id that a person knows. Reads the job first and rejects with `upstream_*` when that fails. Counts its read of the job
 * as a click.
 */
export const staticExportAdopter = (deps: Pick<Ctx, 'db' | 'events'> & { adminApi: AdminApi; polling: Polling }) => {
  const { db, adminApi, events } = deps
  const { connectionId, limiter, now, schedule } = deps.polling
  const read = async (jobId: string) => {
    await schedule.refresh()
    return limiter.call(() => adminApi.getStaticExport(jobId))
  }

  return {
    /** Lists a job that was started elsewhere. Returns its exportId. `conflict` when it is already listed. */
    import: async ({ jobId, domain, by }: { jobId: string; domain: string; by: Actor }) => {
      await refuseTracked(db, { connectionId, jobId })
      const snapshot = await read(jobId)
      const exportId = randomUUID()
      await withoutTwins(db, { connectionId, jobId }, () =>
        db.transaction(async (tx) => {
          const first = {
            exportId,
            connectionId,
            domain,
            jobId,
            state: 'accepted',
            imported: true,
            startedAt: new Date(now()),
          } as const
          await lockDomain(tx, domain)
          const [row] = await tx.insert(staticExports).values(first).returning()
          const after = afterAnswer(row!, snapshot, { now: now(), schedule })
          // Docket did not see how the job got its status, so it is part of this event.
          const imported = { kind: 'imported', at: first.startedAt, by, to: after.status } as const
          await writeOutcome(tx, events, { before: row!, after, history: [imported] })
        }),
      )
      return exportId
    },
    /** Sets the jobId of an `unknown` export. `conflict` for any other export, or when the job is already listed. */
    attach: async (exportId: string, { jobId, by }: { jobId: string; by: Actor }) => {
      const known = await findListed(db, exportId)
      refuseUnlessUnknown(known)
      await refuseTracked(db, { connectionId, jobId })
      const snapshot = await read(jobId)
      await withoutTwins(db, { connectionId, jobId }, () =>
        db.transaction(async (tx) => {
          await lockDomain(tx, known.domain)
          const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
          if (row === undefined || row.removedAt !== null) return
          refuseUnlessUnknown(row)
          const outcome = { ...afterAnswer(row, snapshot, { now: now(), schedule }), jobId }
          const at = new Date(now())
          const found = listEvents(row, outcome, { now: at.getTime(), runningSince: at.getTime() })
          const attached = { kind: 'attached', at, by, to: jobId } as const
          const history = [attached, ...found.filter(({ kind }) => kind !== 'accepted')]
          await writeOutcome(tx, events, { before: row, after: outcome, history })
        }),
      )
    },
  }
}
