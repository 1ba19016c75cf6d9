import type { RecordMove } from '@docket/api-types/connections'
import { unassignedId } from '#ground/db/connections.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { moveRecords, previewMove } from '#service/connections/assign-records.ts'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import { audit, lockConnectionRow, writeLockedConnections } from './connection-settings.ts'

/** Locks both connections. Throws `conflict` unless the first one has no service that could be asked, and the second one has. */
const lockMove = async (tx: Tx, from: string, to: string): Promise<ConnectionRow> => {
  const source = from === unassignedId ? null : await lockConnectionRow(tx, from)
  if (source !== null && (source.goneAt === null || source.kind !== 'service'))
    throw new AppError('conflict', 'You can only move records of a removed connection, or without a known service.')
  const target = await lockConnectionRow(tx, to)
  if (target.goneAt !== null)
    throw new AppError('conflict', `${target.name} is gone, too. Choose another connection.`, { field: 'to' })
  return target
}

export const countMove = (ctx: ServiceCtx, from: string, to: string): Promise<RecordMove> =>
  ctx.db.transaction(async (tx) => {
    await lockMove(tx, from, to)
    return previewMove(tx, from, to)
  })

/** Skips what exists at the target. */
export const moveConnectionRecords = async (ctx: ServiceCtx, from: string, to: string, by: Actor): Promise<void> => {
  await writeLockedConnections(ctx, async (tx) => {
    const target = await lockMove(tx, from, to)
    const { moves, stays } = await previewMove(tx, from, to)
    const records = await moveRecords(tx, from, to)
    const rights = { sites: moves.sites, roles: moves.roles, tokens: moves.tokens }
    await audit(ctx, by)(tx, 'connection.records_moved', target, {
      records,
      stayed: stays.staticExports + stays.agentJobs,
      ...(from !== unassignedId && { from, ...rights }),
    })
  })
  ctx.registry.wake()
}
