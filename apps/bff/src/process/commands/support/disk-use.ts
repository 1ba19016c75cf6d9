import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { describeFailure } from '#ground/log/failure.ts'

const maxMs = 30_000

type Use = { bytes: number; files: number }

const measure = async (path: string, until: number): Promise<Use> => {
  const found = await lstat(path).catch(() => null)
  if (found === null) return { bytes: 0, files: 0 }
  const names = found.isDirectory() && performance.now() < until ? await readdir(path).catch(() => []) : []
  const use = { bytes: found.blocks * 512, files: found.isDirectory() ? 0 : 1 }
  for (const name of names) {
    const below = await measure(join(path, name), until)
    use.bytes += below.bytes
    use.files += below.files
  }
  return use
}

/** Free room of the disk of a folder, and what each entry of it takes. Stops counting after half a minute. */
export const readDiskUse = async (folder: string): Promise<unknown> => {
  try {
    const until = performance.now() + maxMs
    const { bavail, blocks, bsize } = await statfs(folder)
    const entries = []
    for (const name of (await readdir(folder)).toSorted())
      entries.push({ name, ...(await measure(join(folder, name), until)) })
    const complete = performance.now() < until
    return { folder, freeBytes: bavail * bsize, sizeBytes: blocks * bsize, complete, entries }
  } catch (error) {
    return { failed: describeFailure(error) }
  }
}
