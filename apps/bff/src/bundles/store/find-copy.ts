import type { ByteRange, ObjectStorage } from '@docket/artifact-store/object-storage'
import { artifactKeys } from '@docket/site-bundle/artifact-keys'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { eq } from 'drizzle-orm'
import { isArtifact, readArtifacts } from '#bundles/artifacts/artifacts.rows.ts'
import { isReadable, type StoreView, toArtifact } from '#bundles/artifacts/artifacts.state.ts'
import { storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { explainStore, storeLost } from '#bundles/artifacts/explain-store.ts'
import type { Database } from '#ground/db/database.ts'

/** Finds Docket's own copies of bundles, to send them. Null unless stored. Reads reject with `not_found` when one is gone. */
export const copyFinder = (deps: {
  db: Database
  storage: Pick<ObjectStorage, 'readPieces' | 'readSize'>
  openSite: (sha256: string) => StoredSite
  view: () => Promise<StoreView>
}) => {
  const { db, storage, openSite, view } = deps
  const find = async <T>(work: Promise<T | null>): Promise<T> => {
    const content = await explainStore(work)
    if (content === null) throw storeLost()
    return content
  }
  const reader = (key: string) => (range: ByteRange) => find(storage.readPieces(key, range))
  const open = ({ sha256, ending, sizeBytes }: { sha256: string; ending: string; sizeBytes: number }) => {
    const keys = artifactKeys(sha256)
    return {
      sha256,
      ending,
      sizeBytes,
      read: reader(keys.bundle),
      zip: { readSize: () => find(storage.readSize(keys.zip)), read: reader(keys.zip) },
      site: openSite(sha256),
    }
  }
  return {
    /** The copy of the bundle of an export. */
    ofExport: async (exportId: string) => {
      const [store, [known]] = await Promise.all([view(), readArtifacts(db, isArtifact(exportId), 1)])
      if (known === undefined || known.bundle === null || toArtifact(known, store).state !== 'stored') return null
      return open(known.bundle)
    },
    /** The bundle with this SHA-256, whether or not an export has it still. */
    bySum: async (sha256: string) => {
      const [store, [bundle]] = await Promise.all([
        view(),
        db.select().from(storedBundles).where(eq(storedBundles.sha256, sha256)),
      ])
      return bundle !== undefined && isReadable(bundle, store) ? open(bundle) : null
    },
  }
}
