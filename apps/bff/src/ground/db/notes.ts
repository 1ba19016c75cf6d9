import type { RecordNote } from '@docket/api-types/list'
import { and, isNull, sql, type SQL } from 'drizzle-orm'
import { text, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './database.ts'
import { instant } from './watch-columns.ts'

export const noteColumns = {
  note: text('note'),
  noteBy: text('note_by'),
  noteAt: instant('note_at'),
}

type NoteRow = { note: string | null; noteBy: string | null; noteAt: Date | null }

export const toNote = ({ note, noteBy, noteAt }: NoteRow): RecordNote | null =>
  note === null || noteAt === null ? null : { text: note, by: noteBy ?? '', at: noteAt.toISOString() }

/** Writes the note of a listed record; an empty one removes it. False when it is unchanged. */
export const writeNote = async (
  tx: Tx,
  table: PgTable & Record<'removedAt' | 'note', PgColumn>,
  which: SQL | undefined,
  { note: typed, by, at }: { note: string; by: string; at: Date },
): Promise<boolean> => {
  const note = typed === '' ? null : typed
  const set = note === null ? { note, noteBy: null, noteAt: null } : { note, noteBy: by, noteAt: at }
  const updated = await tx
    .update(table)
    .set(set as object)
    .where(and(which, isNull(table.removedAt), sql`${table.note} is distinct from ${note}`))
  return (updated.rowCount ?? 0) > 0
}
