import { existsSync } from 'node:fs'
import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Git, gitIn } from '@docket/sources/git/git'

export type WorkTree = {
  root: string
  gitDir: string
  /** Path of the project's folder inside; empty for the whole checkout. */
  prefix: string
  /** Runs git on the checkout's repository. No command may run one of its filters. */
  git: Git
}

/** Null when the folder is in no checkout. */
export const findWorkTree = async (folder: string): Promise<WorkTree | null> => {
  const inside = await realpath(folder)
  for (let root = inside; ; root = dirname(root)) {
    const gitDir = await readGitDir(root)
    if (gitDir !== null) return { root, gitDir, prefix: relative(root, inside), git: gitIn(gitDir) }
    if (dirname(root) === root) return null
  }
}

/** A linked worktree has a file that names its git directory. */
const readGitDir = async (root: string): Promise<string | null> => {
  const entry = join(root, '.git')
  const found = await lstat(entry).catch(() => null)
  if (!found) return null
  const named = found.isFile() ? /^gitdir: (.+)$/m.exec(await readFile(entry, 'utf8'))?.[1] : null
  const gitDir = found.isDirectory() ? entry : named && resolve(root, named)
  return gitDir && existsSync(join(gitDir, 'HEAD')) ? gitDir : null
}

/** Null when HEAD is detached. */
export const readBranch = async ({ git }: WorkTree): Promise<string | null> =>
  (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { goodExit: 1 })).trim() || null

export const folderHeadRef = 'refs/folder/head'

export const fetchBranch = async (git: Git, { gitDir }: WorkTree, branch: string): Promise<string> => {
  const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--update-shallow']
  const refs = `+refs/heads/${branch}:${folderHeadRef}`
  const remote = pathToFileURL(gitDir).href
  await git(['fetch', ...quietly, '--', remote, refs], { remote, timeLimitMs: 10 * 60_000 })
  return (await git(['rev-parse', `${folderHeadRef}^{commit}`])).trim()
}
