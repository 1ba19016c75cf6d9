import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Limits for reading a source. The report names every omitted file. */
export const sourceLimits = {
  files: 200_000,
  depth: 24,
  fileBytes: 32 * 1024 * 1024,
} as const

const skipped = new Set(['node_modules', 'dist', 'build', 'vendor', '__MACOSX'])
const maxLeftOut = 500

/** Opens `folder`. Rejects when it is not a folder. `isHidden` selects names to leave out; by default, those that begin with a dot. */
export const openSourceFolder = async (
  folder: string,
  { isHidden = (name: string) => name.startsWith('.') }: { isHidden?: (name: string) => boolean } = {},
) => {
  const root = await realpath(folder)
  const { files, leftOut } = await listFiles(root, isHidden)
  return {
    /** Every file that may belong to the site, as `a/b.md`, sorted. Excludes symlinks, hidden files and dependencies. */
    files: new Set(files.toSorted(compareCodePoints)),
    /** Omitted entries with reasons: special and unreadable files. At most a few hundred. */
    leftOut: leftOut.toSorted((a, b) => compareCodePoints(a.file, b.file)),
    /** Content of a file; null when it is not a regular file inside the folder, or exceeds `maxBytes`. */
    read: async (file: string, maxBytes: number) => {
      // Lets other tasks run between files.
      await setImmediate()
      return readInside(root, file, maxBytes)
    },
  }
}

/** An untrusted folder. Never reads outside of it, whatever its names and symlinks are. */
export type SourceFolder = Awaited<ReturnType<typeof openSourceFolder>>

/** Synchronous, because seven hops to another thread cost more than reading most files. */
const readInside = (root: string, file: string, maxBytes: number): Buffer | null => {
  try {
    const path = join(root, file)
    // The path may lead through a symlinked folder, or through one that was replaced after the listing.
    if (realpathSync.native(path) !== path || !path.startsWith(root + sep)) return null
    const opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return isAt(opened, path) ? readContent(opened, maxBytes) : null
    } finally {
      closeSync(opened)
    }
  } catch {
    return null
  }
}

/** True when an open file is the one at `path`. A folder in the path may have been replaced by a symlink in the meantime. */
const isAt = (opened: number, path: string): boolean => {
  const target = readTarget(`/proc/self/fd/${opened}`)
  if (target !== null) return target === path
  const [there, here] = [statSync(path), fstatSync(opened)]
  return there.ino === here.ino && there.dev === here.dev && realpathSync.native(path) === path
}

const readTarget = (link: string) => {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}

/** Content of a regular file; null beyond the limit, even if the file is growing, and for pipes and devices, which may never end. */
const readContent = (opened: number, maxBytes: number): Buffer | null => {
  const found = fstatSync(opened)
  if (!found.isFile() || found.size > maxBytes) return null
  const content = Buffer.allocUnsafe(found.size + 1)
  let length = 0
  while (length < content.length) {
    const bytesRead = readSync(opened, content, length, content.length - length, length)
    if (bytesRead === 0) return content.subarray(0, length)
    length += bytesRead
  }
  return null
}

const listFiles = async (root: string, isHidden: (name: string) => boolean) => {
  const files: string[] = []
  const leftOut: { file: string; reason: string }[] = []
  const leave = (file: string, reason: string) => leftOut.length < maxLeftOut && leftOut.push({ file, reason })
  const list = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === '') throw error
      leave(folder, 'the folder cannot be read')
      return []
    })
    for (const entry of entries) {
      if (isHidden(entry.name) || skipped.has(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth < sourceLimits.depth) await list(path, depth + 1)
        else leave(path, `folders are read to a depth of ${sourceLimits.depth}`)
      } else if (!entry.isFile())
        leave(path, entry.isSymbolicLink() ? 'it is a symbolic link' : 'it is no ordinary file')
      else if (files.length < sourceLimits.files) files.push(path)
      else leave(path, `a folder may have ${sourceLimits.files} files`)
    }
  }
  await list('', 0)
  return { files, leftOut }
}

const compareCodePoints = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
