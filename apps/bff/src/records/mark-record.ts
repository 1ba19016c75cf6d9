import type { SQL } from 'drizzle-orm'
import type { Ctx } from '#ground/ctx.ts'
import { settleTrouble, unsettleTrouble } from '#ground/db/attention.ts'
import type { Tx } from '#ground/db/database.ts'
import { writeNote } from '#ground/db/notes.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { NewEvent } from '#service/history/history.ts'

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
