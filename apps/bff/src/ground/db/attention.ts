import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { type PgColumn, type PgTable, text } from 'drizzle-orm/pg-core'
import type { Tx } from './database.ts'
import { instant } from './watch-columns.ts'
import type { RecordNote } from '@docket/api-types/list'

export const attentionColumns = {
  /**
   * The `troubledAt` that a later success or a person settled. New trouble has another time, so the record needs attention again, even if
   * an earlier build writes it.
   */
  settledTrouble: instant('settled_trouble'),
}

type TroubledTable = PgTable & Record<'removedAt' | 'troubledAt' | 'settledTrouble', PgColumn>

/**
 * Condition for records that need attention: in trouble that nothing settled. The partial indexes repeat it, and the database has
 * statistics on this form of it, because most trouble is settled.
 */
export const needsAttention = (table: Record<'troubledAt' | 'settledTrouble', SQL | PgColumn>): SQL =>
  sql`nullif(${table.troubledAt}, ${table.settledTrouble}) is not null`

export const isUnsettled = (row: { troubledAt: Date | null; settledTrouble: Date | null }): boolean =>
  row.troubledAt !== null && row.settledTrouble?.getTime() !== row.troubledAt.getTime()

/** Settles the trouble of a listed record. False when it needs no attention. */
export const settleTrouble = async (tx: Tx, table: TroubledTable, which: SQL | undefined): Promise<boolean> => {
  const updated = await tx
    .update(table as PgTable)
    .set({ settledTrouble: sql`${table.troubledAt}` } as object)
    .where(and(which, isNull(table.removedAt), needsAttention(table)))
  return (updated.rowCount ?? 0) > 0
}

/** Undoes `settleTrouble`. False for trouble that is not settled. */
export const unsettleTrouble = async (tx: Tx, table: TroubledTable, which: SQL | undefined): Promise<boolean> => {
  const updated = await tx
    .update(table as PgTable)
    .set({ settledTrouble: null } as object)
    .where(and(which, isNull(table.removedAt), eq(table.settledTrouble, table.troubledAt)))
  return (updated.rowCount ?? 0) > 0
}

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
