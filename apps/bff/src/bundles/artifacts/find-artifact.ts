import type { StoredSite } from '@docket/site-bundle/open-site'
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { notKept, readArtifacts, isArtifact } from './artifacts.rows.ts'
import { type ArtifactRow, type StoreView, toArtifact } from './artifacts.state.ts'
import { artifacts, storedBundles } from './artifacts.table.ts'
import type { ExportRecords } from './export-records.ts'

/** An export whose bundle is stored, with its site. */
type FoundSite = { exportId: string; sha256: string; site: StoredSite }

/** A stored artifact, and the one of the same site that was exported before. */
export type FoundArtifact = FoundSite & { siteId: string; previous: FoundSite | null }

/** Condition for stored artifacts that later ones are compared with: those of listed exports, in `store`. Joins their bundles. */
export const isComparable = (store: string | null): SQL<boolean> =>
  and(
    eq(artifacts.state, 'stored'),
    eq(storedBundles.state, 'stored'),
    store === null ? undefined : sql`coalesce(${storedBundles.store}, ${store}) = ${store}`,
    sql`exists (select from static_exports e where e.export_id = ${artifacts.exportId} and e.removed_at is null)`,
  ) as SQL<boolean>

/** Finds the artifact of the same site that was exported before, and is stored and listed. */
export const findPrevious = async (
  db: Tx,
  { siteId, exportedAt, exportId }: Pick<ArtifactRow, 'siteId' | 'exportedAt' | 'exportId'>,
  store: string | null,
): Promise<{ exportId: string; sha256: string } | null> => {
  const [before] = await db
    .select({ exportId: artifacts.exportId, sha256: storedBundles.sha256 })
    .from(artifacts)
    .innerJoin(storedBundles, eq(artifacts.sha256, storedBundles.sha256))
    .where(
      and(
        eq(artifacts.siteId, siteId),
        isComparable(store),
        // Walks the index of the site.
        sql`(${artifacts.exportedAt}, ${artifacts.exportId}) < (${exportedAt.toISOString()}::timestamptz, ${exportId}::uuid)`,
      ),
    )
    .orderBy(desc(artifacts.exportedAt), desc(artifacts.exportId))
    .limit(1)
  return before ?? null
}

/** Finds stored artifacts. `find` rejects with `not_found` unless the export is listed and its bundle stored. */
export const artifactFinder = (deps: {
  db: Database
  exports: Pick<ExportRecords, 'find'>
  openSite: (sha256: string) => StoredSite
  view: () => Promise<StoreView>
}) => {
  const { db, exports, openSite, view } = deps
  const open = (exportId: string, sha256: string): FoundSite => ({ exportId, sha256, site: openSite(sha256) })

  return {
    find: async (exportId: string): Promise<FoundArtifact> => {
      const [store, [known]] = await Promise.all([
        view(),
        readArtifacts(db, isArtifact(exportId), 1),
        exports.find(exportId),
      ])
      if (known === undefined) throw notKept('Docket has not stored the bundle of this export.')
      const { state, detail } = toArtifact(known, store)
      const { artifact } = known
      if (state !== 'stored' || artifact.sha256 === null)
        throw notKept(detail ?? 'Docket is still storing the bundle of this export. Try again in a moment.')
      const before = await findPrevious(db, artifact, store.name)
      return {
        ...open(exportId, artifact.sha256),
        siteId: artifact.siteId,
        previous: before === null ? null : open(before.exportId, before.sha256),
      }
    },
  }
}
