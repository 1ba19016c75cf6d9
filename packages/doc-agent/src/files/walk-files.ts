import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { escapeName, readFolder } from './names.ts'

/** An entry of a folder. The `path` of an `undecodable` one, whose name is not UTF-8, is for people only. */
export type Found =
  | {
      kind: 'file'
      path: string
      absolute: string
      size: number
      executable: boolean
      /** Git's hash of the content. Null for a file that is too large to read. */
      hash(length: number): Promise<string | null>
    }
  | { kind: 'link'; path: string; absolute: string }
  | { kind: 'other'; path: string; absolute: string }
  | { kind: 'undecodable'; path: string }

const maxFound = 500_000
/** Larger files count as changed without being read. Bytes. */
const maxHashed = 64 * 1024 * 1024

/**
 * Lists everything under `root` except folders, sorted by path, and follows no symlink. Rejects with a message when there is too much or
 * something cannot be read.
 */
export const walkFiles = async (root: string): Promise<Found[]> => {
  const found: Found[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const { name, bytes, entry } of await readable(folder, readFolder(root, folder))) {
      const path = posix.join(folder, name ?? escapeName(bytes))
      if (found.length >= maxFound) throw new Error(`The checkout has more than ${maxFound} files.`)
      // Nothing below a folder with such a name can be found by a text.
      if (name === null) found.push({ kind: 'undecodable', path })
      else if (entry.isDirectory()) {
        // A folder with a refused name is reported once, not with each file in it.
        if (isRefusedName(path)) found.push({ kind: 'other', path, absolute: join(root, path) })
        else await walk(path)
      } else found.push(await readable(path, lookAt(entry, path, join(root, path))))
    }
  }
  await walk('')
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

const reasons: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'its path is too long',
  EACCES: 'its permissions do not allow it',
}

/** Names an unreadable file by its path in the checkout; the system's own message contains the whole path. */
const readable = async <T>(path: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Error(`The work cannot be read at ${formatPath(path)}: ${reasons[code] ?? code}.`, { cause: error })
  }
}

export const formatPath = (path: string): string => JSON.stringify(path.slice(0, 200))

const lookAt = async (
  entry: { isFile(): boolean; isSymbolicLink(): boolean },
  path: string,
  absolute: string,
): Promise<Found> => {
  if (entry.isSymbolicLink()) return { kind: 'link', path, absolute }
  if (!entry.isFile()) return { kind: 'other', path, absolute }
  const { size, mode } = await withFile(absolute, (handle) => handle.stat())
  const hash = async (length: number) =>
    size > maxHashed
      ? null
      : contentHash(
          await readable(
            path,
            withFile(absolute, (handle) => handle.readFile()),
          ),
          length,
        )
  return { kind: 'file', path, absolute, size, executable: (mode & 0o100) !== 0, hash }
}

const withFile = async <T>(file: string, use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/**
 * True when git refuses a path, or another file system reads it as `.git`: control characters, and
 * the short and disguised forms of `.git` on Windows and macOS.
 */
export const isRefusedName = (path: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\u001f\u007f\\]/.test(path) ||
  Buffer.byteLength(path) > 4000 ||
  path.split('/').some((part) => /^(\.git|git~\d+)[ .]*(:.*)?$/i.test(part.replaceAll(ignorable, '')))

/** Characters that HFS+ does not see in a name. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Git's hash of a content. `length` is 40 for SHA-1, 64 for SHA-256. */
export const contentHash = (content: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')

export const linkTarget = (link: string): Promise<Buffer> => readlink(link, { encoding: 'buffer' })

/** True when a symlink's target stays inside the checkout, judged by its text alone. */
export const staysInside = (path: string, target: string): boolean => {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const reached = posix.normalize(posix.join(posix.dirname(path), target))
  return reached !== '..' && !reached.startsWith('../') && !/(^|\/)\.git(\/|$)/i.test(reached)
}

/** Files that git or a code host acts on once they are pushed: submodules and CI definitions. */
export const unchangeable = (path: string): boolean =>
  /^(\.gitmodules|\.gitlab-ci\.ya?ml|\.(github|gitea|forgejo)\/(workflows|actions)\/.*|\.gitlab\/ci\/.*|\.woodpecker(\.ya?ml|\/.*)|\.drone\.ya?ml|\.circleci\/.*)$/i.test(
    path,
  )
