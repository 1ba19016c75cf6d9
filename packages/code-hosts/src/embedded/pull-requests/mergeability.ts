import { mainBranch, type Repository } from '#embedded/repository.ts'
import type { PullRequest } from './pull-requests.ts'

/** Effect of merging a pull request into the main branch, which is at `main` now. */
export type Mergeability =
  /** The main branch becomes the head of the pull request. */
  | { kind: 'fast-forward'; main: string }
  /** A commit with two parents and this tree is made. */
  | { kind: 'merge'; main: string; tree: string }
  /** Files that both sides changed in the same places. */
  | { kind: 'conflict'; main: string; files: string[] }
  | { kind: 'impossible'; main: string; sentence: string }

/** Checks a merge without a work tree and without changing a ref. */
export const checkMergeability = async ({ git }: Repository, { head }: PullRequest): Promise<Mergeability> => {
  const main = (await git(['rev-parse', `refs/heads/${mainBranch}`])).trim()
  const shared = (await git(['merge-base', main, head], { goodExit: 1 })).trim()
  if (shared === head) return { kind: 'impossible', main, sentence: 'The main branch has all of its commits already.' }
  if (shared === main) return { kind: 'fast-forward', main }
  const merge = ['merge-tree', '--write-tree', '--name-only', '-z', main, head]
  // git exits with 1 for a conflict, and lists the files after the tree.
  const output = await git(merge, { goodExit: 1 }).catch((error: unknown) => explainFailure(error))
  if (typeof output !== 'string') return { kind: 'impossible', main, sentence: output.sentence }
  const [tree = '', ...more] = output.split('\0')
  if (more.every((part) => part === '')) return { kind: 'merge', main, tree }
  return { kind: 'conflict', main, files: [...new Set(more.slice(0, more.indexOf('')))] }
}

const explainFailure = (error: unknown) => {
  const output = error instanceof Error ? error.message : String(error)
  if (/usage: git merge-tree/.test(output))
    return {
      sentence: 'The main branch has moved on, and git on this machine is too old to merge: 2.38 or newer is needed.',
    }
  if (/unrelated histories/.test(output)) return { sentence: 'The branch shares no history with the main branch.' }
  throw error
}
