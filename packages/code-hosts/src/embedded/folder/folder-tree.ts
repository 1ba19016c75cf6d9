import { copyFile, realpath, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Git } from '@docket/sources/git/git'
import { openSourceFolder } from '@docket/sources/source-folder'

/** Mode and hash of a file in a tree. Null when the tree doesn't have the file. */
export type Entry = { mode: string; hash: string } | null

export type Change = { path: string; before: Entry; after: Entry }

/** A file to write, and the states in which it is not a user's own change. */
export type FolderChange = { path: string; after: Entry; known: Entry[] }

type FolderFiles = { path: string; dataDir: string; index: string }

/** Writes the tree of a folder's plain files, without its git. `index` stays, so that the next call reads changed files only. */
export const writeFolderTree = async (git: Git, { path, dataDir, index }: FolderFiles) => {
  const root = await realpath(path)
  const files = await seedFiles(git, root, dataDir)
  const options = { workTree: root, index }
  const wanted = new Set(files)
  const known = (await git(['ls-files', '-z'], options)).split('\0').filter((file) => file !== '')
  const gone = known.filter((file) => !wanted.has(file))
  await git(['update-index', '--force-remove', '-z', '--stdin'], { ...options, input: gone.join('\0') })
  await git(['update-index', '--add', '--replace', '-z', '--stdin'], { ...options, input: files.join('\0') })
  return { tree: (await git(['write-tree'], options)).trim(), isEmpty: files.length === 0 }
}

export const listChanges = async (git: Git, before: string, after: string): Promise<Change[]> => {
  const fields = (await git(['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', before, after])).split('\0')
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, at) => {
    const [modeBefore = '', modeAfter = '', hashBefore = '', hashAfter = ''] = fields[2 * at]!.slice(1).split(' ')
    const entry = (mode: string, hash: string): Entry => (mode === '000000' ? null : { mode, hash })
    return { path: fields[2 * at + 1]!, before: entry(modeBefore, hashBefore), after: entry(modeAfter, hashAfter) }
  })
}

/** Files that an interrupted update wrote count as unchanged. All other differences are the user's changes. */
export const undoInterrupted = async (git: Git, index: string, changes: readonly Change[]): Promise<string> => {
  const copy = `${index}.before`
  await copyFile(index, copy)
  try {
    const entries = new Map(
      (await git(['ls-files', '-s', '-z'], { index: copy })).split('\0').flatMap((line) => {
        const [, mode = '', hash = '', path = ''] = /^(\d+) (\w+) \d\t([^]+)$/.exec(line) ?? []
        return path === '' ? [] : [[path, `${mode} ${hash}`] as const]
      }),
    )
    const written = changes.filter(
      ({ path, after }) => entries.get(path) === (after ? `${after.mode} ${after.hash}` : undefined),
    )
    const lines = written.map(({ path, before }) =>
      before ? `${before.mode} ${before.hash}\t${path}` : `0 ${'0'.repeat(40)}\t${path}`,
    )
    await git(['update-index', '-z', '--index-info'], { index: copy, input: lines.map((line) => `${line}\0`).join('') })
    return (await git(['write-tree'], { index: copy })).trim()
  } finally {
    await rm(copy, { force: true })
  }
}

export const draftPrefix = '.docket-update-'

/** Hidden files that contain secrets or belong to a user's tools. Others, such as `.vitepress`, configure the documentation. */
const personal =
  /^\.(git$|env|npmrc|yarnrc|pypirc|netrc|pgpass|my\.cnf|htpasswd|ssh$|aws$|azure$|gcloud|kube$|docker$|gnupg$|config$|local$|cache$|venv$|terraform|vault|boto|s3cfg|direnv|DS_Store|idea$|Trash|docket-update-)|secret|token|credential|passw|history|(^\.|[._-])keys?$/i

const isLeftOut = (name: string) => name.startsWith('.') && personal.test(name)

/** Leaves out ignored files, files that may contain secrets, and Docket's own data. A nested git checkout counts as plain files. */
const seedFiles = async (git: Git, folder: string, dataDir: string): Promise<string[]> => {
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
