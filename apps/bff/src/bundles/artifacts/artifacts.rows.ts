import type { Artifact } from '@docket/api-types/artifacts'
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { type ArtifactRow, type KnownArtifact, toNotStored, type StoreView, toArtifact } from './artifacts.state.ts'
import { artifacts, storedBundles } from './artifacts.table.ts'
import { isHeldBundle } from './held-bundles.ts'
import { sites } from '#ground/db/sites.table.ts'
import type { exportsForArtifacts } from '#records/static-exports/static-exports.artifacts.ts'

/** `countChange` bumps the revision of the list of exports. Call it last in the transaction, and `recordEvents` after it. */
export type ExportRecords = ReturnType<typeof exportsForArtifacts>
/** `jobId` is null for an uploaded bundle, which has no job at a service. */
export type ExportForArtifact = Awaited<ReturnType<ExportRecords['find']>>

export const isArtifact = (exportId: string): SQL => eq(artifacts.exportId, exportId)

/** True when the site has `perSite` newer stored artifacts and no channel holds the bundle. Reads at most that many index entries. */
export const isSurplus = (perSite: number): SQL<boolean> => sql<boolean>`(select count(*) from (
  select from artifacts newer where newer.site_id = ${artifacts.siteId} and newer.state = 'stored'
    and (newer.exported_at, newer.export_id) > (${artifacts.exportedAt}, ${artifacts.exportId}) limit ${perSite}) as n) >= ${perSite}
  and not ${isHeldBundle(sql`${artifacts.sha256}`)}`

export const readArtifacts = async (db: Tx, which: SQL | undefined, perSite: number): Promise<KnownArtifact[]> => {
  const isLive = sql<boolean>`exists (select from channels c join releases r on r.release_id = c.current_release_id
    where c.site_id = ${artifacts.siteId} and r.sha256 = ${artifacts.sha256})`
  return db
    .select({ artifact: artifacts, bundle: storedBundles, isSurplus: isSurplus(perSite), isLive })
    .from(artifacts)
    .leftJoin(storedBundles, eq(artifacts.sha256, storedBundles.sha256))
    .where(which)
}

/** The artifacts of completed exports, for the lists and pages of exports. An export without a row was never requested to be stored. */
export const createArtifactReader =
  (db: Database, deps: { perSite: number; view: () => Promise<StoreView> }) =>
  async (exportIds: readonly string[]): Promise<ReadonlyMap<string, Artifact>> => {
    if (exportIds.length === 0) return new Map()
    const view = await deps.view()
    const known = await readArtifacts(db, inArray(artifacts.exportId, [...exportIds]), deps.perSite)
    const rows = new Map(known.map((one) => [one.artifact.exportId, one]))
    const absent = toNotStored(view.problem ?? 'not_asked')
    return new Map(
      exportIds.map((exportId) => {
        const row = rows.get(exportId)
        return [exportId, row === undefined ? absent : toArtifact(row, view)]
      }),
    )
  }

export const notKeptError = (sentence: string) => new AppError('not_found', sentence)

/** Finds the site that a connection and domain feed, following joins into other sites. Null before its first artifact. */
export const findSite = async (
  db: Tx,
  { connectionId, domain }: { connectionId: string; domain: string },
): Promise<string | null> => {
  const [site] = await db
    .select({ siteId: sql<string>`coalesce(${sites.joinedInto}, ${sites.siteId})` })
    .from(sites)
    .where(and(eq(sites.connectionId, connectionId), eq(sites.domain, domain)))
  return site?.siteId ?? null
}

/** The lock lasts until the transaction ends. */
export const lockArtifact = async (tx: Tx, exportId: string): Promise<ArtifactRow | undefined> => {
  const [row] = await tx.select().from(artifacts).where(isArtifact(exportId)).for('update')
  return row
}

/** Later artifacts can be compared with those that are listed and stored in `store`. Needs a join with their bundles. */
export const isComparable = (store: string | null): SQL<boolean> =>
  and(
    eq(artifacts.state, 'stored'),
    eq(storedBundles.state, 'stored'),
    store === null ? undefined : sql`coalesce(${storedBundles.store}, ${store}) = ${store}`,
    sql`exists (select from static_exports e where e.export_id = ${artifacts.exportId} and e.removed_at is null)`,
  ) as SQL<boolean>

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
        sql`(${artifacts.exportedAt}, ${artifacts.exportId}) < (${exportedAt.toISOString()}::timestamptz, ${exportId}::uuid)`,
      ),
    )
    .orderBy(desc(artifacts.exportedAt), desc(artifacts.exportId))
    .limit(1)
  return before ?? null
}
