import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import type { Database } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'
import { channels, releases, sites } from '#ground/db/sites.table.ts'

/** A site of a test, with the ids of its channels by name. */
export type TestSite = { siteId: string; label: string; channels: Record<string, string> }

/**
 * Like `releaseKit`, but for the migrated database at an address, with a `pool` for SQL of the test. Call `close` at the end.
 */
export const releaseKitAt = (databaseUrl: string, storage: ObjectStorage) => {
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, { warn: () => {} })
  return { ...releaseKit(drizzle(pool), storage), pool, close: () => pool.end() }
}

/** Sites, channels and releases without exports, for tests of read access. */
export const releaseKit = (db: Database, storage: ObjectStorage) => {
  const put = async (key: string, bytes: Buffer) => {
    const folder = await mkdtemp(join(tmpdir(), 'docket-release-'))
    await writeFile(join(folder, 'object'), bytes)
    await storage.put(key, join(folder, 'object'))
    await rm(folder, { recursive: true })
  }

  return {
    /** A trigger gives the site its label and channels. */
    addSite: async (domain: string, connectionId: string): Promise<TestSite> => {
      const [site] = await db.insert(sites).values({ connectionId, domain, createdAt: new Date() }).returning()
      const rows = await db.select().from(channels).where(eq(channels.siteId, site!.siteId))
      const named = Object.fromEntries(rows.map(({ name, channelId }) => [name, channelId]))
      return { siteId: site!.siteId, label: site!.label, channels: named }
    },
    addChannel: async (site: TestSite, name: string) => {
      const [row] = await db.insert(channels).values({ siteId: site.siteId, name }).returning()
      site.channels[name] = row!.channelId
    },
    join: async (site: TestSite, into: TestSite) =>
      void (await db.update(sites).set({ joinedInto: into.siteId }).where(eq(sites.siteId, site.siteId))),
    /** Stores `bundle` and makes a channel show it. Its ZIP has the same bytes in reverse order. */
    release: async (site: TestSite, channel: string, bundle: Buffer, ending = '.tar.gz') => {
      const sha256 = createHash('sha256').update(bundle).digest('hex')
      const keys = listArtifactKeys(sha256)
      await put(keys.bundle, bundle)
      await put(keys.zip, Buffer.from(bundle).reverse())
      const sizes = { sizeBytes: bundle.length, storedBytes: bundle.length, contentBytes: bundle.length }
      await db
        .insert(storedBundles)
        .values({ sha256, ending, files: 1, pages: 1, storedAt: new Date(), ...sizes })
        .onConflictDoNothing()
      const channelId = site.channels[channel]!
      const [moved] = await db
        .update(channels)
        .set({ lastNumber: sql`${channels.lastNumber} + 1`, version: sql`${channels.version} + 1` })
        .where(eq(channels.channelId, channelId))
        .returning()
      const [row] = await db
        .insert(releases)
        .values({
          channelId,
          number: moved!.lastNumber,
          kind: 'publication',
          sha256,
          sum: sha256,
          exportId: randomUUID(),
          pages: 1,
          at: new Date(),
          byKind: 'docket',
          byName: 'Docket',
        })
        .returning()
      const { releaseId } = row!
      await db.update(channels).set({ currentReleaseId: releaseId }).where(eq(channels.channelId, channelId))
      return { releaseId, sha256 }
    },
    /** Makes a release no longer held by its channel. */
    letGo: async (releaseId: string) =>
      void (await db.update(releases).set({ isHeld: false }).where(eq(releases.releaseId, releaseId))),
  }
}
