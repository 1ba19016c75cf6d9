import { settleTrouble, unsettleTrouble } from '#ground/db/attention.ts'
import type { Database } from '#ground/db/database.ts'
import { writeNote } from '#ground/db/notes.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { isAnswered } from './settle-exports.ts'
import { countExportChange, findTarget, isExport, lockDomain, recordExportEvents } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

type Act = { at: Date; by: Actor }

/** Says that an export needs no attention. Idempotent. */
export const dismissExport = (db: Database, exportId: string, { at, by }: Act): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await settleTrouble(tx, staticExports, isExport(exportId)))) return
    await countExportChange(tx, isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'dismissed', at, by }])
  })

/** Undoes `dismissExport`. Changes nothing when a later success settled the export. */
export const undoDismissal = async (db: Database, exportId: string, { at, by }: Act): Promise<void> => {
  const { domain } = await findTarget(db, exportId)
  await db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const [row] = await tx.select().from(staticExports).where(isExport(exportId))
    if (row === undefined || (await isAnswered(tx, row))) return
    if (!(await unsettleTrouble(tx, staticExports, isExport(exportId)))) return
    await countExportChange(tx, isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'dismissal_undone', at, by }])
  })
}

/** Writes the note of an export; an empty one removes it. */
export const noteExport = (db: Database, exportId: string, { note, at, by }: Act & { note: string }): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await writeNote(tx, staticExports, isExport(exportId), { note, by: by.name, at }))) return
    await countExportChange(tx, isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'note_changed', at, by, to: String(note.length) }])
  })
