import { eq, inArray, lt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type Database, type Tx, takeTurn } from '#ground/db/database.ts'
import { withOwnDeadline } from '#ground/db/deadline.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import { webFiles } from './web-builds.table.ts'
import { toWebFile, type WebFile } from './web-files.ts'

const retentionMs = 30 * 24 * 3_600_000
/** Maximum memory for files of other builds. A build takes about 2 MB. */
const maxCachedBytes = 16 * 1024 * 1024

/** Names with a hash of the content, as the build writes them. */
const hashedName = /^\/assets\/[\w.-]{1,200}-[\w-]{8}\.[a-z\d]{2,5}$/

/** The hashed files of all builds that share the database, so that any replica serves a page of any other. */
export const openWebBuilds = (options: {
  db: Database
  own: ReadonlyMap<string, WebFile>
  /** Milliseconds since the epoch. */
  now: () => number
}) => {
  const { db, own, now } = options
  const ownPaths = [...own.keys()].filter((path) => hashedName.test(path))
  let names: ReadonlySet<string> = new Set()

  // Runs one read at a time, however many addresses a client tries. Each read begins after the requests that wait for it arrived.
  const readNames = shareReads(async () => {
    const rows = await db.select({ path: webFiles.path }).from(webFiles)
    names = new Set(rows.map(({ path }) => path))
  })
  const load = async (path: string): Promise<WebFile | undefined> => {
    const [row] = await db.select().from(webFiles).where(eq(webFiles.path, path))
    return row && toWebFile(path, { identity: row.bytes, br: row.brotli, gzip: row.gzip })
  }
  const cache = new LRUCache<string, WebFile>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ encoded: { identity, br, gzip } }) =>
      1 + identity.byteLength + (br?.byteLength ?? 0) + (gzip?.byteLength ?? 0),
    fetchMethod: (path) => withOwnDeadline(() => load(path)),
  })

  /** Marks the stored files of this build as used and returns their paths. Replicas take turns. */
  const markUsed = async (tx: Tx): Promise<ReadonlySet<string>> => {
    await takeTurn(tx, 'web files')
    const rows = await tx
      .update(webFiles)
      .set({ usedAt: new Date(now()) })
      .where(inArray(webFiles.path, ownPaths))
      .returning({ path: webFiles.path })
    return new Set(rows.map(({ path }) => path))
  }

  return {
    /** Writes the files of this build. Call it before anybody can get its page. */
    save: async (): Promise<void> => {
      await db.transaction(async (tx) => {
        const existing = await markUsed(tx)
        const usedAt = new Date(now())
        for (const path of ownPaths.filter((one) => !existing.has(one))) {
          const { identity, br, gzip } = own.get(path)!.encoded
          await tx.insert(webFiles).values({ path, bytes: identity, brotli: br, gzip, usedAt })
        }
      })
      await readNames()
    },
    /** A file of another build. Null when none of the last 30 days had it. */
    find: async (path: string): Promise<WebFile | null> => {
      if (!hashedName.test(path)) return null
      if (!names.has(path)) await readNames()
      return names.has(path) ? ((await cache.fetch(path)) ?? null) : null
    },
    /** Marks the files of this build as used, and deletes those of builds that no Docket ran for 30 days. */
    cleanUp: (): Promise<void> =>
      db.transaction(async (tx) => {
        await markUsed(tx)
        await tx.delete(webFiles).where(lt(webFiles.usedAt, new Date(now() - retentionMs)))
      }),
  }
}
