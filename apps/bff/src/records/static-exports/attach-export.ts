import { randomUUID } from 'node:crypto'
import type { ImportStaticExport } from '@docket/api-types/static-exports'
import type { ExportsCtx, ExportsHere } from '#records/static-exports/exports-ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { normaliseDomain } from '#ground/domain.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import { getExport } from './read-exports.ts'
import { afterAnswer, type StaticExportRow } from './static-exports.state.ts'
import { listExportEvents } from './static-exports.history.ts'
import { writeOutcome } from './settle-exports.ts'
import {
  isExport,
  findListedExport,
  findKnownExport,
  lockDomain,
  refuseTrackedJob,
  writeUniqueJob,
} from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

const requireAttachable = ({ state, replacedBy, exportId, checkFailure }: StaticExportRow, jobId: string): void => {
  if (replacedBy !== null)
    throw new AppError('conflict', 'This export was started again. Add the job by its ID instead.', {
      exportId: replacedBy,
    })
  if (state !== 'unknown' && !(state === 'refused' && checkFailure?.jobId === jobId))
    throw new AppError('conflict', 'Only an export with an unknown outcome can be given a job ID.', { exportId })
}

const readUpstreamJob = async ({ adminApi, polling: { limiter, schedule } }: ExportsHere, jobId: string) => {
  await schedule.refresh()
  return limiter.call(() => adminApi.getStaticExport(jobId))
}

/** Reading the job counts as a click. Throws `conflict` when it is already listed, and `upstream_*` when the read fails. */
export const importExport = async (ctx: ExportsCtx, request: ImportStaticExport, by: Actor, scope: TokenScope) => {
  const { db, now, events, connections } = ctx
  const { domain, notes } = normaliseDomain(request.domain)
  const connectionId = await connections.choose(request.connectionId, scope, { domain })
  const { exports: here } = connections.open(connectionId)
  const { jobId } = request
  await refuseTrackedJob(db, { connectionId, jobId })
  const snapshot = await readUpstreamJob(here, jobId)
  const exportId = randomUUID()
  await writeUniqueJob(db, { connectionId, jobId }, () =>
    db.transaction(async (tx) => {
      const startedAt = new Date(now())
      await lockDomain(tx, domain)
      const [row] = await tx
        .insert(staticExports)
        .values({ exportId, connectionId, domain, jobId, state: 'accepted', imported: true, startedAt })
        .returning()
      const after = afterAnswer(row!, snapshot, { now: now(), schedule: here.polling.schedule })
      // Docket did not see how the job reached its status, so the status is part of this event.
      const imported = { kind: 'imported', at: startedAt, by, to: after.status } as const
      await writeOutcome(tx, events, { before: row!, after, history: [imported] })
    }),
  )
  here.watcher.wake()
  return { export: await getExport(ctx, exportId), domainNotes: notes }
}

/** Throws `conflict` unless the export is `unknown`, or `refused` with this job named by the service, or when the job is already listed, and `upstream_*` when the read fails. */
export const attachExport = async (ctx: ExportsCtx, exportId: string, { jobId, by }: { jobId: string; by: Actor }) => {
  const { db, now, events, connections } = ctx
  const { connectionId } = await findKnownExport(db, exportId)
  const { exports: here } = connections.open(connectionId)
  const known = await findListedExport(db, exportId)
  requireAttachable(known, jobId)
  await refuseTrackedJob(db, { connectionId, jobId })
  const snapshot = await readUpstreamJob(here, jobId)
  await writeUniqueJob(db, { connectionId, jobId }, () =>
    db.transaction(async (tx) => {
      await lockDomain(tx, known.domain)
      const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
      if (row === undefined || row.removedAt !== null) return
      requireAttachable(row, jobId)
      const outcome = { ...afterAnswer(row, snapshot, { now: now(), schedule: here.polling.schedule }), jobId }
      const at = new Date(now())
      const found = listExportEvents(row, outcome, { now: at.getTime(), runningSince: at.getTime() })
      const attached = { kind: 'attached', at, by, to: jobId } as const
      const history = [attached, ...found.filter(({ kind }) => kind !== 'accepted')]
      await writeOutcome(tx, events, { before: row, after: outcome, history })
    }),
  )
  here.watcher.wake()
  return getExport(ctx, exportId)
}
