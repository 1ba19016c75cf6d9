import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Git } from '@docket/sources/git/git'
import { openSourceFolder } from '@docket/sources/source-folder'

/**
 * Files of a project's first commit: those an export would see, except files that `.gitignore` names and Docket's own data. A git
 * checkout inside counts as plain files.
 */
export const seedFiles = async (git: Git, folder: string, dataDir: string): Promise<string[]> => {
  const root = await realpath(folder).catch(() => {
    throw new Error(`The folder ${folder} of the project is missing.`)
  })
  const own = await realpath(dataDir).catch(() => dataDir)
  // Docket's key lies beside its data folder, and so may a database. Neither becomes content, wherever the project's
  // folder begins.
  const beside = dirname(own)
  const isOurs = (path: string) =>
    path.startsWith(own) || (beside.startsWith(root + sep) && path.startsWith(beside + sep))
  const files = [...(await openSourceFolder(root)).files].filter((file) => !isOurs(join(root, file)))
  const ignored = new Set(await listIgnored(git, root, files))
  return files.filter((file) => !ignored.has(file))
}

const listIgnored = async (git: Git, workTree: string, files: readonly string[]) => {
  if (files.length === 0) return []
  // git exits with 1 when it ignores no file.
  const options = { workTree, input: files.join('\0'), goodExit: 1 }
  return (await git(['check-ignore', '-z', '--no-index', '--stdin'], options)).split('\0')
}
