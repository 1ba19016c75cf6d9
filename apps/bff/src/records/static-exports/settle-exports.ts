import { and, eq, gt, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { needsAttention } from '#ground/db/attention.ts'
import type { Tx } from '#ground/db/database.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { NewEvent } from '#service/history/history.ts'
import { countExportChange, isExport, lockDomain, recordExportEvents } from './static-exports.rows.ts'
import { isActive, isCancelled, selectChangedColumns, type StaticExportRow } from './static-exports.state.ts'
import { progressScales } from '#service/connections/progress-scales.table.ts'
import { staticExports } from './static-exports.table.ts'

/** The paths may be in any order. */
const hasSamePages = ({ connectionId, domain, version, paths }: StaticExportRow): SQL | undefined => {
  const json = JSON.stringify(paths)
  return and(
    eq(staticExports.connectionId, connectionId),
    eq(staticExports.domain, domain),
    version === null ? isNull(staticExports.version) : eq(staticExports.version, version),
    paths === null
      ? isNull(staticExports.paths)
      : sql`${staticExports.paths} @> ${json}::jsonb and ${staticExports.paths} <@ ${json}::jsonb`,
    isNull(staticExports.removedAt),
  )
}

/** True when a listed export of the same pages that started later is completed. */
export const wasExportedAgain = async (tx: Tx, row: StaticExportRow): Promise<boolean> => {
  const later = await tx
    .select({ exportId: staticExports.exportId })
    .from(staticExports)
    .where(and(eq(staticExports.group, 'completed'), gt(staticExports.startedAt, row.startedAt), hasSamePages(row)))
    .limit(1)
  return later.length > 0
}

/** Locks the outcomes of a domain until the transaction ends, so the second of two sees the first. Call it before locking any row. */
export const lockOutcome = async (tx: Tx, row: Pick<StaticExportRow, 'domain' | 'state' | 'goneAt'>): Promise<void> => {
  if (!isActive(row)) await lockDomain(tx, row.domain)
}

const settleTroubles = async (tx: Tx, row: StaticExportRow): Promise<string[]> => {
  const isCompleted = row.state === 'completed'
  if (isActive(row) || (!isCompleted && !isCancelled(row) && !(await wasExportedAgain(tx, row)))) return []
  const answered = isCompleted
    ? and(lt(staticExports.startedAt, row.startedAt), hasSamePages(row))
    : isExport(row.exportId)
  const settled = await tx
    .update(staticExports)
    .set({ settledTrouble: sql`${staticExports.troubledAt}` })
    .where(and(answered, needsAttention(staticExports)))
    .returning({ exportId: staticExports.exportId })
  return settled.map(({ exportId }) => exportId)
}

/**
 * Counts an outcome as a change of the list, and settles the trouble that it resolves. A completed export settles earlier failures of the
 * same pages. A failed export is settled itself when a later export is already completed, or when a person cancelled it. Call it last in
 * the transaction, after `lockOutcome`.
 */
export const countExportOutcome = async (tx: Tx, row: StaticExportRow): Promise<void> =>
  countExportChange(tx, inArray(staticExports.exportId, [row.exportId, ...(await settleTroubles(tx, row))]))

/** A number above 1 proves percent. */
const learnProgressScale = async (tx: Tx, before: StaticExportRow, after: StaticExportRow): Promise<void> => {
  const { connectionId } = after
  if (after.progressIsPercent) {
    if (before.progressIsPercent) return
    const set = { percent: true }
    await tx
      .insert(progressScales)
      .values({ connectionId, ...set })
      .onConflictDoUpdate({ target: progressScales.connectionId, set, setWhere: eq(progressScales.percent, false) })
  } else if (after.progressEvidence === 'fraction' && before.progressEvidence !== 'fraction') {
    const set = { fractions: sql`${progressScales.fractions} + 1` }
    await tx
      .insert(progressScales)
      .values({ connectionId, fractions: 1 })
      .onConflictDoUpdate({ target: progressScales.connectionId, set })
  }
}

/** Everything that follows from an answer, in whatever way it came. `before` is null for a row without one. */
export const announceOutcome = async (
  tx: Tx,
  events: Ctx['events'],
  before: StaticExportRow | null,
  after: StaticExportRow,
): Promise<void> => {
  const { exportId, state } = after
  if (before !== null) await learnProgressScale(tx, before, after)
  if (state === 'completed' && before?.state !== state) await events.emit(tx, 'export.completed', { exportId })
}

/** Call this last in the transaction, after `lockOutcome`. */
export const writeOutcome = async (
  tx: Tx,
  events: Ctx['events'],
  { before, after, history }: { before: StaticExportRow; after: StaticExportRow; history: readonly NewEvent[] },
  columns: Partial<StaticExportRow> = {},
): Promise<void> => {
  const { exportId } = after
  await tx
    .update(staticExports)
    .set({ ...selectChangedColumns(after), ...columns })
    .where(isExport(exportId))
  await announceOutcome(tx, events, before, after)
  await countExportOutcome(tx, after)
  await recordExportEvents(tx, exportId, history)
}
