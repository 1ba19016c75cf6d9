import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, readRef } from '@docket/sources/git/git'
import { changeRefs } from '#embedded/pull-requests/pull-requests.ts'
import { mainBranch, type FolderRepository } from '#embedded/repository.ts'
import { listChanges, undoInterrupted, writeFolderTree } from './folder-tree.ts'
import { fetchBranch, findWorkTree, folderHeadRef, readBranch, type WorkTree } from './work-tree.ts'

/** Ref of the commit that an update of the folder began to write. Removed when it is complete. */
export const writingRef = 'refs/folder/writing'

export type FolderState = {
  main: string
  /** Commit that the folder's files come from; null when the folder can't be read. */
  head: string | null
  behind: number
  /** Commit of an update that was not completed, so some files may already come from it. */
  writing: string | null
  /** Reason why the folder can't be updated, other than that it is up to date. */
  problem: string | null
  workTree: WorkTree | null
}

/** Reads the folder and merges its changes into the main branch unless they conflict. Must not overlap with other changes. */
export const syncFolder = async (repository: FolderRepository): Promise<FolderState> => {
  const { git } = repository
  const writing = await readRef(repository.git, writingRef)
  const folder = await readFolder(repository, writing).catch((error: unknown) => ({
    head: null,
    problem: error instanceof FolderProblem ? error.message : 'Docket can’t read the folder.',
    workTree: null,
  }))
  const before = (await readRef(repository.git, `refs/heads/${mainBranch}`))!
  if (folder.head === null) return { ...folder, main: before, behind: 0, writing }
  const { commit: main, files } = await mergeIntoMain(repository, before, folder.head)
  const behind = Number(await git(['rev-list', '--count', `${folder.head}..${main}`]))
  const problem = files === null ? folder.problem : describeDivergence(files)
  return { ...folder, problem, main, behind, writing }
}

class FolderProblem extends Error {}

type FolderHead = { head: string; problem: string | null; workTree: WorkTree | null }

const readFolder = (repository: FolderRepository, writing: string | null): Promise<FolderHead> =>
  repository.origin.branch === null
    ? readPlainFolder(repository, writing)
    : readCheckout(repository, repository.origin.branch, writing)

const readPlainFolder = async (repository: FolderRepository, writing: string | null): Promise<FolderHead> => {
  const { git, gitDir, origin } = repository
  const index = join(gitDir, 'folder.index')
  const written = await writeFolderTree(git, { ...origin, index })
  const synced = (await readRef(repository.git, syncedRef)) ?? (await findImport(repository))
  if (written.isEmpty && (await git(['ls-tree', '--name-only', synced])) !== '')
    throw new FolderProblem('The folder is empty, so Docket left the repository as it is.')
  const tree =
    writing === null ? written.tree : await undoInterrupted(git, index, await listChanges(git, synced, writing))
  const head = await findCommit(repository, tree, synced)
  return { head, problem: null, workTree: null }
}

/** Earlier versions didn't record this commit, but their repository's first commit has the imported files. */
const findImport = async ({ git }: FolderRepository) =>
  (await git(['rev-list', '--max-parents=0', '--first-parent', mainBranch])).trim()

const findCommit = async (repository: FolderRepository, tree: string, synced: string): Promise<string> => {
  const { git } = repository
  if ((await readTree(repository, synced)) === tree) return synced
  if ((await readTree(repository, mainBranch)) === tree) {
    const main = (await git(['rev-parse', mainBranch])).trim()
    await changeRefs(repository, [`update ${syncedRef} ${main}`])
    return main
  }
  const known = await readRef(repository.git, folderHeadRef)
  if (known !== null && (await readTree(repository, known)) === tree) {
    if ((await readRef(git, `${known}^`)) === synced) return known
  }
  const commit = (await git(['commit-tree', tree, '-p', synced, '-m', 'Take over the changes of the folder'])).trim()
  await changeRefs(repository, [`update ${folderHeadRef} ${commit}`])
  return commit
}

const readCheckout = async (
  repository: FolderRepository,
  branch: string,
  writing: string | null,
): Promise<FolderHead> => {
  const { git, origin, gitDir } = repository
  const workTree = await findWorkTree(origin.path)
  if (!workTree) throw new FolderProblem('The folder is no git checkout any more.')
  const head = await fetchBranch(git, workTree, branch).catch(() => {
    throw new FolderProblem(`Docket can’t read the branch ${branch} of the folder’s git repository.`)
  })
  const current = await readBranch(workTree)
  if (current !== branch) {
    const problem = `The folder is on ${current === null ? 'no branch' : `the branch ${current}`}; its repository here follows ${branch}. Switch to ${branch} to update it.`
    return { head, problem, workTree }
  }
  const index = join(gitDir, 'folder.index')
  const changed = await listChangedFiles(repository, workTree, { commit: head, index })
  const sinceWriting =
    writing === null
      ? null
      : new Set(await listChangedFiles(repository, workTree, { commit: writing, index: `${index}.writing` }))
  const files = sinceWriting === null ? changed : changed.filter((file) => sinceWriting.has(file))
  const problem =
    files.length === 0
      ? null
      : `The folder has changes that aren’t committed: ${listNames(files)}. Commit or undo them.`
  return { head, problem, workTree }
}

/** Files of a checkout that differ from `commit`. Uses a separate index, so that the checkout's settings and filters have no effect. */
const listChangedFiles = async (
  { git }: FolderRepository,
  { root }: WorkTree,
  { commit, index }: { commit: string; index: string },
): Promise<string[]> => {
  const options = { workTree: await realpath(root), index, goodExit: 1 }
  await git(['read-tree', '-m', '-i', commit], options)
  await git(['update-index', '-q', '--ignore-submodules', '--refresh'], options)
  const names = await git(['diff-files', '--name-only', '--ignore-submodules=all', '-z'], options)
  return names.split('\0').filter((name) => name !== '')
}

/** Merges `head` into the main branch. Returns the conflicting `files` if that was impossible, and null once it is merged. */
const mergeIntoMain = async (repository: FolderRepository, main: string, head: string) => {
  const { git } = repository
  const ref = `refs/heads/${mainBranch}`
  const shared = (await git(['merge-base', main, head], { goodExit: 1 })).trim()
  const synced = repository.origin.branch === null ? [`update ${syncedRef} ${head}`] : []
  if (shared === head) return { commit: main, files: null }
  if (shared === main) {
    await changeRefs(repository, [`update ${ref} ${head} ${main}`, ...synced])
    return { commit: head, files: null }
  }
  if (shared === '') return { commit: main, files: [] }
  const merge = ['merge-tree', '--write-tree', '--name-only', '-z', main, head]
  const [tree = '', ...more] = (await git(merge, { goodExit: 1 })).split('\0')
  if (more.some((part) => part !== '')) return { commit: main, files: [...new Set(more.slice(0, more.indexOf('')))] }
  const message = ['-m', 'Merge the changes of the folder']
  const commit = (await git(['commit-tree', tree, '-p', main, '-p', head, ...message])).trim()
  await changeRefs(repository, [`update ${ref} ${commit} ${main}`, ...synced])
  return { commit, files: null }
}

const describeDivergence = (files: readonly string[]): string =>
  files.length === 0
    ? 'The folder’s history was rewritten and shares no commit with the main branch. Nothing was overwritten.'
    : `The folder and the main branch changed the same places in ${listNames(files)}. Nothing was overwritten. Bring the main branch’s version of them into the folder.`

export const listNames = (files: readonly string[]): string =>
  files.length > 20 ? `${files.slice(0, 20).join(', ')} and ${files.length - 20} more` : files.join(', ')

const readTree = async ({ git }: FolderRepository, commit: string) =>
  (await git(['rev-parse', `${commit}^{tree}`])).trim()

export const syncedRef = 'refs/folder/synced'

/** Imports the history of the folder's branch, or only the files when that is impossible. */
export const importFolder = async (
  git: Git,
  order: { draft: string; path: string; dataDir: string; keepHistory: boolean },
) => {
  if (order.keepHistory && (await importHistory(git, order.path))) return
  const index = join(order.draft, 'seed.index')
  const { tree } = await writeFolderTree(git, { ...order, index })
  const commit = (await git(['commit-tree', tree, '-m', 'Import the documentation'])).trim()
  await git(['update-ref', `refs/heads/${mainBranch}`, commit])
  await git(['update-ref', syncedRef, commit])
  await rm(index, { force: true })
}

const importHistory = async (git: Git, path: string): Promise<boolean> => {
  const workTree = await findWorkTree(path).catch(() => null)
  if (!workTree) return false
  try {
    const branch = await readBranch(workTree)
    if (branch === null) return false
    const commit = await fetchBranch(git, workTree, branch)
    const kind = await git(['cat-file', '-t', `${commit}:${workTree.prefix}`]).catch(() => '')
    // A surrounding repository, such as that of a home folder, that does not contain the folder.
    if (kind.trim() !== 'tree') return false
    await git(['update-ref', `refs/heads/${mainBranch}`, commit])
    await git(['config', 'docket.branch', branch])
    return true
  } catch {
    return false
  }
}
