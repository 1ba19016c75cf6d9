import { join } from 'node:path'
import { findPullRequest, openOrFindPullRequest } from '#api/pull-request-api.ts'
import type { ConfiguredCodeHosts } from '#api/services.ts'
import { openBareRepository } from '#git/bare-repository.ts'
import { followBranch, formatRepositoryUrl, type GitSource } from '#git/follow-branch.ts'
import { createRemoteRepository } from '#git/remote-repository.ts'
import { type Pause, refused } from './code-host-error.ts'
import type { Project } from './code-host.ts'

/** A project with a remote repository, and a bare copy of it in `folder` that is updated before each use. */
export const openRemoteProject = async (order: {
  projectId: string
  source: GitSource
  folder: string
  codeHosts: ConfiguredCodeHosts
  pause: Pause
}): Promise<Project> => {
  const { projectId, source, folder, codeHosts, pause } = order
  const at = codeHosts.repositoryAt(source.repository)
  if (at === null) throw refused(explainUnknownHost(order))
  const gitDir = join(folder, `${projectId}.git`)
  const git = await openBareRepository(gitDir, { branch: source.ref ?? 'main' })
  const remote = createRemoteRepository(
    git,
    {
      url: source.repository,
      credential: { user: at.user, token: at.token },
      hide: codeHosts.hide,
      caFile: at.caFile,
      needs: at.needs,
    },
    pause,
  )
  const branch = followBranch(git, remote, source)
  return {
    projectId,
    repositoryUrl: formatRepositoryUrl(source),
    gitDir,
    git,
    folder: source.folder,
    base: branch.fetch,
    readHead: (branch, signal) => remote.fetch(branch, signal),
    push: (branch, commit, signal) => remote.push(branch, commit, signal),
    removeBranch: (branch, commit, signal) => remote.remove(branch, commit, signal),
    findPullRequest: async (branch, signal) => findPullRequest(at.api, branch, signal),
    listOpenBranches: async (signal) => at.api.listOpenBranches(signal),
    openOrFindPullRequest: async (request, signal) => {
      const base = await branch.find(signal)
      return openOrFindPullRequest(at.api, { ...request, base }, pause, signal)
    },
  }
}

const explainUnknownHost = ({ source, codeHosts }: { source: GitSource; codeHosts: ConfiguredCodeHosts }) => {
  const { host } = new URL(source.repository)
  const { names } = codeHosts
  return names.length === 0
    ? `The repository is on ${host}, and no code host is configured: set LOCAL_CODE_HOST and LOCAL_CODE_HOST_TOKEN.`
    : `${formatRepositoryUrl(source)} is no repository of ${names.join(', ')}: see LOCAL_CODE_HOST_URL and LOCAL_CODE_HOSTS_FILE.`
}
