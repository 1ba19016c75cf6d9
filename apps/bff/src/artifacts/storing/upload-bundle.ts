import { randomUUID } from 'node:crypto'
import type { UploadBundleQuery } from '@docket/api-types/artifacts'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { reasonSentences } from '#artifacts/artifacts.state.ts'
import { findSite } from '#artifacts/artifacts.rows.ts'
import type { ExportRecords } from '#artifacts/export-records.ts'
import { lockSite } from '#artifacts/findings/finding-counter.ts'
import type { Database } from '#db/database.ts'
import { withoutDeadline } from '#db/deadline.ts'
import { AppError } from '#errors/app-error.ts'
import type { TokenScope } from '#http/access/token-scope.ts'
import type { Actor } from '#identity/actor.ts'
import { type BundleBytes, endStalled, writeBundle } from './fetch-bundle.ts'
import { ensureSite, intendStoring } from './intend-storing.ts'
import type { SharedStore } from './shared-store.ts'
import type { StagingFolders } from './staging.ts'
import type { BundleKeeper } from './store-bundle.ts'
import { describeProblem } from './storing-problem.ts'

/** Decides where an uploaded bundle belongs. `notes` are sentences about changes of the domain. */
export type PlaceUpload = (
  upload: UploadBundleQuery,
  scope: TokenScope,
) => { connectionId: string; domain: string; notes: string[] }

/** Uploads that one process takes at a time. */
const maxUploads = 2
const retryAfterMs = 15_000

const toAppError = (error: unknown): unknown => {
  if (error instanceof AppError) return error
  const { reason, detail } = describeProblem(error)
  // The content of an archive has bounds of its own, which the analysis names.
  const isFile = detail === reasonSentences.too_large
  if (reason === 'too_large')
    return new AppError('too_large', isFile ? 'The file is larger than ARTIFACT_MAX_BYTES allows.' : detail)
  if (reason === 'disk_full')
    return new AppError('conflict', 'The disk of the store is full. Free some space, then upload it again.')
  if (error instanceof StorageFailed) return new AppError('busy', `${error.message} Upload it again.`, { retryAfterMs })
  return reason === 'failed' ? error : new AppError('invalid_request', detail)
}

/** Takes bundles that people upload. An upload that breaks off, stalls, or loses its right on the way leaves nothing. */
export const bundleUpload = (deps: {
  db: Database
  exports: ExportRecords
  keeper: BundleKeeper
  shared: Pick<SharedStore, 'view'>
  staging: StagingFolders
  maxBytes: number
  hasRoom: () => boolean
  place: PlaceUpload
  now: () => number
}) => {
  const { db, exports, keeper, shared, staging, maxBytes, now } = deps
  let underWay = 0

  const findStore = async (): Promise<string> => {
    const { name, problem } = await shared.view()
    if (problem !== null) throw new AppError('conflict', reasonSentences[problem])
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer. Try again.', { retryAfterMs })
    return name
  }

  const keep = async (
    upload: { connectionId: string; domain: string; version: string | null; bytes: BundleBytes; by: Actor },
    ensureMayStill: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<string> => {
    const { bytes, by, ...place } = upload
    if (!deps.hasRoom())
      throw new AppError('conflict', 'The disk of Docket is nearly full. Free some space, then upload it again.')
    const store = await findStore()
    const exportId = randomUUID()
    await using folder = await staging.open(exportId)
    const file = `${folder.path}/bundle`
    const coming = { ...bytes, bytes: endStalled(bytes.bytes) }
    const bundle = await writeBundle(coming, { file, maxBytes, onProgress: () => {} })
    signal.throwIfAborted()
    const at = new Date(now())
    const siteId = await findSite(db, place)
    const watch = { folder: folder.path, store, progress: { report: () => {} }, signal }
    await keeper.keep(bundle, { exportId, siteId, exportedAt: at }, watch, async (prepared) => {
      await ensureMayStill()
      // Committed first, so that nobody who completes an export of the same site waits for it.
      const ensured = await ensureSite(db, place, at)
      await db.transaction(async (tx) => {
        // Listing the export locks the list, and all counts are written under the lock of the site.
        await lockSite(tx, ensured)
        await exports.createUploaded(tx, { ...place, exportId, at, by })
        await intendStoring(tx, { ...place, exportId, startedAt: at, isCompleted: true, jobId: null }, { at })
        await keeper.finish(tx, prepared, exportId)
      })
    })
    return exportId
  }

  return async (
    query: UploadBundleQuery,
    bytes: BundleBytes,
    { by, readScope, signal }: { by: Actor; readScope: () => Promise<TokenScope>; signal: AbortSignal },
  ): Promise<{ exportId: string; notes: string[] }> => {
    const choosePlace = async () => deps.place(query, await readScope())
    const { notes, ...place } = await choosePlace()
    if (underWay >= maxUploads)
      throw new AppError('busy', 'Other uploads are under way. Try again in a moment.', { retryAfterMs })
    underWay += 1
    try {
      const upload = { ...place, version: query.version || null, bytes, by }
      // An upload takes longer than any request may wait for the database.
      return { exportId: await withoutDeadline(() => keep(upload, choosePlace, signal)), notes }
    } catch (error) {
      throw toAppError(error)
    } finally {
      underWay -= 1
    }
  }
}

export type BundleUpload = ReturnType<typeof bundleUpload>
