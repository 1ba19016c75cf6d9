import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Limits for reading a source. The report names every omitted file. */
export const sourceLimits = {
  files: 200_000,
  /** Folders within folders. */
  depth: 24,
  /** Maximum size of one file. Bytes. */
  fileBytes: 32 * 1024 * 1024,
} as const

const skipped = new Set(['node_modules', 'dist', 'build', 'vendor', '__MACOSX'])
const maxLeftOut = 500

/** Opens `folder`. Rejects when it is not a folder. `isHidden` leaves out names; all that begin with a dot by default. */
export const openSourceFolder = async (
  folder: string,
  { isHidden = (name: string) => name.startsWith('.') }: { isHidden?: (name: string) => boolean } = {},
) => {
  const root = await realpath(folder)
  const { files, leftOut } = await listFiles(root, isHidden)
  return {
    /** Every file that may belong to the site, as `a/b.md`, sorted. Symlinks, hidden files and dependencies are not in it. */
    files: new Set(files.toSorted(byCodePoint)),
    /** Entries left out, with reasons: special files and unreadable ones; the first few hundred. */
    leftOut: leftOut.toSorted((a, b) => byCodePoint(a.file, b.file)),
    /** Whole content, or null when there is no such plain file inside the folder, or it exceeds `maxBytes`. */
    read: async (file: string, maxBytes: number) => {
      // Lets others work between files.
      await setImmediate()
      return readInside(root, file, maxBytes)
    },
  }
}

/** A foreign folder. Never reads outside of it, whatever names and symlinks say. */
export type SourceFolder = Awaited<ReturnType<typeof openSourceFolder>>

/** Synchronous, because seven hops to another thread cost more than most files. */
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

/** Whether an open file is the one at `path`: a folder on the way may have been swapped for a link meanwhile. */
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

/** Content of an ordinary file; null past the limit, also while the file grows, and for pipes and devices, which may never end. */
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

const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
