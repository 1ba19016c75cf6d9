import { readRef } from '@docket/sources/git/git'
import type { Project, PullRequestLink } from '#code-host.ts'
import {
  changeRefs,
  toHeadRef,
  openPullRequest,
  listPullRequests,
  type PullRequest,
} from '#embedded/pull-requests/pull-requests.ts'
import { inTurn, mainBranch, type Repository } from './repository.ts'
import { syncOrigin } from './sync-origin.ts'

/** Path of a project's repository on the embedded code host, relative to Docket's address. */
export const formatEmbeddedUrl = (projectId: string) => `/code/${encodeURIComponent(projectId)}`

export const openEmbeddedProject = (repository: Repository, now: () => Date): Project => {
  const { projectId, gitDir, git } = repository
  const readHead = (branch: string) => readRef(git, `refs/heads/${branch}`)
  const toLink = ({ number, state }: PullRequest): PullRequestLink => ({
    number,
    url: `${formatEmbeddedUrl(projectId)}/pulls/${number}`,
    state,
  })
  const listPulls = async (branch: string) =>
    (await listPullRequests(repository)).filter((candidate) => candidate.branch === branch)
  return {
    projectId,
    repositoryUrl: formatEmbeddedUrl(projectId),
    gitDir,
    git,
    folder: repository.folder,
    base: async () => {
      await syncOrigin(repository)
      const commit = await readHead(mainBranch)
      if (commit === null) throw new Error(`The repository of ${projectId} has no branch ${mainBranch}.`)
      return { branch: mainBranch, commit }
    },
    readHead,
    push: (branch, commit) =>
      inTurn(gitDir, async () => {
        const before = await readHead(branch)
        const shared = before && (await git(['merge-base', before, commit], { goodExit: 1 })).trim()
        if (shared !== before)
          throw new Error(`The branch ${branch} has commits that this job does not know. They were left as they are.`)
        const open = (await listPulls(branch)).find(({ state }) => state === 'open')
        await changeRefs(repository, [
          `update refs/heads/${branch} ${commit} ${before ?? '0'.repeat(40)}`,
          // Keeps the commits after the branch is removed.
          ...(open ? [`update ${toHeadRef(open.number)} ${commit}`] : []),
        ])
      }),
    findPullRequest: async (branch) => {
      const pulls = await listPulls(branch)
      const pull = pulls.find(({ state }) => state === 'open') ?? pulls[0]
      return pull ? toLink(pull) : null
    },
    listOpenBranches: async () =>
      (await listPullRequests(repository)).flatMap(({ state, branch }) => (state === 'open' ? branch : [])),
    openOrFindPullRequest: async (request) => {
      const link = toLink(await openPullRequest(repository, { ...request, now: now() }))
      const problem = (await syncOrigin(repository).catch(() => null))?.problem ?? null
      return { ...link, notes: problem === null ? [] : [problem] }
    },
    // Names the expected commit, so that a newer branch is not removed.
    removeBranch: (branch, commit) =>
      inTurn(gitDir, () => changeRefs(repository, [`delete refs/heads/${branch} ${commit}`])),
  }
}
