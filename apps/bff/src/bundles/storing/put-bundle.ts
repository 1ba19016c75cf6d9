import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hashFile, hashObject, type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'
import { artifactKeys } from '@docket/site-bundle/artifact-keys'
import type { Database } from '#ground/db/database.ts'
import { beginWriting, type BundleFacts, holdBundle } from './bundle-rows.ts'

/** Files that the analysis makes from a bundle, by what they become in the store. */
const madeFiles = { zip: 'site.zip', manifest: 'manifest.json.gz', report: 'report.json.gz' } as const

/** Longest wait for another process that writes or deletes the same bytes. Milliseconds. */
const maxWaitMs = 10 * 60_000
const pauseMs = 500

const mismatch = () =>
  new StorageFailed('The store returned other bytes than Docket wrote. Check the disk or the object store.')

/**
 * Puts a bundle and what was made from it into the store, and reads everything back. True when this process wrote it: `endWriting` makes it
 * visible. False when the same bytes are stored already.
 */
export const putBundle = async (
  deps: { db: Database; storage: ObjectStorage; now: () => number },
  bundle: { file: string; folder: string; facts: Omit<BundleFacts, 'storedBytes'>; store: string; writer: string },
  { onProgress, signal }: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<boolean> => {
  const { db, storage, now } = deps
  const { file, folder, facts, store, writer } = bundle
  const { sha256 } = facts
  const keys = artifactKeys(sha256)
  const made = await Promise.all(
    (['zip', 'manifest', 'report'] as const).map(async (name) => {
      const path = join(folder, madeFiles[name])
      const [sum, { size }] = await Promise.all([hashFile(path), stat(path)])
      return { key: keys[name], path, sum, size }
    }),
  )
  const parts = [...made, { key: keys.bundle, path: file, sum: sha256, size: facts.sizeBytes }]
  const storedBytes = parts.reduce((sum, { size }) => sum + size, 0)
  const deadline = performance.now() + maxWaitMs
  while (!(await beginWriting(db, { ...facts, storedBytes }, { writer, store, at: new Date(now()) }))) {
    if (await holdBundle(db, sha256, store)) return false
    if (performance.now() > deadline) throw new StorageFailed('Another process holds the same bundle for too long.')
    await delay(pauseMs, undefined, { signal })
  }
  let done = 0
  for (const { key, path, sum, size } of parts) {
    signal.throwIfAborted()
    // An upload may be listed now, and then needs its file.
    await storage.put(key, path, { link: path === file })
    // A store may answer well and keep half.
    if ((await hashObject(storage, key)) !== sum) throw mismatch()
    onProgress((done += size), storedBytes)
  }
  return true
}
