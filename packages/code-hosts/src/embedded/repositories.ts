import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { oncePerKey } from '@docket/once'
import type { Git } from '@docket/sources/git/git'
import { importFolder } from '#embedded/folder/folder-state.ts'
import { findWorkTree } from '#embedded/folder/work-tree.ts'
import { openBareRepository } from '#git/bare-repository.ts'
import { followBranch, type GitSource } from '#git/follow-branch.ts'
import { type Pause, CodeHostError } from '#code-host-error.ts'
import { changeRefs } from '#embedded/pull-requests/pull-requests.ts'
import { createRemoteRepository } from '#git/remote-repository.ts'
import { mainBranch, type Repository, type Upstream } from './repository.ts'

/** With `keepHistory`, a folder in a git checkout is imported with that repository's history, and so with all its files. */
type RepositoryOptions = { dataDir?: string; pause?: Pause; keepHistory?: boolean }

/** Repositories begin with the history or the files of the project's folder. Files in or beside `dataDir` never become content. */
export const repositories = (
  folder: string,
  projects: Readonly<Record<string, string | GitSource>>,
  { dataDir = folder, pause = async () => {}, keepHistory = true }: RepositoryOptions = {},
) => {
  const opened = oncePerKey<Repository>({ keep: true })
  const openAnew = async (projectId: string, source: string | GitSource): Promise<Repository> => {
    const gitDir = join(folder, `${projectId}.git`)
    if (typeof source !== 'string') return openCopy(projectId, gitDir, { source, pause })
    const path = source
    const fill = (git: Git, draft: string) => importFolder(git, { draft, path, dataDir, keepHistory })
    const git = await openBareRepository(gitDir, { branch: mainBranch, fill })
    // These are leftovers of a crash, because only one process works here at a time.
    await rm(join(gitDir, 'folder.index.lock'), { force: true })
    const branch = (await git(['config', '--get', 'docket.branch'], { goodExit: 1 })).trim() || null
    const workTree = branch === null ? null : await findWorkTree(path).catch(() => null)
    return { projectId, gitDir, git, folder: workTree?.prefix ?? '', origin: { path, dataDir, branch } }
  }
  const open = async (projectId: string) => {
    const source = Object.hasOwn(projects, projectId) ? projects[projectId] : undefined
    return source === undefined ? null : opened.run(projectId, () => openAnew(projectId, source))
  }
  const find = async (projectId: string) => {
    const isMade = Object.hasOwn(projects, projectId) && existsSync(join(folder, `${projectId}.git`))
    return isMade ? open(projectId) : null
  }
  return {
    projectIds: Object.keys(projects),
    findByFolder: async (path: string) => {
      const projectId = Object.keys(projects).find((id) => projects[id] === path)
      return projectId === undefined ? null : find(projectId)
    },
    /** Opens a project's repository. Null before its first use, and for a project that does not exist. */
    find,
    /** Opens a project's repository, and creates it from its folder on first use. Null for a project that does not exist. */
    open,
  }
}

const openCopy = async (
  projectId: string,
  gitDir: string,
  { source, pause }: { source: GitSource; pause: Pause },
): Promise<Repository> => {
  // Created only once the original could be read, so that there always is a main branch.
  const fill = (git: Git, draft: string) => openUpstream({ git, gitDir: draft }, source, pause).sync()
  const git = await openBareRepository(gitDir, { branch: mainBranch, fill })
  return { projectId, gitDir, git, folder: source.folder, origin: openUpstream({ git, gitDir }, source, pause) }
}

export type Repositories = ReturnType<typeof repositories>

const openUpstream = (copy: { git: Git; gitDir: string }, source: GitSource, pause: Pause): Upstream => {
  const { git } = copy
  const address = { url: source.repository, credential: null, hide: (text: string) => text, caFile: null, needs: null }
  const remote = createRemoteRepository(git, address, pause)
  const branch = followBranch(git, remote, source)
  return {
    sync: async () => {
      const { commit } = await branch.fetch()
      await changeRefs(copy, [`update refs/heads/${mainBranch} ${commit}`])
    },
    push: async (commit) => {
      try {
        await remote.push(await branch.find(), commit)
        return null
      } catch (error) {
        if (error instanceof CodeHostError) return `The repository didn’t take the merge: ${error.message}`
        throw error
      }
    },
  }
}
