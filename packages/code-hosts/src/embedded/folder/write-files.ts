import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { draftPrefix } from '#embedded/seed-files.ts'
import type { Entry, FolderChange } from './folder-tree.ts'

/** A folder to write into: paths are below `root`, and have to be in `prefix`. */
type Place = { root: string; prefix: string }

/** Paths that can't be written: outside of the folder, behind a link, no plain file, or changed by a person. */
export const findRefused = async (place: Place, changes: readonly FolderChange[]): Promise<string[]> => {
  const refused: string[] = []
  for (const change of changes) if (!(await isWritable(place, change))) refused.push(change.path)
  return refused
}

const isPlain = (entry: Entry) => entry === null || /^100(644|755)$/.test(entry.mode)

const isNamedSafely = ({ prefix }: Place, path: string) =>
  !path.includes('\ufffd') &&
  !path.includes('\\') &&
  (prefix === '' || path.startsWith(`${prefix}/`)) &&
  path.split('/').every((part) => !['', '.', '..'].includes(part) && part.toLowerCase() !== '.git')

const isWritable = async (place: Place, { path, after, known }: FolderChange): Promise<boolean> => {
  if (!isPlain(after) || !isNamedSafely(place, path)) return false
  const target = join(place.root, path)
  if (!(await isReached(place.root, dirname(target)))) return false
  const hash = await hashFile(target)
  return hash !== 'other' && known.some((entry) => (entry?.hash ?? null) === hash)
}

/** True when a folder is below `root` without a link on the way, or can be made there. */
const isReached = async (root: string, folder: string): Promise<boolean> => {
  if (folder === root) return true
  if (!folder.startsWith(root + sep)) return false
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'other'))
  if (found === 'other') return false
  if (found === null) return isReached(root, dirname(folder))
  return found.isDirectory() && (await realpath(folder)) === folder
}

/** Hash of a plain file as git names it; null when there is none, `other` for anything else. */
const hashFile = async (target: string): Promise<string | null> => {
  const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'other'),
  )
  if (handle === null || typeof handle === 'string') return handle
  try {
    if (!(await handle.stat()).isFile()) return 'other'
    const content = await handle.readFile()
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
  } finally {
    await handle.close()
  }
}

/** Replaces or removes one file, whole. Rejects when it has changed since it was checked. */
export const writeChange = async (place: Place, change: FolderChange, draft: string): Promise<void> => {
  const { path, after } = change
  const target = join(place.root, path)
  if (!(await isWritable(place, change)))
    throw new Error(`The file ${path} of the folder changed while it was updated. Update the folder again.`)
  if (after === null) {
    await rm(target, { force: true })
    return removeEmpty(place.root, dirname(target))
  }
  const made = await mkdir(dirname(target), { recursive: true })
  // The umask of the process is for Docket's own files.
  for (let folder = dirname(target); made !== undefined && folder.length >= made.length; folder = dirname(folder))
    await chmod(folder, 0o755)
  const unfinished = join(dirname(target), draftPrefix + createHash('sha1').update(basename(target)).digest('hex'))
  await rm(unfinished, { force: true })
  try {
    await copyFile(join(draft, path), unfinished, constants.COPYFILE_EXCL)
    await chmod(unfinished, after.mode === '100755' ? 0o755 : 0o644)
    await flush(unfinished)
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const flush = async (file: string) => {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** As git does: a folder goes with its last file. */
const removeEmpty = async (root: string, folder: string): Promise<void> => {
  if (folder === root) return
  const isGone = await rmdir(folder).then(
    () => true,
    () => false,
  )
  if (isGone) await removeEmpty(root, dirname(folder))
}
