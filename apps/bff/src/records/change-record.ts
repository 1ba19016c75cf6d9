import { and, isNull, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { AdminApiOperation } from '#service/admin-api/admin-api.ts'
import type { NewEvent } from '#service/history/history.ts'
import type { WatchedTable } from '#service/polling/claim.ts'
import type { Polling } from '#service/polling/polling.ts'
import { settleTrouble, unsettleTrouble, writeNote } from '#ground/db/attention.ts'
import type { StatusMeaning } from '@docket/api-types/connections'
import { rememberStatusMeaning } from '#service/connections/status-meanings.ts'

/** Actions of people on listed records at the service, such as stopping one. */
export const recordActions = <T extends WatchedTable, Key>({
  table,
  isRecord,
  notListedError,
  recordEvents,
}: {
  table: T
  isRecord: (key: Key) => SQL | undefined
  notListedError: () => AppError
  recordEvents: (tx: Tx, key: Key, events: readonly NewEvent[]) => Promise<void>
}) => {
  type Row = InferSelectModel<T>

  const planRead = (tx: Tx, key: Key, nextCheckAt: Date) =>
    tx
      .update(table as PgTable)
      .set({ nextCheckAt } as object)
      .where(isRecord(key))

  const lock = async (tx: Tx, key: Key): Promise<Row> => {
    const which = and(isRecord(key), isNull(table.removedAt))
    const [row] = await tx
      .select()
      .from(table as PgTable)
      .where(which)
      .for('update')
    if (row === undefined) throw notListedError()
    return row as Row
  }

  return {
    /** Throws as `notListedError` says. */
    lock,
    /** Makes one call and never repeats it. Throws what `refuse` returns, or `upstream_*`. */
    act: async <Answer>(
      { db, now }: Pick<Ctx, 'db' | 'now'>,
      { polling, watcher }: { polling: Polling; watcher: { wake: () => void } },
      key: Key,
      action: {
        operation: AdminApiOperation
        event: NewEvent['kind']
        by: Actor
        refuse: (row: Row) => AppError | null
        call: (row: Row) => Promise<Answer>
        storeAnswer: (answer: Answer) => Promise<unknown>
      },
    ): Promise<void> => {
      const { operation, event, by, refuse, call, storeAnswer } = action
      const writeIntent = () =>
        db.transaction(async (tx) => {
          const row = await lock(tx, key)
          const refusal = refuse(row)
          if (refusal !== null) throw refusal
          // Read the record again, whatever the outcome of the call.
          await planRead(tx, key, new Date(now() + polling.lease.leaseMs))
          await recordEvents(tx, key, [{ kind: event, at: new Date(now()), by }])
          return { row, granted: await polling.limiter.grant(tx, operation) }
        })
      const storeFailure = ({ message }: AdminApiError) =>
        db.transaction(async (tx) => {
          const at = new Date(now())
          await planRead(tx, key, at)
          await recordEvents(tx, key, [{ kind: 'action_failed', at, to: message }])
        })
      const ask = async () => {
        await polling.schedule.refresh()
        const { row, granted } = await writeIntent()
        // The outcome is written even if the caller disconnects in the meantime.
        await withoutDeadline(async () => {
          try {
            await storeAnswer(await granted.call(() => call(row)))
          } catch (error) {
            if (error instanceof AdminApiError) await storeFailure(error)
            throw error
          }
        })
      }
      // A failed call makes the record due for a read.
      await ask().finally(watcher.wake)
    },
  }
}

type Act = Pick<Ctx, 'db' | 'now'>

/** Each mark changes a listed record only, is recorded in the history, and is idempotent. */
export const recordMarks = <Key>({
  table,
  isRecord,
  countChange,
  recordEvents,
}: {
  table: Parameters<typeof settleTrouble>[1] & Parameters<typeof writeNote>[1]
  isRecord: (key: Key) => SQL | undefined
  countChange: (tx: Tx, key: Key) => Promise<void>
  recordEvents: (tx: Tx, key: Key, events: readonly NewEvent[]) => Promise<void>
}) => {
  const record = async (tx: Tx, key: Key, changed: boolean, event: NewEvent) => {
    if (!changed) return
    await countChange(tx, key)
    await recordEvents(tx, key, [event])
  }
  return {
    dismiss: ({ db, now }: Act, key: Key, by: Actor): Promise<void> =>
      db.transaction(async (tx) => {
        const changed = await settleTrouble(tx, table, isRecord(key))
        await record(tx, key, changed, { kind: 'dismissed', at: new Date(now()), by })
      }),
    /** Runs inside the caller's transaction, which may first check whether the trouble has ended. */
    undoDismissal: async (tx: Tx, key: Key, { at, by }: { at: Date; by: Actor }): Promise<void> =>
      record(tx, key, await unsettleTrouble(tx, table, isRecord(key)), { kind: 'dismissal_undone', at, by }),
    /** An empty note removes the note. */
    note: ({ db, now }: Act, key: Key, { note, by }: { note: string; by: Actor }): Promise<void> =>
      db.transaction(async (tx) => {
        const at = new Date(now())
        const changed = await writeNote(tx, table, isRecord(key), { note, by: by.name, at })
        await record(tx, key, changed, { kind: 'note_changed', at, by, to: String(note.length) })
      }),
  }
}

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
