import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type Stats } from 'node:fs'
import { link, lstat, mkdir, readdir, readlink, realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '@docket/artifact-store/local-disk/write-durably'
import { DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { type LinkedFiles, releaseFolders } from '#layouts/release-folders.ts'

/** A folder of this machine. `within`: folders that targets may be in. */
export type FolderOptions = { path: string; keep: number; within: readonly string[] }

/** A folder of this machine, such as one that a web server serves. It must exist. */
export const folderTarget = async ({ path, keep, within }: FolderOptions): Promise<DeliveryTarget> => {
  const root = await locateFolder(path, within)
  return releaseFolders(localFiles(root), keep)
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

const localFiles = (root: string): LinkedFiles => {
  const place = (path: string) => join(root, ...path.split('/'))
  const made = new Set<string>()
  const makeParent = async (file: string) => {
    const folder = dirname(file)
    if (made.has(folder)) return
    await mkdir(folder, { recursive: true })
    made.add(folder)
  }
  const nameDraft = (file: string) => join(dirname(file), `.docket-${randomUUID()}`)
  const find = (path: string): Promise<Stats | null> => lstat(place(path)).catch(whenMissing(null))
  return {
    concurrency: 8,
    write: (path, content) =>
      explain('write to', async () => {
        const file = place(path)
        await makeParent(file)
        const draft = nameDraft(file)
        try {
          await pipeline(content, createWriteStream(draft, { flags: 'wx', flush: true }))
          await rename(draft, file)
        } catch (error) {
          await rm(draft, { force: true })
          throw error
        }
      }),
    read: (path) =>
      explain('read', async () => {
        const file = place(path)
        return (await lstat(file).catch(whenMissing(null)))?.isFile() === true ? createReadStream(file) : null
      }),
    readSize: async (path) => {
      const found = await explain('read', () => find(path))
      return found?.isFile() === true ? found.size : null
    },
    addName: async (path, name) => {
      await makeParent(place(name))
      return link(place(path), place(name)).then(
        () => true,
        () => false,
      )
    },
    readLink: (path) =>
      explain('read', async () => {
        const found = await find(path)
        if (found === null) return null
        return found.isSymbolicLink() ? { to: await readlink(place(path)) } : 'other'
      }),
    replaceLink: (path, to) =>
      explain('write to', async () => {
        const file = place(path)
        const draft = nameDraft(file)
        try {
          await symlink(to, draft)
          await rename(draft, file)
        } catch (error) {
          await rm(draft, { force: true })
          throw error
        }
        await syncFolder(dirname(file))
      }),
    listNames: (path) => explain('read', () => readdir(place(path)).catch(whenMissing<string[]>([]))),
    rename: (path, name) =>
      explain('write to', async () => {
        await rename(place(path), place(name))
        made.clear()
        await syncFolder(dirname(place(name)))
      }),
    remove: (path) => explain('write to', () => rm(place(path), { recursive: true, force: true })),
    close: () => Promise.resolve(),
  }
}

const whenMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EACCES: 'Docket may not do that there',
  EPERM: 'Docket may not do that there',
  EROFS: 'it is read-only',
  ELOOP: 'it has links in a circle',
}

const explain = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The content may fail too, and says so itself.
    if (code === undefined || error instanceof DeliveryFailed) throw error
    throw new DeliveryFailed(`Docket cannot ${what} the folder: ${reasons[code] ?? `the system says ${code}`}.`, true)
  }
}
