import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DeliveryFailed } from '#delivery-target.ts'
import { type FileSystem, refuseLink } from './linked-files.ts'

/** On Linux, an open folder has a path of its own, which stays right when a link takes its place. Elsewhere, its name has to do. */
const hasOwnPaths = existsSync('/proc/self/fd')
const toPath = ({ fd }: FileHandle, name: string) => (hasOwnPaths ? `/proc/self/fd/${fd}` : name)
const flags = constants.O_RDONLY | constants.O_DIRECTORY

/** Opens folders below `root`, and makes sure that no link led there. `protect` gets the new ones. */
export const linklessFolders = (root: string, protect: (folder: FileHandle) => Promise<void>): FileSystem['within'] => {
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
    if (folder !== null || link !== null) throw refuseLink(link ?? name)
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

export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
