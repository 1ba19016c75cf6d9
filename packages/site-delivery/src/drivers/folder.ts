import { constants } from 'node:fs'
import { link, lstat, open, readdir, readlink, realpath, rename, rmdir, stat, symlink, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { syncFolder } from '@docket/artifact-store/local-disk/write-durably'
import { DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { draftStart, releaseFolders } from '#layouts/release-folders.ts'
import { type FileSystem, linkedFiles, type Stats } from './linked-files.ts'
import { isMissing, linklessFolders } from './linkless-folders.ts'
import { deriveRights, type Rights } from './rights.ts'

/** A folder of this machine. `within`: folders that targets may be in. */
export type FolderOptions = { path: string; keep: number; within: readonly string[] }

/** A folder of this machine, such as one that a web server serves. It must exist. */
export const folderTarget = async ({ path, keep, within }: FolderOptions): Promise<DeliveryTarget> => {
  const root = await locateFolder(path, within)
  const files = linkedFiles(localFiles(root, deriveRights((await stat(root)).mode)), draftStart)
  const target = releaseFolders({ ...files, concurrency: 8, close: () => Promise.resolve() }, keep)
  return {
    ...target,
    check: async (signal) => {
      await target.check(signal)
      return findClosed(root)
    },
  }
}

/** Says which folders on the way to a target not everybody may enter, and what opens them. Null when there are none. */
const findClosed = async (root: string): Promise<string | null> => {
  const closed: string[] = []
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) closed.push(`'${folder.replaceAll("'", String.raw`'\''`)}'`)
  if (closed.length === 0) return null
  const names = closed.join(' ')
  return `But not everybody may enter ${names}. If the web server runs as another user, it may not be able to read what Docket delivers. To let it in, run: chmod go+x ${names} – then deliver again.`
}

/** The real path of a folder. Throws `DeliveryFailed` unless it exists within one of the folders, links resolved. */
export const locateFolder = async (path: string, within: readonly string[]): Promise<string> => {
  const allowed = await Promise.all(within.map((folder) => realpath(folder).catch(() => null)))
  const real = await realpath(path).catch(() => null)
  const isWithin = (folder: string | null) => folder !== null && isInside(folder, real ?? path)
  if (!allowed.some(isWithin))
    throw new DeliveryFailed(
      within.length === 0
        ? 'This Docket may not deliver to folders. TARGET_FOLDERS names those where it may.'
        : 'Docket may not deliver to this folder, or it does not exist. TARGET_FOLDERS names those where it may.',
    )
  if (real === null) throw new DeliveryFailed('The folder does not exist. Create it for the user that Docket runs as.')
  return real
}

/** True when `path` is `folder` or below it. Both are real paths. */
export const isInside = (folder: string, path: string): boolean => {
  const rest = relative(folder, path)
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !rest.startsWith(sep))
}

/** Opens files, not links, and waits for no pipe. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const localFiles = (root: string, rights: Rights): FileSystem => ({
  within: linklessFolders(root, (folder) => ignoreRefusal(folder.chmod(rights.folder))),
  readRights: () => Promise.resolve(rights),
  lstat,
  list: async (path) => {
    const find = async (name: string): Promise<[string, Stats][]> => {
      const stats = await lstat(join(path, name)).catch(() => null)
      return stats === null ? [] : [[name, stats]]
    }
    return (await Promise.all((await readdir(path)).map(find))).flat()
  },
  chmod: async (path, mode) => {
    await using handle = await open(path, readFlags)
    await ignoreRefusal(handle.chmod(mode))
  },
  open: async (path) => {
    const handle = await open(path, readFlags)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
    return null
  },
  create: async (path, mode) => {
    const handle = await open(path, 'wx', 0o600)
    await ignoreRefusal(handle.chmod(mode))
    return handle.createWriteStream({ flush: true })
  },
  link,
  readlink,
  symlink,
  rename: async (path, name) => {
    await rename(path, name)
    await syncFolder(dirname(name))
  },
  move: rename,
  unlink,
  rmdir,
  // A link or a socket is no file.
  isMissing: (error) => isMissing(error) || ['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? ''),
  explain,
})

/** Lets a change of permissions fail where files are somebody else's, or have none. */
const ignoreRefusal = (change: Promise<void>) =>
  change.catch((error: NodeJS.ErrnoException) => {
    if (!['EPERM', 'EROFS', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error
  })

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EACCES: 'Docket may not do that there',
  EPERM: 'Docket may not do that there',
  EROFS: 'it is read-only',
}

const explain: FileSystem['explain'] = async (what, work) => {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The content may fail too, and says so itself.
    if (code === undefined || error instanceof DeliveryFailed) throw error
    throw new DeliveryFailed(`Docket cannot ${what} the folder: ${reasons[code] ?? `the system says ${code}`}.`, true)
  }
}
