import { realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Git } from '@docket/sources/git/git'
import { openSourceFolder } from '@docket/sources/source-folder'

/** Begin of the names under which files are written before they are complete. */
export const draftPrefix = '.docket-update-'

/**
 * Hidden files that usually hold secrets or belong to a person's tools. Other hidden files configure the documentation, such as
 * `.vitepress` and `.markdownlint.json`.
 */
const personal =
  /^\.(git$|env|npmrc|yarnrc|pypirc|netrc|pgpass|my\.cnf|htpasswd|ssh$|aws$|azure$|gcloud|kube$|docker$|gnupg$|config$|local$|cache$|venv$|terraform|vault|boto|s3cfg|direnv|DS_Store|idea$|Trash|docket-update-)|secret|token|credential|passw|history|(^\.|[._-])keys?$/i

const isLeftOut = (name: string) => name.startsWith('.') && personal.test(name)

/**
 * Files of a folder that belong into its repository: those an export would see and hidden configuration, except files that `.gitignore`
 * names, what may hold secrets, and Docket's own data. A git checkout inside counts as plain files.
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
  const found = await openSourceFolder(root, { isHidden: isLeftOut })
  const files = [...found.files].filter((file) => !isOurs(join(root, file)))
  const ignored = new Set(await listIgnored(git, root, files))
  return files.filter((file) => !ignored.has(file))
}

const listIgnored = async (git: Git, workTree: string, files: readonly string[]) => {
  if (files.length === 0) return []
  // git exits with 1 when it ignores no file.
  const options = { workTree, input: files.join('\0'), goodExit: 1 }
  return (await git(['check-ignore', '-z', '--no-index', '--stdin'], options)).split('\0')
}
