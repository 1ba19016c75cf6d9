import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { recordActions } from '#records/act-on-record.ts'
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
import { afterAnswer, describeExportActions } from './static-exports.state.ts'
import { listExportEvents } from './static-exports.history.ts'
import { staticExports } from './static-exports.table.ts'

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
