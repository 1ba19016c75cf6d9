import { existsSync, constants } from 'node:fs'
import { mkdir, realpath, rm, chmod, copyFile, lstat, open, rename, rmdir } from 'node:fs/promises'
import { join, basename, dirname, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHash } from 'node:crypto'
import { inTurn, mainBranch, type FolderRepository } from '#embedded/repository.ts'
import { changeRefs } from '#embedded/pull-requests/pull-requests.ts'
import { type FolderState, listNames, syncFolder, writingRef, syncedRef } from './folder-state.ts'
import { type Change, type FolderChange, listChanges, draftPrefix, type Entry } from './folder-tree.ts'
import type { WorkTree } from './work-tree.ts'

export type FolderUpdate = { changed: boolean; refused: string | null }

/** Fast-forwards the folder and replaces only unchanged files. A repetition completes an update that a crash interrupted. */
export const updateFolder = (repository: FolderRepository, seenMain: string): Promise<FolderUpdate> =>
  inTurn(repository.gitDir, async () => {
    const state = await syncFolder(repository)
    const { main, head, writing, problem } = state
    const refuse = (refused: string | null) => ({ changed: false, refused })
    if (main !== seenMain)
      return refuse('The main branch has changed since you opened the page. Look at the new commits first.')
    if (problem !== null || head === null) return refuse(problem)
    if (head === main && writing === null) return refuse(null)
    const changes = await planChanges(repository, { head, main, writing })
    const place = { root: await realpath(state.workTree?.root ?? repository.origin.path), prefix: repository.folder }
    const refused = await findRefusedPaths(place, changes)
    if (refused.length > 0)
      return refuse(
        `Docket can’t update ${listNames(refused)}: changed in the folder, outside of it, or no plain file. Nothing was written.`,
      )
    const reason = state.workTree && (await explainBlockedBranch(repository, state.workTree, state))
    if (reason) return refuse(reason)
    await writeUpdate(repository, { place, changes, state })
    return { changed: true, refused: null }
  })

const planChanges = async (
  { git }: FolderRepository,
  { head, main, writing }: { head: string; main: string; writing: string | null },
): Promise<FolderChange[]> => {
  const toMain = await listChanges(git, head, main)
  const toWriting = writing === null ? [] : await listChanges(git, head, writing)
  const begun = new Map(toWriting.map((change) => [change.path, change]))
  const planned = new Map(toMain.map((change) => [change.path, change]))
  // Files that an interrupted update wrote may have to be replaced by those of the current main branch.
  for (const { path, before } of toWriting) if (!planned.has(path)) planned.set(path, { path, before, after: before })
  return [...planned.values()].map(({ path, before, after }: Change) => {
    const also = begun.get(path)
    return { path, after, known: [before, after, ...(also ? [also.after] : [])] }
  })
}

const explainBlockedBranch = async (
  { git }: FolderRepository,
  { gitDir }: WorkTree,
  { head, main, writing }: FolderState,
): Promise<string | null> => {
  if (existsSync(join(gitDir, 'index.lock')) || existsSync(join(gitDir, 'MERGE_HEAD')))
    return 'Git is at work in the folder: a merge or another command isn’t finished there. Nothing was written.'
  const index = join(gitDir, 'index')
  const staged = async (commit: string) =>
    (await git(['diff-index', '--cached', '--name-only', '-z', '--ignore-submodules=all', commit], { index }))
      .split('\0')
      .filter((name) => name !== '')
  const sinceHead = existsSync(index) ? await staged(head!) : []
  if (sinceHead.length === 0) return null
  // An interrupted update may already have moved the branch.
  for (const commit of [main, writing]) if (commit !== null && (await staged(commit)).length === 0) return null
  return `The folder has staged changes: ${listNames(sinceHead)}. Commit or undo them. Nothing was written.`
}

const writeUpdate = async (
  repository: FolderRepository,
  { place, changes, state }: { place: Place; changes: readonly FolderChange[]; state: FolderState },
) => {
  const { git, gitDir, origin } = repository
  const { main, head, workTree } = state
  const draft = join(gitDir, 'folder.draft')
  const index = join(gitDir, 'folder.draft.index')
  await rm(draft, { recursive: true, force: true })
  await rm(index, { force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const options = { workTree: draft, index }
    await git(['read-tree', main], options)
    const wanted = changes.filter(({ after }) => after !== null).map(({ path }) => path)
    const config = ['core.autocrlf=false', 'core.eol=lf', 'core.symlinks=false']
    await git(['checkout-index', '--force', '-z', '--stdin'], { ...options, input: wanted.join('\0'), config })
    if (workTree) {
      // Copies only objects: no ref of the checkout moves before the files are written.
      const remote = pathToFileURL(gitDir).href
      const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
      await workTree.git(['fetch', ...quietly, '--', remote, `refs/heads/${mainBranch}`], { remote })
    }
    await changeRefs(repository, [`update ${writingRef} ${main}`])
    for (const change of changes) await writeChange(place, change, draft)
    if (workTree) await moveBranch(repository, workTree, { branch: origin.branch!, from: head!, to: main })
    const synced = workTree ? [] : [`update ${syncedRef} ${main}`]
    await changeRefs(repository, [...synced, `delete ${writingRef}`])
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(index, { force: true })
  }
}

/** Requires that the files of the commit are already written. */
const moveBranch = async (
  { git }: FolderRepository,
  { git: theirGit, gitDir, root }: WorkTree,
  { branch, from, to }: { branch: string; from: string; to: string },
) => {
  const reason = ['-m', 'docket: Update the folder']
  if (from !== to) await theirGit(['update-ref', ...reason, `refs/heads/${branch}`, to, from])
  const options = { workTree: root, index: join(gitDir, 'index'), goodExit: 1 }
  await git(['read-tree', '-m', '-i', to], options)
  await git(['update-index', '-q', '--ignore-submodules', '--refresh'], options)
}

type Place = { root: string; prefix: string }

/** Paths that can't be written: outside the folder, behind a link, not a plain file, or changed by the user. */
const findRefusedPaths = async (place: Place, changes: readonly FolderChange[]): Promise<string[]> => {
  const refused: string[] = []
  for (const change of changes) if (!(await isWritable(place, change))) refused.push(change.path)
  return refused
}

const isPlain = (entry: Entry) => entry === null || /^100(644|755)$/.test(entry.mode)

const isNamedSafely = ({ prefix }: Place, path: string) =>
  !path.includes('\ufffd') &&
  !path.includes('\\') &&
  (prefix === '' || path.startsWith(`${prefix}/`)) &&
  path.split('/').every((part) => !['', '.', '..'].includes(part) && part.toLowerCase() !== '.git')

const isWritable = async (place: Place, { path, after, known }: FolderChange): Promise<boolean> => {
  if (!isPlain(after) || !isNamedSafely(place, path)) return false
  const target = join(place.root, path)
  if (!(await isReachableFolder(place.root, dirname(target)))) return false
  const hash = await hashFile(target)
  return hash !== 'other' && known.some((entry) => (entry?.hash ?? null) === hash)
}

/** True when a folder exists, or can be created, below `root` without a link on the way. */
const isReachableFolder = async (root: string, folder: string): Promise<boolean> => {
  if (folder === root) return true
  if (!folder.startsWith(root + sep)) return false
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'other'))
  if (found === 'other') return false
  if (found === null) return isReachableFolder(root, dirname(folder))
  return found.isDirectory() && (await realpath(folder)) === folder
}

/** Git's hash of a plain file; null when nothing is there, `other` for anything else. */
const hashFile = async (target: string): Promise<string | null> => {
  const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'other'),
  )
  if (handle === null || typeof handle === 'string') return handle
  try {
    if (!(await handle.stat()).isFile()) return 'other'
    const content = await handle.readFile()
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
  } finally {
    await handle.close()
  }
}

/** Replaces or removes a file atomically. Rejects when it has changed since it was checked. */
const writeChange = async (place: Place, change: FolderChange, draft: string): Promise<void> => {
  const { path, after } = change
  const target = join(place.root, path)
  if (!(await isWritable(place, change)))
    throw new Error(`The file ${path} of the folder changed while it was updated. Update the folder again.`)
  if (after === null) {
    await rm(target, { force: true })
    return removeEmptyFolders(place.root, dirname(target))
  }
  const made = await mkdir(dirname(target), { recursive: true })
  // The umask of the process is for Docket's own files.
  for (let folder = dirname(target); made !== undefined && folder.length >= made.length; folder = dirname(folder))
    await chmod(folder, 0o755)
  const unfinished = join(dirname(target), draftPrefix + createHash('sha1').update(basename(target)).digest('hex'))
  await rm(unfinished, { force: true })
  try {
    await copyFile(join(draft, path), unfinished, constants.COPYFILE_EXCL)
    await chmod(unfinished, after.mode === '100755' ? 0o755 : 0o644)
    await flushFiles(unfinished)
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const flushFiles = async (file: string) => {
  await using handle = await open(file, 'r')
  await handle.sync()
}

const removeEmptyFolders = async (root: string, folder: string): Promise<void> => {
  if (folder === root) return
  const isGone = await rmdir(folder).then(
    () => true,
    () => false,
  )
  if (isGone) await removeEmptyFolders(root, dirname(folder))
}
