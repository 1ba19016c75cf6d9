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

const isStored = (sha256: string) => and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'))

/** Takes a picture of the first page of each stored bundle, newest first. Where the browser does not work, says so once and takes none. */
export const openPictures = (ctx: StoringCtx, take: TakePicture) => {
  let works: Promise<boolean> | undefined
  const tryBrowser = () =>
    take(null, new AbortController().signal).then(
      () => true,
      (error: unknown) => {
        ctx.log.warn({ err: error }, 'PICTURE_BROWSER takes no pictures here; see docs/operating.md')
        return false
      },
    )
  return {
    name: 'docket-pictures',
    run: (sha256: string, signal: AbortSignal) => pictureBundle(ctx, sha256, { take, signal }),
    list: async (): Promise<string[]> => {
      const { name } = await ctx.view()
      if (name === null || !(await (works ??= tryBrowser()))) return []
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

/** Keeps the picture beside the bundle. A page of which none can be taken is not tried again. */
const pictureBundle = async (
  { db, storage, openSite, staging, exports, log }: StoringCtx,
  sha256: string,
  { take, signal }: { take: TakePicture; signal: AbortSignal },
): Promise<void> => {
  const site = openSite(sha256)
  await site.manifest()
  const picture = await take(site, signal).catch((error: unknown) => {
    signal.throwIfAborted()
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
