import { and, eq, isNull } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database } from '#ground/db/database.ts'
import { toAuditTarget } from '#service/history/history.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { countExportChange, findListed, isExport, recordExportEvents } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'
import { bundleName } from './static-exports.state.ts'

/** The bundle of a completed export, for downloads. `name` is its file name without the ending; `jobId` is null for an uploaded one. */
export type BundleRecord = { exportId: string; jobId: string | null; name: string; sizeBytes: number | null }

/** One use of a bundle. */
export type BundleUse = { kind: 'bundle_prepared' | 'downloaded' | 'link_copied'; by: Actor }

/** Finds the bundle of a listed export. `conflict` unless the export is completed. */
export const bundleRecord = async (db: Database, exportId: string): Promise<BundleRecord> => {
  const row = await findListed(db, exportId)
  const { jobId, bundleSizeBytes: sizeBytes } = row
  if (row.state !== 'completed')
    throw new AppError('conflict', 'Only a completed export has a bundle. Wait until this one completes.', {
      exportId,
    })
  return { exportId, jobId, name: bundleName(row), sizeBytes }
}

/** Records a download in the audit, before the bundle is sent: whole, in part, or by a link of the storage (`how`). */
export const recordDownload = (
  db: Database,
  exportId: string,
  { by, at, how }: { by: Actor; at: Date; how: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const target = await toAuditTarget(tx, { type: 'static_export', exportId })
    await recordAudit(tx, by, { action: 'bundle.downloaded', at, target, details: { how } })
  })

/** Records the use of a bundle, and its size and checksum when known. */
export const recordBundleUse = (
  db: Database,
  exportId: string,
  { facts, use, at }: { facts: { sizeBytes?: number; sha256?: string }; use: BundleUse; at: Date },
): Promise<void> =>
  db.transaction(async (tx) => {
    const { sizeBytes, sha256 } = facts
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
