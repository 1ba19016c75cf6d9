import { lstat, readlink } from 'node:fs/promises'
import { sep } from 'node:path'

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

export const isWithin = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder + sep))

/** A folder that is a symlink is repeated as one. Empty when the folder does not exist. */
export const mountSystemFolder = async (folder: string): Promise<string[]> => {
  const found = await lstat(folder).catch(() => null)
  if (!found) return []
  return found.isSymbolicLink() ? ['--symlink', await readlink(folder), folder] : ['--ro-bind', folder, folder]
}
