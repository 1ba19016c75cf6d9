import type { SQL } from 'drizzle-orm'
import { settleTrouble, unsettleTrouble } from '#ground/db/attention.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { writeNote } from '#ground/db/notes.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { NewEvent } from '#service/history/history.ts'

type Act = { at: Date; by: Actor }

/** Writes what a person says of a record. */
export type Mark<Key> = (db: Database, key: Key, act: Act) => Promise<void>

/** What people say of records of one kind. Each changes a listed record only, writes what it changed into the history, and is idempotent. */
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
    /** Says that a record needs no attention. */
    dismiss: (db: Database, key: Key, { at, by }: Act): Promise<void> =>
      db.transaction(async (tx) =>
        record(tx, key, await settleTrouble(tx, table, isRecord(key)), { kind: 'dismissed', at, by }),
      ),
    /** Inside the caller's transaction, which may first look whether the trouble is over. */
    undoDismissal: async (tx: Tx, key: Key, { at, by }: Act): Promise<void> =>
      record(tx, key, await unsettleTrouble(tx, table, isRecord(key)), { kind: 'dismissal_undone', at, by }),
    /** Writes the note of a record; an empty one removes it. */
    note: (db: Database, key: Key, { note, at, by }: Act & { note: string }): Promise<void> =>
      db.transaction(async (tx) => {
        const changed = await writeNote(tx, table, isRecord(key), { note, by: by.name, at })
        await record(tx, key, changed, { kind: 'note_changed', at, by, to: String(note.length) })
      }),
  }
}
