import type { ByteRange } from '@docket/artifact-store/object-storage'
import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { eq } from 'drizzle-orm'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { findPrevious, isArtifact, notKeptError, readArtifacts } from './artifacts.rows.ts'
import { isReadable, toArtifact } from './artifacts.state.ts'
import { storedBundles } from './artifacts.table.ts'
import { explainSiteFailures, explainStoreFailures, storeLostError } from './store-failures.ts'

type FoundSite = { exportId: string; sha256: string; site: StoredSite }

/** `previous`: the artifact of the same site that was exported before. */
export type FoundArtifact = FoundSite & { siteId: string; previous: FoundSite | null }

type FindCtx = Pick<BundlesCtx, 'db' | 'exports' | 'storage' | 'openSite' | 'view'>

/** Throws `not_found` unless the export is listed and its bundle stored. */
export const findArtifact = async (ctx: Omit<FindCtx, 'storage'>, exportId: string): Promise<FoundArtifact> => {
  const { db, exports, view } = ctx
  const open = (id: string, sha256: string): FoundSite => ({
    exportId: id,
    sha256,
    site: explainSiteFailures(ctx.openSite(sha256)),
  })
  const [store, [known]] = await Promise.all([
    view(),
    readArtifacts(db, isArtifact(exportId), 1),
    exports.find(exportId),
  ])
  if (known === undefined) throw notKeptError('Docket has not saved the bundle of this export.')
  const { state, detail } = toArtifact(known, store)
  const { artifact } = known
  if (state !== 'stored' || artifact.sha256 === null)
    throw notKeptError(detail ?? 'Docket is still saving the bundle of this export. Try again in a moment.')
  const before = await findPrevious(db, artifact, store.name)
  return {
    ...open(exportId, artifact.sha256),
    siteId: artifact.siteId,
    previous: before === null ? null : open(before.exportId, before.sha256),
  }
}

type CopyCtx = Omit<FindCtx, 'exports'>

/** Reads reject with `not_found` when an object is missing. */
const openStoredCopy = (
  { storage, openSite }: CopyCtx,
  { sha256, ending, sizeBytes }: { sha256: string; ending: string; sizeBytes: number },
) => {
  const find = async <T>(work: Promise<T | null>): Promise<T> => {
    const content = await explainStoreFailures(work)
    if (content === null) throw storeLostError()
    return content
  }
  const reader = (key: string) => (range: ByteRange) => find(storage.readPieces(key, range))
  const keys = listArtifactKeys(sha256)
  return {
    sha256,
    ending,
    sizeBytes,
    read: reader(keys.bundle),
    zip: { readSize: () => find(storage.readSize(keys.zip)), read: reader(keys.zip) },
    site: explainSiteFailures(openSite(sha256)),
  }
}

/** Opens Docket's own copy for sending. Null when the bundle is not stored. */
export const findCopy = async (ctx: CopyCtx, exportId: string) => {
  const [store, [known]] = await Promise.all([ctx.view(), readArtifacts(ctx.db, isArtifact(exportId), 1)])
  if (known === undefined || known.bundle === null || toArtifact(known, store).state !== 'stored') return null
  return openStoredCopy(ctx, known.bundle)
}

/** The sentence with which Docket refused to read the bundle. Null when it did not. */
export const findRefusal = async ({ db }: Pick<FindCtx, 'db'>, exportId: string): Promise<string | null> => {
  const [known] = await readArtifacts(db, isArtifact(exportId), 1)
  if (known?.artifact.state !== 'not_stored') return null
  const { reason, detail } = known.artifact
  return reason === 'not_an_archive' || reason === 'refused' ? detail : null
}

/** Opens the bundle even if no export refers to it any more. Null when it is not stored. */
export const findBundle = async (ctx: CopyCtx, sha256: string) => {
  const [store, [bundle]] = await Promise.all([
    ctx.view(),
    ctx.db.select().from(storedBundles).where(eq(storedBundles.sha256, sha256)),
  ])
  return bundle !== undefined && isReadable(bundle, store) ? openStoredCopy(ctx, bundle) : null
}
