import { lstat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { isWithin } from '#sandbox/system-folders.ts'

/** Folders whose contents belong to many programs, or to people. */
const wide = ['/', '/boot', '/data', '/etc', '/home', '/media', '/mnt', '/opt', '/root', '/run', '/srv', '/tmp', '/var']

/** Folders where the sandbox has something of its own. */
const taken = ['/dev', '/etc', '/opt/agent', '/proc', '/run', '/sys', '/tmp', '/work', '/usr', '/bin', '/sbin', '/lib']

/** True when the sandbox cannot show a folder at its own path. */
export const isTaken = (folder: string): boolean => taken.includes(folder) || isWithin(folder, taken)

/**
 * Folder that a program needs: all of its `node_modules`, an installation around `bin`, its package, or the folder of the file. Null when
 * each of them is too wide, or holds something of `hidden`.
 */
export const findProgramFolder = async (place: string, hidden: readonly string[]): Promise<string | null> => {
  for (const folder of [nodeModules(place), await installation(place), await nodePackage(place), dirname(place)])
    if (folder !== null && !isTooWide(folder, hidden)) return folder
  return null
}

const isTooWide = (folder: string, hidden: readonly string[]) => {
  const homes = [homedir(), '/root']
  return (
    wide.includes(folder) ||
    ['/home', '/var', '/run', '/mnt', '/media'].includes(dirname(folder)) ||
    homes.some((home) => folder === home || isWithin(home, [folder])) ||
    hidden.some((place) => place === folder || isWithin(place, [folder]) || isWithin(folder, [place]))
  )
}

/** The outermost `node_modules`, which holds the dependencies too; the whole store of pnpm. */
const nodeModules = (place: string): string | null => {
  const parts = place.split(sep)
  const store = parts.indexOf('.pnpm')
  const end = store > 0 ? store : parts.indexOf('node_modules') + 1
  return end > 1 ? parts.slice(0, end).join(sep) : null
}

const has = (folder: string, name: string) =>
  lstat(join(folder, name)).then(
    () => true,
    () => false,
  )

/** A virtual environment of Python, or a folder with `bin` and `lib`. */
const installation = async (place: string): Promise<string | null> => {
  const parent = dirname(dirname(place))
  if (basename(dirname(place)) !== 'bin' || basename(parent).startsWith('.local')) return null
  return (await has(parent, 'pyvenv.cfg')) || (await has(parent, 'lib')) ? parent : null
}

const nodePackage = async (place: string): Promise<string | null> => {
  for (let folder = dirname(place); folder !== dirname(folder); folder = dirname(folder))
    if (await has(folder, 'package.json')) return folder
  return null
}
