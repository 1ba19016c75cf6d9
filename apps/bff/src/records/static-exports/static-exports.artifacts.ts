import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Actor } from '#ground/identity/identity.ts'
import {
  countExportChange,
  findKnownExport,
  findListedExport,
  isExport,
  lockDomain,
  recordExportEvents,
} from './static-exports.rows.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import { normaliseDomain } from '#ground/domain.ts'
import { announceOutcome, countExportOutcome } from './settle-exports.ts'
import { findSameRequest } from './start-export.ts'
import { type StaticExportRow, formatBundleName } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { toAuditTarget } from '#service/history/history.ts'

/** `name` is the file name without the extension; `jobId` is null for an uploaded bundle. */
export type BundleRecord = { exportId: string; jobId: string | null; name: string; sizeBytes: number | null }

export type BundleUse = { kind: 'bundle_prepared' | 'downloaded' | 'link_copied'; by: Actor }

/** Throws `not_found` unless the export is listed, and `conflict` unless it is completed. */
export const findBundle = async ({ db }: Pick<Ctx, 'db'>, exportId: string): Promise<BundleRecord> => {
  const row = await findListedExport(db, exportId)
  const { jobId, bundleSizeBytes: sizeBytes } = row
  if (row.state !== 'completed') throw new AppError('conflict', 'Only a completed export has a bundle.', { exportId })
  return { exportId, jobId, name: formatBundleName(row), sizeBytes }
}

/** Call this before the bundle is sent. `how`: whole, in part, or by a link to the storage. */
export const recordDownload = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  exportId: string,
  { by, how }: { by: Actor; how: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const target = await toAuditTarget(tx, { type: 'static_export', exportId })
    await recordAudit(tx, by, { action: 'bundle.downloaded', at: new Date(now()), target, details: { how } })
  })

export const recordBundle = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  exportId: string,
  { sizeBytes, sha256 }: { sizeBytes?: number; sha256?: string },
  use: BundleUse,
): Promise<void> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
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

const toExportForArtifact = ({ exportId, connectionId, domain, startedAt, state, jobId }: StaticExportRow) => ({
  exportId,
  connectionId,
  domain,
  startedAt,
  isCompleted: state === 'completed',
  jobId,
})

export const exportsForArtifacts = ({ db, events }: Pick<Ctx, 'db' | 'events'>) => ({
  find: async (exportId: string) => toExportForArtifact(await findListedExport(db, exportId)),
  findKnown: async (tx: Tx, exportId: string) => toExportForArtifact(await findKnownExport(tx, exportId)),
  countChange: async (tx: Tx, exportIds: readonly string[]) => {
    if (exportIds.length === 0) return
    const which = inArray(staticExports.exportId, [...exportIds])
    // Lock the rows before the list, in the same order as other code that changes a row.
    await tx
      .select({ exportId: staticExports.exportId })
      .from(staticExports)
      .where(which)
      .orderBy(staticExports.exportId)
      .for('no key update')
    await countExportChange(tx, which)
  },
  recordEvents: recordExportEvents,
  noteBundle: async (tx: Tx, exportId: string, { sizeBytes, sha256 }: { sizeBytes: number; sha256: string }) => {
    await tx
      .update(staticExports)
      .set({ bundleSizeBytes: sizeBytes, bundleSha256: sha256 })
      .where(and(isExport(exportId), eq(staticExports.state, 'completed')))
  },
  findRequested: async (request: { requestId: string; connectionId: string; domain: string }) =>
    (await findSameRequest(db, request, request.connectionId))?.exportId ?? null,
  createUploaded: async (
    tx: Tx,
    uploaded: Pick<StaticExportRow, 'exportId' | 'requestId' | 'connectionId' | 'domain' | 'version'> & {
      at: Date
      by: Actor
    },
  ) => {
    const { at, by, ...place } = uploaded
    await lockDomain(tx, place.domain)
    const ended = { state: 'completed', imported: true, startedAt: at, finishedAt: at } as const
    const [row] = await tx
      .insert(staticExports)
      .values({ ...place, ...ended })
      .returning()
    await announceOutcome(tx, events, null, row!)
    await countExportOutcome(tx, row!)
    await recordExportEvents(tx, place.exportId, [{ kind: 'uploaded', at, by }])
  },
})

/** Throws `forbidden` for a domain outside the scope, and as `choose` does. */
export const createUploadConnectionChooser =
  ({ choose }: Pick<PerConnection<unknown>, 'choose'>) =>
  async (upload: { connection?: string | undefined; domain: string }, scope: TokenScope) => {
    const { domain, notes } = normaliseDomain(upload.domain)
    if (!isWithin(scope.domains, domain))
      throw new AppError('forbidden', `This token may not add exports of ${domain}.`, { field: 'domain' })
    return { connectionId: await choose(upload.connection, scope, { domain }), domain, notes }
  }
