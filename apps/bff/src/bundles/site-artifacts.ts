import { and, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { acceptedFindings, artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { isArtifact, isComparable } from '#bundles/artifacts/artifacts.rows.ts'
import { compareArtifacts } from '#bundles/comparison/comparisons.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import type { Tx } from '#ground/db/database.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import type { BundlesCtx } from './bundles-ctx.ts'

/** `isChecked`: its check finished. */
export type StoredArtifact = {
  exportId: string
  siteId: string
  sha256: string
  domain: string
  exportedAt: Date
  pages: number
  sizeBytes: number
  isChecked: boolean
}

/** Number of artifacts of a site that are compared again at once. The others are compared when they are viewed. */
const maxCompared = 20

const newestFirst = [desc(artifacts.exportedAt), desc(artifacts.exportId)]
const domain = sql<string>`(select e.domain from static_exports e where e.export_id = ${artifacts.exportId})`

/** The stored artifacts of listed exports, which channels may show. */
export const createSiteArtifacts = (ctx: BundlesCtx) => {
  const { db, view, counter, exports, log } = ctx

  const select = (tx: Tx) =>
    tx
      .select({
        exportId: artifacts.exportId,
        siteId: artifacts.siteId,
        sha256: storedBundles.sha256,
        domain: sql<string>`coalesce(${domain}, '')`,
        exportedAt: artifacts.exportedAt,
        pages: storedBundles.pages,
        sizeBytes: storedBundles.sizeBytes,
        isChecked: sql<boolean>`${storedBundles.checkUnfinished} is null`,
      })
      .from(artifacts)
      .innerJoin(storedBundles, eq(artifacts.sha256, storedBundles.sha256))

  const findOne = async (tx: Tx, which: SQL | undefined) => (await select(tx).where(which).limit(1))[0] ?? null

  /** Clears the comparisons of a site whose artifact is no longer the previous one. Returns their exports. */
  const forgetComparisons = async (tx: Tx, siteId: string): Promise<string[]> => {
    const before = sql`select a.export_id, lag(a.export_id) over (order by a.exported_at, a.export_id) as previous
      from artifacts a join static_exports e on e.export_id = a.export_id and e.removed_at is null
      where a.site_id = ${siteId} and a.state = 'stored'`
    const { rows } = await tx.execute<{ exportId: string }>(sql`
      update artifacts set compared_with = null, pages_added = null, pages_removed = null, pages_changed = null, pages_moved = null
      from (${before}) b where b.export_id = artifacts.export_id
        and artifacts.compared_with is not null and artifacts.compared_with is distinct from b.previous
      returning artifacts.export_id as "exportId"`)
    return rows.map(({ exportId }) => exportId)
  }

  return {
    /** Null unless its bundle is stored. */
    find: async (tx: Tx, exportId: string): Promise<StoredArtifact | null> =>
      findOne(tx, and(isArtifact(exportId), isComparable((await view()).name))),
    /** Like `find`, but also finds an export that is no longer listed, or whose bundle is missing from the store. */
    findStored: (tx: Tx, exportId: string): Promise<StoredArtifact | null> =>
      findOne(tx, and(isArtifact(exportId), inArray(storedBundles.state, ['stored', 'missing']))),
    /** Newest first. `isChecked`: only those whose check finished. */
    listNewest: async (
      tx: Tx,
      siteId: string,
      { limit, isChecked = false }: { limit: number; isChecked?: boolean },
    ): Promise<StoredArtifact[]> =>
      select(tx)
        .where(
          and(
            eq(artifacts.siteId, siteId),
            isComparable((await view()).name),
            isChecked ? isNull(storedBundles.checkUnfinished) : undefined,
          ),
        )
        .orderBy(...newestFirst)
        .limit(limit),
    findNewest: async (tx: Tx, siteIds: readonly string[]): Promise<ReadonlyMap<string, StoredArtifact>> => {
      if (siteIds.length === 0) return new Map()
      const newer = sql`exists (select from artifacts n where n.site_id = ${artifacts.siteId} and n.state = 'stored'
        and (n.exported_at, n.export_id) > (${artifacts.exportedAt}, ${artifacts.exportId})
        and exists (select from static_exports e where e.export_id = n.export_id and e.removed_at is null))`
      const found = await select(tx).where(
        and(inArray(artifacts.siteId, [...siteIds]), isComparable((await view()).name), sql`not ${newer}`),
      )
      return new Map(found.map((artifact) => [artifact.siteId, artifact]))
    },
    /** True when a bundle is stored. Keeps it from being removed, and locks it until the transaction ends. */
    hold: async (tx: Tx, sha256: string): Promise<boolean> => {
      const { name } = await view()
      const isHere = name === null ? undefined : or(isNull(storedBundles.store), eq(storedBundles.store, name))
      const held = await tx
        .update(storedBundles)
        .set({ releasedAt: null })
        .where(and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'), isHere))
        .returning({ sha256: storedBundles.sha256 })
      return held.length > 0
    },
    /** Reads what `move` counts before the lock, so that no lock is held while waiting for the store. */
    prepareMove: async (siteIds: readonly string[]): Promise<void> => {
      for (const siteId of siteIds) await counter.prepare(siteId)
    },
    /** Moves artifacts to another site, with their counts and what people accepted. `feed`: only those of its exports. */
    move: async (
      tx: Tx,
      { from, to, feed }: { from: string; to: string; feed: { connectionId: string; domain: string } | null },
    ): Promise<void> => {
      for (const siteId of [from, to].toSorted()) await lockSite(tx, siteId)
      const ofFeed =
        feed &&
        sql`${artifacts.exportId} in (select e.export_id from static_exports e
          where e.connection_id = ${feed.connectionId} and e.domain = ${feed.domain})`
      await tx
        .update(artifacts)
        .set({ siteId: to })
        .where(and(eq(artifacts.siteId, from), ofFeed ?? undefined))
      // What was accepted while they were together stays accepted on both sides.
      await tx.execute(sql`insert into accepted_findings (site_id, fingerprint, reason, accepted_by, accepted_at)
        select ${to}, fingerprint, reason, accepted_by, accepted_at from accepted_findings where site_id = ${from}
        on conflict do nothing`)
      if (feed === null) await tx.delete(acceptedFindings).where(eq(acceptedFindings.siteId, from))
      const changed: string[] = []
      for (const siteId of [from, to]) {
        changed.push(...(await forgetComparisons(tx, siteId)))
        changed.push(...(await counter.write(tx, siteId)))
      }
      await exports.countChange(tx, [...new Set(changed)])
    },
    /** Starts to compare the newest artifacts of a site again, after artifacts were moved in or out. */
    compareAgain: (siteId: string): void => {
      const run = async () => {
        const compared = await db
          .select({ exportId: artifacts.exportId })
          .from(artifacts)
          .where(and(eq(artifacts.siteId, siteId), eq(artifacts.state, 'stored'), isNull(artifacts.comparedWith)))
          .orderBy(...newestFirst)
          .limit(maxCompared)
        for (const { exportId } of compared)
          await compareArtifacts(ctx, { exportId, scope: everything }, { skip: 0, limit: 1 }).catch((error: unknown) =>
            log.debug({ err: error, exportId }, 'an artifact is compared when somebody looks at it'),
          )
      }
      run().catch((error: unknown) => log.debug({ err: error, siteId }, 'a site is compared when somebody looks at it'))
    },
  }
}

export type SiteArtifacts = ReturnType<typeof createSiteArtifacts>
