import type { StorageQuery, StorageReport } from '@docket/api-types/storage'
import { bundleStores, type StoreKind } from '@docket/artifact-store/bundle-stores'
import { type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'
import { and, desc, eq, inArray, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isSurplus } from '#bundles/artifacts/artifacts.rows.ts'
import { reasonSentences, type StoreView } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { readStoreState } from '#bundles/store/known-stores.ts'
import { isUnused, listOrphans } from '#bundles/store/orphans.ts'
import { isHeldBundle, listHolders } from '#bundles/artifacts/held-bundles.ts'
import { sites } from '#ground/db/sites.table.ts'
import { type ArtifactRetention, isExpired } from '#bundles/retention/retention.ts'
import type { Database } from '#ground/db/database.ts'

const hourMs = 3_600_000
/** Minute of the hour at which the clean-up runs. */
const cleanUpMinute = 23
/** Orphans that are listed one by one. */
const maxOrphans = 50
/** A look at the store is good for so long. Milliseconds. */
const lookMs = 15_000

type Health = Pick<StorageReport, 'isWell' | 'freeBytes'> & { problem: string | null }

/** Writes, reads and removes an object, at most once for all who ask within some seconds. */
const storeHealth = (storage: ObjectStorage) => {
  let latest: { at: number; health: Promise<Health> } | undefined
  const look = async (): Promise<Health> => {
    try {
      return { isWell: true, problem: null, ...(await storage.check()) }
    } catch (error) {
      const problem = error instanceof StorageFailed ? error.message : 'The store does not answer.'
      return { isWell: false, problem, freeBytes: null }
    }
  }
  return () => {
    if (latest === undefined || performance.now() - latest.at > lookMs)
      latest = { at: performance.now(), health: look() }
    return latest.health
  }
}

const describeStore = (kind: StoreKind, alone: boolean, { problem }: StoreView, health: Health): string => {
  if (problem !== null) return reasonSentences[problem]
  if (health.problem !== null) return `${health.problem} Until that is solved, bundles are not stored.`
  if (kind !== 'disk') return `Bundles are in ${bundleStores[kind].label}.`
  return alone ? 'Bundles are on the disk of this Docket.' : 'Bundles are in a folder that all Docket processes share.'
}

/** What Docket stores, where, and how long. */
export const storageReporter = (deps: {
  db: Database
  storage: ObjectStorage
  kind: StoreKind
  /** No other process uses the database. */
  alone: boolean
  view: () => Promise<StoreView>
  retention: ArtifactRetention
  now: () => number
}) => {
  const { db, storage, kind, alone, view, retention, now } = deps
  const readHealth = storeHealth(storage)

  /** When retention deletes the last reference of a bundle; null when one of them stays. Milliseconds since the epoch. */
  const goesAt = sql<
    number | null
  >`(select case when bool_and(not kept and surplus) and ${storedBundles.adoptedAt} is null
    then extract(epoch from max(stored_at) + ${retention.retentionDays} * interval '1 day')::float8 * 1000 end
    from (select ${artifacts.kept}, ${artifacts.storedAt}, ${isSurplus(retention.perSite)} as surplus
      from ${artifacts} where artifacts.sha256 = stored_bundles.sha256) as used)`
  const isHeld = isHeldBundle(storedBundles.sha256)
  const isUsed = and(eq(storedBundles.state, 'stored'), or(not(isUnused), isNotNull(storedBundles.adoptedAt)))

  const readPage = async ({ sort, skip, limit }: StorageQuery) => {
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

  const readUses = async (sums: readonly string[]) => {
    if (sums.length === 0) return []
    return db
      .select({
        sha256: artifacts.sha256,
        exportId: artifacts.exportId,
        // A site that others were joined into has exports of theirs.
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

  const readRecovery = async (store: string) => {
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

  const readTotals = async () => {
    const counts = {
      bundles: sql<number>`count(*)::int`,
      bytes: sql<string>`coalesce(sum(${storedBundles.storedBytes}), 0)`,
    }
    const [[stored], [next]] = await Promise.all([
      db.select(counts).from(storedBundles).where(isUsed),
      // A bundle goes with its last reference.
      db
        .select(counts)
        .from(storedBundles)
        .where(
          and(
            isUsed,
            not(isHeld),
            isNull(storedBundles.adoptedAt),
            sql`not exists (select from ${artifacts} where ${artifacts.sha256} = ${storedBundles.sha256}
              and not coalesce(${isExpired(retention, now())}, false))`,
          ),
        ),
    ])
    return { stored: stored!, next: next! }
  }

  return {
    report: async (query: StorageQuery): Promise<StorageReport> => {
      const [store, { rows, nextSkip }, { stored, next }] = await Promise.all([view(), readPage(query), readTotals()])
      const isOn = store.problem !== 'off' || stored.bundles > 0
      const health: Health = isOn ? await readHealth() : { isWell: true, problem: null, freeBytes: null }
      const sums = rows.map(({ bundle }) => bundle.sha256)
      const [uses, holders, recovery] = await Promise.all([
        readUses(sums),
        listHolders(db, sums),
        store.name === null ? null : readRecovery(store.name),
      ])
      const nextRun = Math.ceil((now() - cleanUpMinute * 60_000 + 1) / hourMs) * hourMs + cleanUpMinute * 60_000
      return {
        store: store.problem !== null ? 'none' : kind === 'disk' ? 'local' : kind,
        sentence: describeStore(kind, alone, store, health),
        isWell: health.isWell && store.problem !== 'not_shared',
        freeBytes: health.freeBytes,
        bundles: stored.bundles,
        storedBytes: Number(stored.bytes),
        retention: { perSite: retention.perSite, days: retention.retentionDays },
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
    },
    /** Numbers for the metrics: bundles and bytes in the store, and bundles that wait. */
    measure: async (probes: Database) => {
      const { rows } = await probes.execute<{ bundles: number; bytes: number; waiting: number }>(sql`
        select (select count(*)::int from stored_bundles where state = 'stored') as bundles,
          (select coalesce(sum(stored_bytes), 0)::float8 from stored_bundles where state <> 'missing') as bytes,
          (select count(*)::int from artifacts where state = 'storing') as waiting`)
      return rows[0]!
    },
  }
}

export type StorageReporter = ReturnType<typeof storageReporter>
