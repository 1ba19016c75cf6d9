import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { notKeptError } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { findArtifact } from '#bundles/artifacts/find-artifact.ts'
import { explainStoreFailures } from '#bundles/artifacts/store-failures.ts'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import type { TakePicture } from './take-picture.ts'

const maxListed = 20

/** Between a failure of the browser and the next try. */
const pauseMs = 10 * 60_000

const isStored = (sha256: string) => and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'))

/** Takes a picture of the first page of each stored bundle, newest first. Where the browser does not work, says so once and takes none. */
export const openPictures = (ctx: StoringCtx, take: TakePicture) => {
  let works: Promise<boolean> | undefined
  let failedAt = 0
  const tryBrowser = (signal = new AbortController().signal) =>
    take(null, signal).then(
      () => true,
      (error: unknown) => {
        works = undefined
        if (signal.aborted) return false
        if (failedAt === 0)
          ctx.log.warn({ err: error }, 'PICTURE_BROWSER takes no pictures here; see docs/operating.md')
        failedAt = ctx.now()
        return false
      },
    )
  const isWorking = async () => ctx.now() - failedAt >= pauseMs && (await (works ??= tryBrowser()))
  return {
    name: 'docket-pictures',
    run: async (sha256: string, signal: AbortSignal) => {
      if (!(await isWorking())) throw new Error('The browser takes no pictures here.')
      await pictureBundle(ctx, sha256, { take, tryBrowser, signal })
    },
    list: async (): Promise<string[]> => {
      const { name } = await ctx.view()
      if (name === null || !(await isWorking())) return []
      const rows = await ctx.db
        .select({ sha256: storedBundles.sha256 })
        .from(storedBundles)
        .where(and(eq(storedBundles.store, name), eq(storedBundles.state, 'stored'), isNull(storedBundles.picture)))
        .orderBy(desc(storedBundles.storedAt))
        .limit(maxListed)
      return rows.map(({ sha256 }) => sha256)
    },
  }
}

/** Keeps the picture beside the bundle. A page of which none can be taken, although the browser works, is not tried again. */
const pictureBundle = async (
  { db, storage, openSite, staging, exports, log }: StoringCtx,
  sha256: string,
  order: { take: TakePicture; tryBrowser: (signal: AbortSignal) => Promise<boolean>; signal: AbortSignal },
): Promise<void> => {
  const { take, tryBrowser, signal } = order
  const site = openSite(sha256)
  await site.manifest()
  const picture = await take(site, signal).catch(async (error: unknown) => {
    signal.throwIfAborted()
    if (!(await tryBrowser(signal))) throw error
    log.info({ err: error, sha256 }, 'there is no picture of the first page of a bundle')
    return null
  })
  await using folder = await staging.open(`picture-${sha256}`)
  const file = join(folder.path, 'picture.png')
  if (picture !== null) await writeFile(file, picture)
  await db.transaction(async (tx) => {
    // While the row is locked, no process removes the bundle.
    const [row] = await tx.select().from(storedBundles).where(isStored(sha256)).for('update')
    if (row === undefined) return
    if (picture !== null) await storage.put(listArtifactKeys(sha256).picture, file)
    await tx
      .update(storedBundles)
      .set({ picture: picture === null ? 'none' : 'taken' })
      .where(isStored(sha256))
    const shown = await tx.select({ exportId: artifacts.exportId }).from(artifacts).where(eq(artifacts.sha256, sha256))
    await exports.countChange(
      tx,
      shown.map(({ exportId }) => exportId),
    )
  })
}

/** Throws `not_found` when there is no picture. */
export const readPicture = async (ctx: StoringCtx, exportId: string): Promise<ArrayBuffer> => {
  const { sha256 } = await findArtifact(ctx, exportId)
  const content = await explainStoreFailures(ctx.storage.read(listArtifactKeys(sha256).picture))
  if (content === null) throw notKeptError('Docket has no picture of this bundle.')
  return arrayBuffer(content)
}
