import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pMap from 'p-map'
import { countBytes } from './delivered-paths.ts'
import { type DeliveredFile, DeliveryFailed, type DeliveryWatch, type Verification } from './delivery-target.ts'

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

/** Reads files back, and has those that differ sent once more. Throws `DeliveryFailed` when one still differs. */
export const settleContent = async (
  files: readonly DeliveredFile[],
  check: (some: readonly DeliveredFile[]) => Promise<Verification>,
  send: (some: readonly DeliveredFile[]) => Promise<void>,
): Promise<void> => {
  const first = await check(files)
  const wrong = new Set([...first.missing, ...first.changed])
  if (wrong.size === 0) return
  const again = files.filter(({ path }) => wrong.has(path))
  await send(again)
  const { missing, changed } = await check(again)
  const [left] = [...missing, ...changed]
  if (left !== undefined) throw new DeliveryFailed(`The target does not keep what it is sent: “${left}” differs.`)
}
