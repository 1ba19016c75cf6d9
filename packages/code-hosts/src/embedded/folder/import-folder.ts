import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '@docket/sources/git/git'
import { mainBranch } from '#embedded/repository.ts'
import { writeFolderTree } from './folder-tree.ts'
import { fetchBranch, findWorkTree, readBranch } from './work-tree.ts'

/** Ref of the commit whose files a folder of plain files had last. */
export const syncedRef = 'refs/folder/synced'

/**
 * Fills a new repository: with the history of the branch that the folder is checked out from, or with the folder's files when that is not
 * wanted, it is in no git checkout, its HEAD is detached, or the repository can't be read.
 */
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
    // A repository around it, such as that of a home folder, that does not have the folder.
    if (kind.trim() !== 'tree') return false
    await git(['update-ref', `refs/heads/${mainBranch}`, commit])
    await git(['config', 'docket.branch', branch])
    return true
  } catch {
    return false
  }
}
