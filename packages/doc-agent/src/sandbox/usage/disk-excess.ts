import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxLimits } from '#sandbox/limits.ts'

/** Why a checkout takes too much of the disk, as a sentence for the reader, or null. */
export const findDiskExcess = async (checkout: string, limits: SandboxLimits): Promise<string | null> => {
  const disk = await statfs(checkout).catch(unlessGone)
  if (disk === null) return uncountable
  // Deleted files that a process holds open take space that no folder shows.
  if ('bavail' in disk && isAlmostFull(disk, limits.freeDisk))
    return 'The command was stopped: the disk is almost full.'
  const used = { bytes: 0, entries: 0 }
  const isReadable = await addFolder(checkout, used, limits)
  if (!isReadable) return uncountable
  if (used.bytes <= limits.checkout && used.entries <= limits.entries) return null
  return `The command was stopped: it wrote more than ${Math.round(limits.checkout / 1024 ** 2)} MB or ${limits.entries} files and folders.`
}

const uncountable = 'The command was stopped: it made a folder whose files cannot be counted.'

/** Whether less than `freeDisk` bytes are free, or less than a tenth where that is smaller. */
export const isAlmostFull = (disk: { bsize: number; blocks: number; bavail: number }, freeDisk: number): boolean =>
  disk.bavail * disk.bsize < Math.min(freeDisk, (disk.blocks * disk.bsize) / 10)

/** Adds the contents of a folder to `used`, up to the limits. False when a folder exists and cannot be read. */
const addFolder = async (
  folder: string,
  used: { bytes: number; entries: number },
  limits: SandboxLimits,
): Promise<boolean> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessGone)
  if (entries === null) return false
  for (const entry of entries) {
    used.entries += 1
    if (used.entries > limits.entries || used.bytes > limits.checkout) return true
    const path = join(folder, entry.name)
    const found = await lstat(path).catch(unlessGone)
    if (found === null) return false
    used.bytes += ('blocks' in found ? found.blocks : 0) * 512
    if (entry.isDirectory() && !(await addFolder(path, used, limits))) return false
  }
  return true
}

/** Empty for a path that vanished meanwhile, null for one that cannot be read. */
const unlessGone = (error: NodeJS.ErrnoException): [] | null =>
  error.code === 'ENOENT' || error.code === 'ENOTDIR' ? [] : null
