import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Space } from './disk-level.ts'

/** Space of a folder's volume; `device` is the same for folders on one volume. */
export type ReadSpace = (folder: string) => Promise<Space & { device: number }>

/** Reads the space of a folder, or of the one that it will be made in. */
export const readSpace: ReadSpace = async (folder) => {
  try {
    const [{ bavail, bfree, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)])
    // What is reserved for root is no use to Docket.
    return { freeBytes: bavail * bsize, totalBytes: (blocks - bfree + bavail) * bsize, device: dev }
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return readSpace(parent)
  }
}
