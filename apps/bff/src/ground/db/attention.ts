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

/** Changes a listed record. False when it is not `which`. */
const changeListed = async (
  tx: Tx,
  table: PgTable & Record<'removedAt', PgColumn>,
  which: SQL | undefined,
  set: object,
): Promise<boolean> => {
  const updated = await tx
    .update(table as PgTable)
    .set(set)
    .where(and(which, isNull(table.removedAt)))
  return (updated.rowCount ?? 0) > 0
}

/** Settles the trouble of a listed record. False when it needs no attention. */
export const settleTrouble = (tx: Tx, table: TroubledTable, which: SQL | undefined): Promise<boolean> =>
  changeListed(tx, table, and(which, needsAttention(table)), { settledTrouble: sql`${table.troubledAt}` })

/** Undoes `settleTrouble`. False for trouble that is not settled. */
export const unsettleTrouble = (tx: Tx, table: TroubledTable, which: SQL | undefined): Promise<boolean> =>
  changeListed(tx, table, and(which, eq(table.settledTrouble, table.troubledAt)), { settledTrouble: null })

export const noteColumns = {
  note: text('note'),
  noteBy: text('note_by'),
  noteAt: instant('note_at'),
}

type NoteRow = { note: string | null; noteBy: string | null; noteAt: Date | null }

export const toNote = ({ note, noteBy, noteAt }: NoteRow): RecordNote | null =>
  note === null || noteAt === null ? null : { text: note, by: noteBy ?? '', at: noteAt.toISOString() }

/** Writes the note of a listed record; an empty one removes it. False when it is unchanged. */
export const writeNote = (
  tx: Tx,
  table: PgTable & Record<'removedAt' | 'note', PgColumn>,
  which: SQL | undefined,
  { note: typed, by, at }: { note: string; by: string; at: Date },
): Promise<boolean> => {
  const note = typed === '' ? null : typed
  const set = note === null ? { note, noteBy: null, noteAt: null } : { note, noteBy: by, noteAt: at }
  return changeListed(tx, table, and(which, sql`${table.note} is distinct from ${note}`), set)
}
