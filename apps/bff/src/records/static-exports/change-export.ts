import { recordMarks, recordActions, type Treatment, treatStatus } from '#records/change-record.ts'
import type { ExportsCtx, ExportsHere } from '#records/static-exports/exports-ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { getExport } from './read-exports.ts'
import { wasExportedAgain, writeOutcome } from './settle-exports.ts'
import {
  countExportChange,
  findKnownExport,
  findListedExport,
  isExport,
  lockDomain,
  recordExportEvents,
  exportNotListedError,
} from './static-exports.rows.ts'
import { isUnrecognised, afterAnswer, describeExportActions } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'
import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { listExportEvents } from './static-exports.history.ts'

const marks = recordMarks({
  table: staticExports,
  isRecord: isExport,
  countChange: (tx, exportId: string) => countExportChange(tx, isExport(exportId)),
  recordEvents: recordExportEvents,
})

/** Idempotent. */
export const dismissExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  await marks.dismiss(ctx, exportId, by)
  return getExport(ctx, exportId)
}

/** Changes nothing when a later success settled the export. */
export const undoDismissal = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { db, now } = ctx
  const { domain } = await findKnownExport(db, exportId)
  await db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const [row] = await tx.select().from(staticExports).where(isExport(exportId))
    if (row !== undefined && !(await wasExportedAgain(tx, row)))
      await marks.undoDismissal(tx, exportId, { at: new Date(now()), by })
  })
  return getExport(ctx, exportId)
}

export const noteExport = async (ctx: ExportsCtx, exportId: string, note: { note: string; by: Actor }) => {
  await marks.note(ctx, exportId, note)
  return getExport(ctx, exportId)
}

/** Throws as `treatStatus` does. */
export const treatExportStatus = async (ctx: ExportsCtx, exportId: string, treatment: Treatment) => {
  const row = await findListedExport(ctx.db, exportId)
  const { readNow } = ctx.connections.open(row.connectionId).exports
  await treatStatus(
    ctx,
    { ...row, ...treatment, isOpen: isUnrecognised(row) },
    { recordEvents: (tx, said) => recordExportEvents(tx, exportId, said), read: () => readNow({ exportId }, null) },
  )
  return getExport(ctx, exportId)
}

const { lock, act } = recordActions({
  table: staticExports,
  isRecord: isExport,
  notListedError: exportNotListedError,
  recordEvents: recordExportEvents,
})

const storeCancelAnswer = (
  { db, now, events }: ExportsCtx,
  { polling }: ExportsHere,
  { exportId, domain, snapshot }: { exportId: string; domain: string; snapshot: StaticExportSnapshot },
) =>
  db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const row = await lock(tx, exportId)
    const after = afterAnswer(row, snapshot, { now: now(), schedule: polling.schedule })
    const history = listExportEvents(row, after, { now: now(), runningSince: now() })
    // A read in progress loses its lease, so it cannot write its older answer.
    await writeOutcome(tx, events, { before: row, after, history }, { leaseOwner: null, leaseUntil: null })
  })

/** Throws `conflict` with the reason when that is not possible, and as `act` does. */
export const cancelExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { domain, connectionId } = await findKnownExport(ctx.db, exportId)
  const { exports: here } = ctx.connections.open(connectionId)
  await act(ctx, here, exportId, {
    operation: 'cancelStaticExport',
    event: 'cancel_requested',
    by,
    refuse: (row) => {
      const actions = describeExportActions(row, { embedded: here.polling.embedded, isOpen: true })
      const reason = actions === null ? 'This service has no way to cancel an export.' : actions.cancel
      return reason === null ? null : new AppError('conflict', reason, { exportId })
    },
    call: ({ jobId }) => here.adminApi.cancelStaticExport(jobId!),
    storeAnswer: (snapshot) => storeCancelAnswer(ctx, here, { exportId, domain, snapshot }),
  })
  return getExport(ctx, exportId)
}
