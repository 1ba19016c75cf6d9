import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkStorage, Misbehaviour } from '@docket/artifact-store/object-storage'
import { oncePerKey } from '@docket/once'
import type { Log } from '#log.ts'

export class BundleGone extends Error {
  override readonly name = 'BundleGone'
}

/** `linkMs` is the lifetime of a link. Bundles of `oldFolder` are moved when requested, or all together by `moveOld`. */
export const createBundleStore = (deps: {
  storage: LinkStorage
  prefix: string
  /** Null when the storage is remote. */
  toFile: ((key: string) => string) | null
  oldFolder: string
  linkMs: number
  now: () => Date
  log: Log
}) => {
  const { storage, prefix, toFile, oldFolder, linkMs, now, log } = deps
  const moves = oncePerKey<number>()
  const minted = new Set<string>()
  let closed = false
  const toKey = (jobId: string) => `${prefix}${jobId}/bundle.tar.gz`
  const listOldFiles = (jobId: string) => [join(oldFolder, jobId, 'bundle.tar.gz'), join(oldFolder, `${jobId}.tar.gz`)]
  const isFile = async (path: string) => (await stat(path).catch(() => null))?.isFile() === true
  const removeOld = async (jobId: string) => {
    for (const file of listOldFiles(jobId)) if (file !== toFile?.(toKey(jobId))) await rm(file, { force: true })
  }

  const move = async (jobId: string) => {
    const stored = await storage.readSize(toKey(jobId))
    if (stored !== null) return stored
    for (const file of listOldFiles(jobId)) {
      if (!(await isFile(file))) continue
      const { size } = await stat(file)
      await storage.put(toKey(jobId), file)
      return size
    }
    throw new BundleGone('The bundle of this export is gone from the storage. Start the export again')
  }
  const findSize = (jobId: string) => moves.run(jobId, () => move(jobId))

  return {
    /** Stores a packed bundle, durably; replaces that of an earlier attempt. The archive stays. Rejects with `StorageFailed`. */
    put: (jobId: string, archive: string) => storage.put(toKey(jobId), archive, { link: true }),
    /** A new link (§4.4), with the fields that a public service adds. `bundleUrl` is a secret. Rejects with `BundleGone`. */
    mint: async (jobId: string, firstLink?: Misbehaviour) => {
      const sizeBytes = await findSize(jobId)
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
      for (const file of [toFile(toKey(jobId)), ...listOldFiles(jobId)]) if (await isFile(file)) return file
      return null
    },
    remove: async (jobId: string) => {
      await moves.work.get(jobId)?.catch(() => {})
      await storage.remove(toKey(jobId))
      await removeOld(jobId)
    },
    removeUnfinished: (before: Date) => storage.removeUnfinished(prefix, before),
    /** Moves bundles that an earlier version or earlier settings left on this machine. Never rejects; a crash loses none. */
    moveOld: async (isKnown: (jobId: string) => Promise<boolean>): Promise<void> => {
      let count = 0
      for (const name of await readdir(oldFolder).catch(() => [])) {
        const [, jobId] = /^([\w-]{1,100}?)(?:\.tar\.gz)?$/.exec(name) ?? []
        if (closed || jobId === undefined || toFile?.(toKey(jobId)) === join(oldFolder, name, 'bundle.tar.gz')) continue
        try {
          if (!(await isKnown(jobId))) continue
          await findSize(jobId)
          await removeOld(jobId)
          // Removes nothing but an empty folder.
          await rmdir(join(oldFolder, jobId)).catch(() => {})
          count += 1
        } catch (error) {
          log.warn({ jobId, err: error }, 'a bundle could not be moved into the shared store yet')
        }
      }
      if (count > 0) log.info({ count }, 'moved bundles of this machine into the store of bundles')
    },
    close: () => {
      closed = true
    },
  }
}

export type BundleStore = ReturnType<typeof createBundleStore>
