import { type Mark, recordMarks } from '#records/mark-record.ts'
import { isAnswered } from './settle-exports.ts'
import { countExportChange, findTarget, isExport, lockDomain, recordExportEvents } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

export const exportMarks = recordMarks({
  table: staticExports,
  isRecord: isExport,
  countChange: (tx, exportId: string) => countExportChange(tx, isExport(exportId)),
  recordEvents: recordExportEvents,
})

/** Undoes a dismissal. Changes nothing when a later success settled the export. */
export const undoDismissal: Mark<string> = async (db, exportId, act) => {
  const { domain } = await findTarget(db, exportId)
  await db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const [row] = await tx.select().from(staticExports).where(isExport(exportId))
    if (row !== undefined && !(await isAnswered(tx, row))) await exportMarks.undoDismissal(tx, exportId, act)
  })
}
