import { join } from 'node:path'
import { rm, stat } from 'node:fs/promises'
import type { Misbehaviour, ObjectStorage } from '@docket/artifact-store/object-storage'

/** A bundle link as §4.4 answers it, with what a public service adds. `bundleUrl` is a secret. */
export type MintedBundle = { bundleUrl: string; sizeBytes: number; expiresAt: string }

/** The bundles of exports: packed once, kept in an object storage, given out by links that expire. */
export type BundleStore = {
  /** File that a worker process packs the bundle into. */
  toArchivePath(jobId: string): string
  /** Moves a packed bundle into the storage, once, however many ask. Resolves with its size in bytes; rejects with `BundleGone`. */
  keep(jobId: string): Promise<number>
  /** A new link, after `keep`. */
  mint(jobId: string, firstLink?: Misbehaviour): Promise<MintedBundle>
  /** Removes everything of a job. */
  remove(jobId: string): Promise<void>
}

/** Somebody removed the bundle from the storage. */
export class BundleGone extends Error {
  override readonly name = 'BundleGone'
}

/** `folder` holds archives until they are in the storage. `linkMs` is the lifetime of a link. */
export const bundleStore = (deps: {
  folder: string
  storage: ObjectStorage
  linkMs: number
  now: () => Date
}): BundleStore => {
  const { folder, storage, linkMs, now } = deps
  const keeping = new Map<string, Promise<number>>()
  const minted = new Set<string>()
  const toArchivePath = (jobId: string) => join(folder, `${jobId}.tar.gz`)
  const toKey = (jobId: string) => `${jobId}/bundle.tar.gz`

  const keepOnce = async (jobId: string) => {
    const stored = await storage.readSize(toKey(jobId))
    if (stored !== null) return stored
    const archive = toArchivePath(jobId)
    const size = await readSize(archive)
    if (size === null)
      throw new BundleGone('The bundle of this export is gone from the storage. Start the export again')
    await storage.put(toKey(jobId), archive)
    return size
  }
  const keep = (jobId: string) => {
    const moving = keeping.get(jobId) ?? keepOnce(jobId).finally(() => keeping.delete(jobId))
    keeping.set(jobId, moving)
    return moving
  }

  return {
    toArchivePath,
    keep,
    mint: async (jobId, firstLink) => {
      const sizeBytes = await keep(jobId)
      // Links say whole seconds.
      const expiresAt = new Date(Math.floor((now().getTime() + linkMs) / 1000) * 1000)
      const misbehaves = minted.has(jobId) ? undefined : firstLink
      minted.add(jobId)
      const bundleUrl = await storage.link(toKey(jobId), expiresAt, misbehaves)
      return { bundleUrl, sizeBytes, expiresAt: expiresAt.toISOString() }
    },
    remove: async (jobId) => {
      await keeping.get(jobId)?.catch(() => {})
      await storage.remove(toKey(jobId))
      await rm(toArchivePath(jobId), { force: true })
    },
  }
}

const readSize = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  )
