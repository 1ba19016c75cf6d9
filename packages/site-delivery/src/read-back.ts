import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pMap from 'p-map'
import { countBytes } from './delivery-plan.ts'
import type { DeliveredFile, DeliveryWatch, Verification } from './delivery-target.ts'

/** Reads files back and compares their SHA-256. `open` resolves with null for a missing file. */
export const readBack = async (
  files: readonly DeliveredFile[],
  open: (path: string) => Promise<Readable | null>,
  { onProgress, signal }: DeliveryWatch,
  concurrency: number,
): Promise<Verification> => {
  const total = countBytes(files)
  const found: Verification = { missing: [], changed: [] }
  let done = 0
  onProgress('verifying', 0, total)
  await pMap(
    files,
    async ({ path, sha256, sizeBytes }) => {
      signal.throwIfAborted()
      const content = await open(path)
      if (content === null) found.missing.push(path)
      else if ((await hashContent(content, signal)) !== sha256) found.changed.push(path)
      done += sizeBytes
      onProgress('verifying', done, total)
    },
    { concurrency },
  )
  return { missing: found.missing.toSorted(), changed: found.changed.toSorted() }
}

const hashContent = async (content: Readable, signal: AbortSignal) => {
  const hash = createHash('sha256')
  await pipeline(content, hash, { signal })
  return hash.digest('hex')
}
