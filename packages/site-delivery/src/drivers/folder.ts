import { constants, existsSync } from 'node:fs'
import {
  link,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  symlink,
  unlink,
  type FileHandle,
  mkdir,
} from 'node:fs/promises'
import { dirname, join, relative, sep, basename, resolve } from 'node:path'
import { syncFolder } from '@docket/artifact-store/local-disk/write-durably'
import { DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { draftStart, createReleaseFoldersTarget } from '#layouts/release-folders.ts'
import {
  type FileSystem,
  createLinkedFiles,
  type Stats,
  deriveRights,
  type Rights,
  createLinkRefusal,
} from './linked-files.ts'

/** A folder of this machine. `within` lists the folders that may contain targets. */
export type FolderOptions = { path: string; keep: number; within: readonly string[] }

export const openFolderTarget = async ({ path, keep, within }: FolderOptions): Promise<DeliveryTarget> => {
  const root = await locateFolder(path, within)
  const files = createLinkedFiles(createLocalFiles(root, deriveRights((await stat(root)).mode)), draftStart)
  const target = createReleaseFoldersTarget({ ...files, concurrency: 8, close: () => Promise.resolve() }, keep)
  return {
    ...target,
    check: async (signal) => {
      await target.check(signal)
      return explainClosedFolders(root)
    },
  }
}

/** Names folders above a target that not every user may enter, and how to open them. Null when there are none. */
const explainClosedFolders = async (root: string): Promise<string | null> => {
  const closed: string[] = []
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) closed.push(`'${folder.replaceAll("'", String.raw`'\''`)}'`)
  if (closed.length === 0) return null
  const names = closed.join(' ')
  return `But not everybody may enter ${names}. If the web server runs as another user, it may not be able to read what Docket delivers. To let it in, run: chmod go+x ${names} – then deliver again.`
}

/** Resolves symlinks. Throws `DeliveryFailed` unless the folder exists within one of `within`. */
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

/** Flags that open files but not links, and never wait for a pipe. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const createLocalFiles = (root: string, rights: Rights): FileSystem => ({
  within: createLinklessFolders(root, (folder) => ignoreRefusal(folder.chmod(rights.folder))),
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
  // A link or a socket is not a file.
  isMissing: (error) => isMissing(error) || ['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? ''),
  explain: wrapFileFailure,
})

/** Ignores a failed change of permissions when files belong to another user or have no permissions. */
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

const wrapFileFailure: FileSystem['explain'] = async (what, work) => {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // If the content fails too, its own error is reported.
    if (code === undefined || error instanceof DeliveryFailed) throw error
    throw new DeliveryFailed(`Docket cannot ${what} the folder: ${reasons[code] ?? `the system says ${code}`}.`, true)
  }
}

/** On Linux, an open folder has a path of its own, which stays right when a link takes its place. Elsewhere, its name has to do. */
const hasOwnPaths = existsSync('/proc/self/fd')
const toPath = ({ fd }: FileHandle, name: string) => (hasOwnPaths ? `/proc/self/fd/${fd}` : name)
const flags = constants.O_RDONLY | constants.O_DIRECTORY

/** Opens folders below `root`, and makes sure that no link led there. `protect` gets the new ones. */
const createLinklessFolders = (root: string, protect: (folder: FileHandle) => Promise<void>): FileSystem['within'] => {
  const findLink = async (name: string): Promise<string | null> => {
    if (name === root) return (await realpath(root).catch(() => root)) === root ? null : root
    const isLink = (await lstat(name).catch(() => null))?.isSymbolicLink() === true
    return (await findLink(dirname(name))) ?? (isLink ? name.slice(root.length + 1) : null)
  }
  const enter = async (name: string, makes: boolean): Promise<FileHandle | null> => {
    const folder = await open(name, flags).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    const isThere = folder !== null && (await (hasOwnPaths ? readlink : realpath)(toPath(folder, name))) === name
    if (isThere) return folder
    await folder?.close()
    const link = await findLink(name)
    if (folder !== null || link !== null) throw createLinkRefusal(link ?? name)
    if (name === root) throw new DeliveryFailed('The folder does not exist any more. Create it again.', true)
    if (!makes) return null
    await using parent = (await enter(dirname(name), true))!
    const place = join(toPath(parent, dirname(name)), basename(name))
    await mkdir(place, 0o700).catch((error: NodeJS.ErrnoException) => {
      // Another file of this delivery needed it at the same moment.
      if (error.code !== 'EEXIST') throw error
    })
    const made = await open(place, flags | constants.O_NOFOLLOW)
    await protect(made)
    return made
  }
  return async (path, makes, use) => {
    const name = resolve(root, `./${path}`)
    await using folder = await enter(name, makes)
    return folder === null ? null : await use(toPath(folder, name))
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** What targets may use of this machine: `TARGET_REPOSITORIES`, and `TARGET_FOLDERS`. */
export type LocalPlaces = { repositories: readonly string[]; folders: readonly string[] }

/** Throws `DeliveryFailed` for other repositories, and where a folder target could change the configuration of this one. */
export const locateRepository = async (path: string, { repositories, folders }: LocalPlaces): Promise<string> => {
  const resolve = (places: readonly string[]) =>
    Promise.all(places.map((place) => realpath(place).catch(() => undefined)))
  const [real] = await resolve([path])
  if (real === undefined || !(await resolve(repositories)).includes(real))
    throw new DeliveryFailed(
      repositories.length === 0
        ? 'This Docket may not deliver to repositories of its machine. TARGET_REPOSITORIES lists those to which it may.'
        : 'Docket may not deliver to this repository, or it does not exist. TARGET_REPOSITORIES lists those to which it may.',
    )
  const overlaps = (folder: string | undefined) =>
    folder !== undefined && (isInside(folder, real) || isInside(real, folder))
  if ((await resolve(folders)).some(overlaps))
    throw new DeliveryFailed(
      'This repository and a folder of TARGET_FOLDERS are within each other, so a delivery could change its configuration. Move the repository elsewhere, or name another folder.',
    )
  return real
}
