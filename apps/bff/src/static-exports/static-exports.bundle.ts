import { and, eq, isNull } from 'drizzle-orm'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { auditTargetOf } from '#history/audited-events.ts'
import { AppError } from '#errors/app-error.ts'
import { countExportChange, isExport, findListed, recordExportEvents } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'
import { bundleFileName } from './static-exports.view.ts'

/** What the rest of Docket may know about the bundle of a completed export. */
export type BundleRecord = { exportId: string; jobId: string; fileName: string; sizeBytes: number | null }

/** What somebody did with a bundle. */
export type BundleUse = { kind: 'bundle_prepared' | 'downloaded' | 'link_copied'; by: Actor }

/** The bundle of a listed export; `conflict` unless the export is completed. */
export const bundleRecord = async (db: Database, exportId: string): Promise<BundleRecord> => {
  const row = await findListed(db, exportId)
  const { jobId, bundleSizeBytes: sizeBytes } = row
  if (row.state !== 'completed' || jobId === null)
    throw new AppError('conflict', 'Only a completed export has a bundle. Wait until this one is completed.', {
      exportId,
    })
  return { exportId, jobId, fileName: bundleFileName(row), sizeBytes }
}

/** Writes down that somebody is about to be sent a bundle, and `how`: whole, a part, or by a link of the storage; it is not sent when this fails. */
export const recordDownload = (
  db: Database,
  exportId: string,
  { by, at, how }: { by: Actor; at: Date; how: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const target = await auditTargetOf(tx, { type: 'static_export', exportId })
    await recordAudit(tx, by, { action: 'bundle.downloaded', at, target, details: { how } })
  })

/** Keeps what was done with a bundle, and what was learnt about it on the way. */
export const recordBundleUse = (
  db: Database,
  exportId: string,
  { learnt, use, at }: { learnt: { sizeBytes?: number; sha256?: string }; use: BundleUse; at: Date },
): Promise<void> =>
  db.transaction(async (tx) => {
    const { sizeBytes, sha256 } = learnt
    if (sizeBytes !== undefined || sha256 !== undefined) {
      const set = {
        ...(sizeBytes === undefined ? {} : { bundleSizeBytes: sizeBytes }),
        ...(sha256 === undefined ? {} : { bundleSha256: sha256 }),
        bundlePreparedAt: at,
      }
      await tx
        .update(staticExports)
        .set(set)
        .where(and(isExport(exportId), isNull(staticExports.removedAt), eq(staticExports.state, 'completed')))
      await countExportChange(tx, isExport(exportId))
    }
    await recordExportEvents(tx, exportId, [{ ...use, at }])
  })
