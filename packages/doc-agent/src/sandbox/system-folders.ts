import { chmod, constants, copyFile, lstat, mkdir, readlink, realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, sep } from 'node:path'

/** Folders of programs and libraries, which every sandbox sees. On most systems several are links into `/usr`. */
export const systemFolders: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/alternatives',
]

/** True when `path` lies below one of the folders. */
export const isWithin = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder + sep))

/** Arguments for bubblewrap that mount a system folder read-only, or repeat it where it is a link. None where it does not exist. */
export const mountSystemFolder = async (folder: string): Promise<string[]> => {
  const found = await lstat(folder).catch(() => null)
  if (!found) return []
  return found.isSymbolicLink() ? ['--symlink', await readlink(folder), folder] : ['--ro-bind', folder, folder]
}

/** Program as the sandbox starts it. `copy` is the host file to show as `program`, or null. */
export type PlacedProgram = { program: string; copy: string | null }

/**
 * Finds the program of a command. Copies one that the sandbox does not see into `folder`, so that no path of the host shows. Rejects
 * with a message when the file does not exist.
 */
export const placeProgram = async (
  program: string,
  { folder, covered }: { folder: string; covered: readonly string[] },
): Promise<PlacedProgram> => {
  if (!isAbsolute(program)) return { program, copy: null }
  const name = basename(program)
  const place = await realpath(program).catch(() => {
    throw new Error(`The command of agent jobs does not exist: ${name}.`)
  })
  const isSeen = (path: string) => isWithin(path, systemFolders) && !isWithin(path, covered)
  if (isSeen(program) && isSeen(place)) return { program, copy: null }
  await mkdir(join(folder, 'program'))
  const copy = join(folder, 'program', name)
  await copyFile(place, copy, constants.COPYFILE_FICLONE)
  await chmod(copy, 0o555)
  return { program: `/opt/agent/${name}`, copy }
}
