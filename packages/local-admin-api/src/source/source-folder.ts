import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { limits } from '#source/limits.ts'

/** A folder of somebody else's files. Nothing outside it can be read through this, whatever names and symlinks say. */
export type SourceFolder = {
  /** Every file that may belong to the site, as `a/b.md`, sorted. Symlinks, hidden files and dependencies are not in it. */
  readonly files: ReadonlySet<string>
  /** Whole content, or null when there is no such file inside the folder or it has more than `maxBytes`. */
  read(file: string, maxBytes: number): Promise<Buffer | null>
}

const skipped = new Set(['node_modules', 'dist', 'build', 'vendor', '__MACOSX'])

/** Opens `folder`. Rejects when it is not a folder. */
export const openSourceFolder = async (folder: string): Promise<SourceFolder> => {
  const root = await realpath(folder)
  const files = new Set((await listFiles(root, '', 0, { left: limits.files })).toSorted(byCodePoint))
  return {
    files,
    read: async (file, maxBytes) => {
      try {
        const path = join(root, file)
        // The path may lead through a symlinked folder, or may have become one since it was listed.
        if ((await realpath(path)) !== path || !path.startsWith(root + sep)) return null
        const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
        try {
          const { size } = await handle.stat()
          return size > maxBytes ? null : await handle.readFile()
        } finally {
          await handle.close()
        }
      } catch {
        return null
      }
    },
  }
}

const listFiles = async (root: string, folder: string, depth: number, budget: { left: number }): Promise<string[]> => {
  if (depth > limits.depth) return []
  const found: string[] = []
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listFiles(root, path, depth + 1, budget)))
    else if (entry.isFile() && budget.left-- > 0) found.push(path)
  }
  return found
}

const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
