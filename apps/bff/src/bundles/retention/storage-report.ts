import type { StorageQuery, StorageReport } from '@docket/api-types/storage'
import type { StoreSettings } from '@docket/artifact-store/bundle-stores'
import { and, desc, eq, inArray, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isSurplus } from '#bundles/artifacts/artifacts.rows.ts'
import { reasonSentences, type StoreView } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { readStoreState, type StoreHealth } from '#bundles/shared-store/shared-store.ts'
import { isUnused, listOrphans } from '#bundles/shared-store/orphans.ts'
import { isHeldBundle, listHolders } from '#bundles/artifacts/held-bundles.ts'
import { sites } from '#ground/db/sites.table.ts'
import { type ArtifactRetention, isExpired } from './retention.ts'
import type { Database } from '#ground/db/database.ts'

const hourMs = 3_600_000
/** Minute of the hour at which the clean-up runs. */
const cleanUpMinute = 23
const maxOrphans = 50

const describeStore = (
  kind: StoreSettings['kind'],
  alone: boolean,
  { problem }: StoreView,
  health: StoreHealth,
): string => {
  if (problem !== null) return reasonSentences[problem]
  if (health.problem !== null) return `${health.problem} Until that is solved, bundles are not saved.`
  if (kind !== 'disk') return 'Bundles are in an S3 object store.'
  return alone ? 'Bundles are on the disk of this Docket.' : 'Bundles are in a folder that all Docket processes share.'
}

/** When retention deletes the last reference to a bundle; null when a reference is kept. Milliseconds since the epoch. */
const selectDeletionTime = (retention: ArtifactRetention) => sql<
  number | null
>`(select case when bool_and(not kept and surplus) and ${storedBundles.adoptedAt} is null
  then extract(epoch from max(stored_at) + ${retention.retentionDays} * interval '1 day')::float8 * 1000 end
  from (select ${artifacts.kept}, ${artifacts.storedAt}, ${isSurplus(retention.perSite)} as surplus
    from ${artifacts} where artifacts.sha256 = stored_bundles.sha256) as used)`
const isHeld = isHeldBundle(storedBundles.sha256)
const isUsed = and(eq(storedBundles.state, 'stored'), or(not(isUnused), isNotNull(storedBundles.adoptedAt)))

const readPage = async ({ db, settings }: BundlesCtx, { sort, skip, limit }: StorageQuery) => {
  const goesAt = selectDeletionTime(settings)
  const order = {
    newest: [desc(storedBundles.storedAt)],
    largest: [desc(storedBundles.storedBytes)],
    next_to_go: [sql`${goesAt} nulls last`],
  }[sort]
  const rows = await db
    .select({ bundle: storedBundles, goesAt })
    .from(storedBundles)
    .where(isUsed)
    .orderBy(...order, storedBundles.sha256)
    .offset(skip)
    .limit(limit + 1)
  return { rows: rows.slice(0, limit), nextSkip: rows.length > limit ? skip + limit : null }
}

const readBundleUses = async ({ db }: BundlesCtx, sums: readonly string[]) => {
  if (sums.length === 0) return []
  return db
    .select({
      sha256: artifacts.sha256,
      exportId: artifacts.exportId,
      // A site that others were joined into also has their exports.
      connectionId: sql<string>`coalesce((select e.connection_id from static_exports e where e.export_id = ${artifacts.exportId}), ${sites.connectionId})`,
      domain: sql<string>`coalesce((select e.domain from static_exports e where e.export_id = ${artifacts.exportId}), ${sites.domain})`,
      startedAt: artifacts.exportedAt,
      kept: artifacts.kept,
    })
    .from(artifacts)
    .innerJoin(sites, eq(artifacts.siteId, sites.siteId))
    .where(inArray(artifacts.sha256, [...sums]))
    .orderBy(desc(artifacts.exportedAt))
}

const readRecovery = async ({ db }: BundlesCtx, store: string) => {
  const [state, { orphans, ...counts }, missing] = await Promise.all([
    readStoreState(db, store),
    listOrphans(db, store),
    db.$count(storedBundles, eq(storedBundles.state, 'missing')),
  ])
  const items = orphans.slice(0, maxOrphans).map(({ sha256, bytes, removedAfter }) => ({
    sha256,
    bytes,
    removedAfter: state === 'known' && removedAfter !== null ? removedAfter.toISOString() : null,
  }))
  return { store: state, ...counts, missing, orphans: items }
}

const readTotals = async ({ db, settings, now }: BundlesCtx) => {
  const counts = {
    bundles: sql<number>`count(*)::int`,
    bytes: sql<string>`coalesce(sum(${storedBundles.storedBytes}), 0)`,
  }
  const [[stored], [next]] = await Promise.all([
    db.select(counts).from(storedBundles).where(isUsed),
    // A bundle is removed with its last reference.
    db
      .select(counts)
      .from(storedBundles)
      .where(
        and(
          isUsed,
          not(isHeld),
          isNull(storedBundles.adoptedAt),
          sql`not exists (select from ${artifacts} where ${artifacts.sha256} = ${storedBundles.sha256}
            and not coalesce(${isExpired(settings, now())}, false))`,
        ),
      ),
  ])
  return { stored: stored!, next: next! }
}

export const reportStorage = async (ctx: BundlesCtx, query: StorageQuery): Promise<StorageReport> => {
  const { db, settings, alone, now } = ctx
  const { kind } = settings.store
  const [store, { rows, nextSkip }, { stored, next }] = await Promise.all([
    ctx.view(),
    readPage(ctx, query),
    readTotals(ctx),
  ])
  const isOn = store.problem !== 'off' || stored.bundles > 0
  const health: StoreHealth = isOn ? await ctx.readHealth() : { isWell: true, problem: null, freeBytes: null }
  const sums = rows.map(({ bundle }) => bundle.sha256)
  const [uses, holders, recovery] = await Promise.all([
    readBundleUses(ctx, sums),
    listHolders(db, sums),
    store.name === null ? null : readRecovery(ctx, store.name),
  ])
  const nextRun = Math.ceil((now() - cleanUpMinute * 60_000 + 1) / hourMs) * hourMs + cleanUpMinute * 60_000
  return {
    store: store.problem !== null ? 'none' : kind === 'disk' ? 'local' : kind,
    sentence: describeStore(kind, alone, store, health),
    isWell: health.isWell && store.problem !== 'not_shared',
    freeBytes: health.freeBytes,
    bundles: stored.bundles,
    storedBytes: Number(stored.bytes),
    retention: { perSite: settings.perSite, days: settings.retentionDays },
    next: { at: new Date(nextRun).toISOString(), bundles: next.bundles, bytes: Number(next.bytes) },
    items: rows.map(({ bundle, goesAt: end }) => ({
      sha256: bundle.sha256,
      storedBytes: bundle.storedBytes,
      storedAt: bundle.storedAt.toISOString(),
      exports: uses
        .filter(({ sha256 }) => sha256 === bundle.sha256)
        .map(({ sha256: _, startedAt, ...use }) => ({ ...use, startedAt: startedAt.toISOString() })),
      heldBy: holders.get(bundle.sha256) ?? [],
      deletedAfter: end === null ? null : new Date(end).toISOString(),
    })),
    nextSkip,
    recovery,
  }
}

export const measureStorage = async (probes: Database) => {
  const { rows } = await probes.execute<{ bundles: number; bytes: number; waiting: number }>(sql`
    select (select count(*)::int from stored_bundles where state = 'stored') as bundles,
      (select coalesce(sum(stored_bytes), 0)::float8 from stored_bundles where state <> 'missing') as bytes,
      (select count(*)::int from artifacts where state = 'storing') as waiting`)
  return rows[0]!
}
