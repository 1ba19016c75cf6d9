import type { StatusMeaning } from '@docket/api-types/connections'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { rememberStatusMeaning } from '#service/connections/status-meanings.ts'
import type { NewEvent } from '#service/history/history.ts'

export type Treatment = { as: StatusMeaning; by: Actor }

/**
 * Remembers what the status of a record means at its connection, and reads the record, which ends it in the same way as a status of the
 * contract. Throws `conflict` unless the record `isOpen` with a status that Docket doesn't know.
 */
export const treatStatus = async (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  row: Treatment & { status: string | null; connectionId: string; isOpen: boolean },
  records: { recordEvents: (tx: Tx, events: readonly NewEvent[]) => Promise<void>; read: () => Promise<unknown> },
): Promise<void> => {
  const { status, connectionId, as, by } = row
  if (status === null || !row.isOpen) throw new AppError('conflict', 'Docket knows this status now. Reload the page.')
  await db.transaction(async (tx) => {
    await rememberStatusMeaning(tx, connectionId, { status, as })
    await records.recordEvents(tx, [{ kind: 'treated_as', at: new Date(now()), by, from: status, to: as }])
  })
  await records.read().catch((error: unknown) => {
    // The next read ends the record.
    if (!(error instanceof AppError)) throw error
  })
}
