import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { open, readlink, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** An entry of a folder. The `path` of an `undecodable` one, whose name is not UTF-8, is only for display. */
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

/** Lists files without folders, sorted by path, and follows no symlink. Rejects when there are too many or one cannot be read. */
export const walkFiles = async (root: string): Promise<Found[]> => {
  const found: Found[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const { name, bytes, entry } of await withReadableError(folder, readFolder(root, folder))) {
      const path = posix.join(folder, name ?? escapeName(bytes))
      if (found.length >= maxFound) throw new Error(`The checkout has more than ${maxFound} files.`)
      // No file below a folder with such a name can be addressed by a text path.
      if (name === null) found.push({ kind: 'undecodable', path })
      else if (entry.isDirectory()) {
        // A folder with a refused name is reported once, not with each file in it.
        if (isRefusedName(path)) found.push({ kind: 'other', path, absolute: join(root, path) })
        else await walk(path)
      } else found.push(await withReadableError(path, inspectEntry(entry, path, join(root, path))))
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
const withReadableError = async <T>(path: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Error(`The work cannot be read at ${formatPath(path)}: ${reasons[code] ?? code}.`, { cause: error })
  }
}

export const formatPath = (path: string): string => JSON.stringify(path.slice(0, 200))

const inspectEntry = async (
  entry: { isFile(): boolean; isSymbolicLink(): boolean },
  path: string,
  absolute: string,
): Promise<Found> => {
  if (entry.isSymbolicLink()) return { kind: 'link', path, absolute }
  if (!entry.isFile()) return { kind: 'other', path, absolute }
  const { size, mode } = await withFile(absolute, (handle) => handle.stat())
  const readAll = () => withFile(absolute, (handle) => handle.readFile())
  const hash = async (length: number) =>
    size > maxHashed ? null : hashContent(await withReadableError(path, readAll()), length)
  return { kind: 'file', path, absolute, size, executable: (mode & 0o100) !== 0, hash }
}

const withFile = async <T>(file: string, use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  return await use(handle)
}

/** Control characters, and names that Windows or macOS read as `.git`. */
export const isRefusedName = (path: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  /[\0-\u001f\u007f\\]/.test(path) ||
  Buffer.byteLength(path) > 4000 ||
  path.split('/').some((part) => /^(\.git|git~\d+)[ .]*(:.*)?$/i.test(part.replaceAll(ignorable, '')))

/** Characters that HFS+ ignores in a name. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Git's hash of a file's content. `length` is 40 for SHA-1, 64 for SHA-256. */
export const hashContent = (content: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')

export const readLinkTarget = (link: string): Promise<Buffer> => readlink(link, { encoding: 'buffer' })

export const staysInside = (path: string, target: string): boolean => {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const reached = posix.normalize(posix.join(posix.dirname(path), target))
  return reached !== '..' && !reached.startsWith('../') && !/(^|\/)\.git(\/|$)/i.test(reached)
}

/** Files that git or a code host acts on once they are pushed: submodules and CI definitions. */
export const isUnchangeable = (path: string): boolean =>
  /^(\.gitmodules|\.gitlab-ci\.ya?ml|\.(github|gitea|forgejo)\/(workflows|actions)\/.*|\.gitlab\/ci\/.*|\.woodpecker(\.ya?ml|\/.*)|\.drone\.ya?ml|\.circleci\/.*)$/i.test(
    path,
  )

/** Null when the bytes are not UTF-8, because the text would not lead back to them. */
export const decodeUtf8 = (bytes: Buffer): string | null => {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : null
}

/** A readable form of a name that is not UTF-8: ASCII as it is, all other bytes as `\xNN`. */
export const escapeName = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

export const readFolder = async (
  root: string,
  folder: string,
): Promise<{ name: string | null; bytes: Buffer; entry: Dirent<Buffer> }[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' })
  return entries.map((entry) => ({ name: decodeUtf8(entry.name), bytes: entry.name, entry }))
}

/** Attributes that check files out byte for byte: no conversion, and no filter that a repository could name. */
export const byteForByte = '* -text -ident -filter -working-tree-encoding\n'
