import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { localStorage } from '@docket/artifact-store/local-disk/local-storage'
import { linkSecret, signedLinks } from '@docket/artifact-store/local-disk/signed-links'
import { storageRoutes } from '@docket/artifact-store/local-disk/storage.routes'
import type { LinkStorage, Misbehaviour } from '@docket/artifact-store/object-storage'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { LocalAdminApiOptions } from '#options.ts'

/** Somebody removed the bundle from the storage. */
export class BundleGone extends Error {
  override readonly name = 'BundleGone'
}

/** `folder` holds archives until they are in the storage. `linkMs` is the lifetime of a link. */
export const bundleStore = (deps: {
  folder: string
  storage: LinkStorage
  /** File of an object on this machine. Null: the storage is elsewhere. */
  toFile: ((key: string) => string) | null
  linkMs: number
  now: () => Date
}) => {
  const { folder, storage, toFile, linkMs, now } = deps
  const keeping = new Map<string, Promise<number>>()
  const minted = new Set<string>()
  const toArchivePath = (jobId: string) => join(folder, `${jobId}.tar.gz`)
  const toKey = (jobId: string) => `${jobId}/bundle.tar.gz`

  const keepOnce = async (jobId: string) => {
    const stored = await storage.readSize(toKey(jobId))
    if (stored !== null) return stored
    const archive = toArchivePath(jobId)
    const found = await stat(archive).catch(() => null)
    if (found === null)
      throw new BundleGone('The bundle of this export is gone from the storage. Start the export again')
    await storage.put(toKey(jobId), archive)
    return found.size
  }
  const keep = (jobId: string) => {
    const moving = keeping.get(jobId) ?? keepOnce(jobId).finally(() => keeping.delete(jobId))
    keeping.set(jobId, moving)
    return moving
  }

  return {
    /** File that a worker process packs the bundle into. */
    toArchivePath,
    /** Moves a packed bundle into the storage, once for concurrent calls. Resolves with its size in bytes; rejects with `BundleGone`. */
    keep,
    /** A new link (§4.4), after `keep`, with the fields that a public service adds. `bundleUrl` is a secret. */
    mint: async (jobId: string, firstLink?: Misbehaviour) => {
      const sizeBytes = await keep(jobId)
      // Links carry whole seconds.
      const expiresAt = new Date(Math.floor((now().getTime() + linkMs) / 1000) * 1000)
      const misbehaves = minted.has(jobId) ? undefined : firstLink
      minted.add(jobId)
      const bundleUrl = await storage.link(toKey(jobId), expiresAt, misbehaves)
      return { bundleUrl, sizeBytes, expiresAt: expiresAt.toISOString() }
    },
    /** File of a bundle, for a reader on this machine that takes it at once. Null without one. */
    findFile: async (jobId: string): Promise<string | null> => {
      if (toFile === null) return null
      const file = toFile(toKey(jobId))
      for (const candidate of [file, toArchivePath(jobId)])
        if ((await stat(candidate).catch(() => null))?.isFile()) return candidate
      return null
    },
    /** Removes everything of a job. */
    remove: async (jobId: string) => {
      await keeping.get(jobId)?.catch(() => {})
      await storage.remove(toKey(jobId))
      await rm(toArchivePath(jobId), { force: true })
    },
  }
}

/** Bundles of exports in an object storage, behind expiring links. */
export type BundleStore = ReturnType<typeof bundleStore>

const linkMsByDefault = 15 * 60_000

/**
 * Opens the store that the options choose: the local disk, with routes for its links, or an S3 store with its own
 * links.
 */
export const openBundles = async (
  { linkMs = linkMsByDefault, s3 }: LocalAdminApiOptions,
  around: { place: (...names: string[]) => string; origin: () => string; now: () => Date },
): Promise<{ bundles: BundleStore; routes: Hono<{ Bindings: HttpBindings }>; close(): void }> => {
  const { place, origin, now } = around
  const folder = place('bundles')
  if (s3 !== undefined) {
    // Loaded only when used, because the SDK is large.
    const { s3Storage } = await import('@docket/artifact-store/s3/s3-storage')
    const storage = s3Storage(s3, now)
    return {
      bundles: bundleStore({ folder, storage, toFile: null, linkMs, now }),
      routes: new Hono(),
      close: () => storage.close(),
    }
  }
  const links = signedLinks(await linkSecret(place('link-secret')))
  const storage = localStorage({ folder, links, origin, now })
  return {
    bundles: bundleStore({ folder, storage, toFile: (key) => join(folder, key), linkMs, now }),
    routes: storageRoutes(storage),
    close: () => {},
  }
}
