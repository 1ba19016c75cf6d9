import type { ByteRange, ObjectStorage } from '@docket/artifact-store/object-storage'
import { artifactKeys } from '@docket/site-bundle/artifact-keys'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { isArtifact, readArtifacts } from '#artifacts/artifacts.rows.ts'
import { type StoreView, toArtifact } from '#artifacts/artifacts.state.ts'
import { explainStore, storeLost } from '#artifacts/explain-store.ts'
import type { Database } from '#db/database.ts'

/** Finds Docket's own copy of the bundle of an export, to send it. Null unless it is stored. Reads reject with `not_found` when it is gone. */
export const copyFinder =
  (deps: {
    db: Database
    storage: Pick<ObjectStorage, 'readPieces' | 'readSize'>
    openSite: (sha256: string) => StoredSite
    view: () => Promise<StoreView>
  }) =>
  async (exportId: string) => {
    const { db, storage, openSite, view } = deps
    const [store, [known]] = await Promise.all([view(), readArtifacts(db, isArtifact(exportId), 1)])
    if (known === undefined || known.bundle === null || toArtifact(known, store).state !== 'stored') return null
    const { sha256, ending, sizeBytes } = known.bundle
    const keys = artifactKeys(sha256)
    const find = async <T>(work: Promise<T | null>): Promise<T> => {
      const content = await explainStore(work)
      if (content === null) throw storeLost()
      return content
    }
    const reader = (key: string) => (range: ByteRange) => find(storage.readPieces(key, range))
    return {
      sha256,
      ending,
      sizeBytes,
      read: reader(keys.bundle),
      zip: { readSize: () => find(storage.readSize(keys.zip)), read: reader(keys.zip) },
      site: openSite(sha256),
    }
  }
