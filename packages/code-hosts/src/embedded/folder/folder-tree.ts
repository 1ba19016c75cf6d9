import { copyFile, realpath, rm } from 'node:fs/promises'
import type { Git } from '@docket/sources/git/git'
import { seedFiles } from '#embedded/seed-files.ts'

/** Mode and hash of a file in a tree. Null: the tree doesn't have it. */
export type Entry = { mode: string; hash: string } | null

export type Change = { path: string; before: Entry; after: Entry }

/** A file to be written, and the states in which it is not a person's own change. */
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

/**
 * The tree of `index` as it was before an interrupted update: files that the update had written already count as they were before. The
 * rest are changes of a person.
 */
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
