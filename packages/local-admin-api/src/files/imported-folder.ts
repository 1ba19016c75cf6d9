import { lstat, rename } from 'node:fs/promises'

export const isFolder = async (folder: string): Promise<boolean> =>
  (await lstat(folder).catch(() => null))?.isDirectory() === true

/** Renames a folder whose files are in the database now to `….imported`; an older one of that name stays. */
export const keepAsImported = async (folder: string): Promise<void> => {
  let target = `${folder}.imported`
  for (let number = 2; await isFolder(target); number += 1) target = `${folder}.imported-${number}`
  await rename(folder, target)
}
