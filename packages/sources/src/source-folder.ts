import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Limits for reading a source. */
export const sourceLimits = {
  files: 200_000,
  depth: 24,
  fileBytes: 32 * 1024 * 1024,
} as const

export type LeftOut = { file: string; reason: string }

const dependencies = new Set(['node_modules', '__MACOSX'])
/** Hidden folders that documentation tools publish. */
const publishedFolders = new Set(['.gitbook'])
/** Markdown such as `.NET.md`, but not the `._page.md` that macOS adds. */
const dottedPage = /^\.[\p{L}\p{N}].*\.mdx?$/iu

const isHiddenName = (name: string) => name.startsWith('.') && !publishedFolders.has(name) && !dottedPage.test(name)

type Options = {
  /** Selects names to leave out; by default, hidden ones. */
  isHidden?: (name: string) => boolean
  /** Files that a checkout has left out. */
  leftOut?: readonly LeftOut[]
}

/** Opens `folder`. Rejects when it is not a folder, or has too many files. */
export const openSourceFolder = async (
  folder: string,
  { isHidden = isHiddenName, leftOut: notCheckedOut = [] }: Options = {},
) => {
  const root = await realpath(folder)
  const listed = await listFiles(root, isHidden)
  const files: ReadonlySet<string> = new Set(listed.files.toSorted(compareCodePoints))
  const leftOut = [...listed.leftOut, ...notCheckedOut].toSorted((a, b) => compareCodePoints(a.file, b.file))
  const reasons = new Map(leftOut.map(({ file, reason }) => [file, reason]))
  return {
    /** Every file that may belong to the site, as `a/b.md`, sorted. Excludes symlinks, hidden files and dependencies. */
    files,
    /** True for a listed file, also beside the folder that `enterFolder` entered. */
    has: (file: string) => files.has(file),
    /** Omitted entries with reasons: special and unreadable files, and those that were not checked out. */
    leftOut,
    /** Files and folders that the source has hidden. */
    hidden: listed.hidden as readonly string[],
    /** Content of a file; null when it is not a regular file inside the folder, or exceeds `maxBytes`. */
    read: async (file: string, maxBytes: number) => {
      // Lets other tasks run between files.
      await setImmediate()
      return readInside(root, file, maxBytes)
    },
    /** Reason why `files` lacks a file of this name; null when the source has none. */
    explain: (file: string): string | null => {
      if (file.startsWith('..')) return 'it is outside of the folder'
      const parts = posix.normalize(file).split('/')
      if (parts.some((part) => dependencies.has(part))) return 'it is in a folder of dependencies'
      if (parts.some(isHidden)) return 'its name, or that of its folder, begins with a dot'
      const places = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
      return places.map((place) => reasons.get(place)).find((reason) => reason !== undefined) ?? null
    },
  }
}

/** An untrusted folder. Never reads outside of it, whatever its names and symlinks are. */
export type SourceFolder = Awaited<ReturnType<typeof openSourceFolder>>

/** A source seen from its folder `base`, which ends with a slash. Reads of `../` still reach the rest of the source. */
export const enterFolder = (source: SourceFolder, base: string): SourceFolder => {
  if (base === '') return source
  const enter = (file: string) => (file.startsWith(base) ? [file.slice(base.length)] : [])
  const outside = source.leftOut.filter(({ file }) => file === '..')
  const inside = source.leftOut.flatMap(({ file, reason }) => enter(file).map((name) => ({ file: name, reason })))
  return {
    files: new Set([...source.files].flatMap(enter)),
    has: (file) => source.has(posix.join(base, file)),
    leftOut: [...outside, ...inside],
    hidden: source.hidden.flatMap(enter),
    read: (file, maxBytes) => source.read(posix.join(base, file), maxBytes),
    explain: (file) => {
      const place = posix.join(base, file)
      return source.explain(place) ?? (place.startsWith(base) ? null : (outside[0]?.reason ?? null))
    },
  }
}

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
  const leftOut: LeftOut[] = []
  const hidden: string[] = []
  const list = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === '') throw error
      leftOut.push({ file: folder, reason: 'the folder cannot be read' })
      return []
    })
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isHidden(entry.name)) hidden.push(file)
      if (isHidden(entry.name) || dependencies.has(entry.name)) continue
      if (entry.isFile()) files.push(file)
      else if (!entry.isDirectory())
        leftOut.push({ file, reason: entry.isSymbolicLink() ? 'it is a symbolic link' : 'it is no ordinary file' })
      else if (depth < sourceLimits.depth) await list(file, depth + 1)
      else leftOut.push({ file, reason: `folders are read to a depth of ${sourceLimits.depth}` })
      if (files.length + leftOut.length > sourceLimits.files)
        throw new Error(`The folder has more than ${sourceLimits.files} files. Name a folder inside it`)
    }
  }
  await list('', 0)
  return { files, leftOut, hidden: hidden.toSorted(compareCodePoints) }
}

const compareCodePoints = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
