import { randomUUID } from 'node:crypto'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { Polling } from '#polling/polling.ts'
import { afterAnswer, selectChanges, type StaticExportRow } from './static-exports.state.ts'
import { listEvents } from './static-exports.history.ts'
import {
  countExportChange,
  isExport,
  findListed,
  recordExportEvents,
  refuseTracked,
  withoutTwins,
} from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

/** Tracks jobs by an id that a person knows. Reads the job first and rejects with `upstream_*` when that fails. */
export type StaticExportAdopter = {
  /** Lists a job that was started elsewhere. Returns its exportId. `conflict` when it is already listed. */
  import: (job: { jobId: string; domain: string; by: Actor }) => Promise<string>
  /** Sets the jobId of an `unknown` export. `conflict` for any other export, or when another export has the job. */
  attach: (exportId: string, job: { jobId: string; by: Actor }) => Promise<void>
}

const refuseUnlessUnknown = ({ state, replacedBy, exportId }: StaticExportRow): void => {
  if (replacedBy !== null)
    throw new AppError('conflict', 'This export was started again. Import the job by its id instead.', {
      exportId: replacedBy,
    })
  if (state !== 'unknown')
    throw new AppError('conflict', 'Only an export whose start was never answered can be given a job id.', { exportId })
}

/** Its read of the job counts as a person's call. */
export const staticExportAdopter = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
}): StaticExportAdopter => {
  const { db, adminApi } = deps
  const { limiter, now, schedule } = deps.polling
  const read = async (jobId: string) => {
    await schedule.refresh()
    return limiter.call(() => adminApi.getStaticExport(jobId))
  }

  return {
    import: async ({ jobId, domain, by }) => {
      await refuseTracked(db, jobId)
      const snapshot = await read(jobId)
      const exportId = randomUUID()
      await withoutTwins(db, jobId, () =>
        db.transaction(async (tx) => {
          const first = {
            exportId,
            domain,
            jobId,
            state: 'accepted',
            imported: true,
            startedAt: new Date(now()),
          } as const
          const [row] = await tx.insert(staticExports).values(first).returning()
          const set = selectChanges(afterAnswer(row!, snapshot, { now: now(), schedule }))
          await tx.update(staticExports).set(set).where(isExport(exportId))
          await countExportChange(tx, isExport(exportId))
          // Docket did not see how the job got its status, so it is part of this event.
          await recordExportEvents(tx, exportId, [
            { kind: 'imported', at: first.startedAt, by, to: set.status ?? null },
          ])
        }),
      )
      return exportId
    },
    attach: async (exportId, { jobId, by }) => {
      refuseUnlessUnknown(await findListed(db, exportId))
      await refuseTracked(db, jobId)
      const snapshot = await read(jobId)
      await withoutTwins(db, jobId, () =>
        db.transaction(async (tx) => {
          const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
          if (row === undefined || row.removedAt !== null) return
          refuseUnlessUnknown(row)
          const outcome = { ...afterAnswer(row, snapshot, { now: now(), schedule }), jobId }
          await tx.update(staticExports).set(selectChanges(outcome)).where(isExport(exportId))
          await countExportChange(tx, isExport(exportId))
          const at = new Date(now())
          const found = listEvents(row, outcome, { now: at.getTime(), runningSince: at.getTime() })
          await recordExportEvents(tx, exportId, [
            { kind: 'attached', at, by, to: jobId },
            ...found.filter(({ kind }) => kind !== 'accepted'),
          ])
        }),
      )
    },
  }
}
