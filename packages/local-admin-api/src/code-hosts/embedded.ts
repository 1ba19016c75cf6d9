import { openPullRequest, pullRequestsOf, type PullRequest } from '#code-host/pull-requests.ts'
import { mainBranch, type Repository } from '#code-host/repositories.ts'
import type { Project, PullRequestLink } from '#code-hosts/code-host.ts'

/** Path of a project's repository on the embedded code host. */
export const embeddedUrl = (projectId: string) => `/docket/${encodeURIComponent(projectId)}`

/** A project whose repository is one of the embedded code host. */
export const embeddedProject = (repository: Repository, now: () => Date): Project => {
  const { projectId, gitDir, git, workDir } = repository
  const commitOf = async (branch: string) =>
    (await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], { goodExit: 1 })).trim() || null
  const linkOf = ({ number }: PullRequest): PullRequestLink => ({
    number,
    url: `${embeddedUrl(projectId)}/pulls/${number}`,
    state: 'open',
  })
  return {
    projectId,
    repositoryUrl: embeddedUrl(projectId),
    gitDir,
    git,
    workDir,
    folder: '',
    base: async () => {
      const commit = await commitOf(mainBranch)
      if (commit === null) throw new Error(`The repository of ${projectId} has no branch ${mainBranch}.`)
      return { branch: mainBranch, commit }
    },
    headOf: commitOf,
    push: async (branch, commit) => {
      await git(['update-ref', `refs/heads/${branch}`, commit])
      await git(['update-server-info'])
    },
    findPullRequest: async (branch) => {
      const pull = (await pullRequestsOf(repository)).find((candidate) => candidate.branch === branch)
      return pull ? linkOf(pull) : null
    },
    openOrFindPullRequest: async (request) => linkOf(await openPullRequest(repository, { ...request, now: now() })),
  }
}
