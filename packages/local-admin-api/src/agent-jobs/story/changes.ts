import type { Projects } from '@docket/code-hosts/code-host'
import { listCommits } from '@docket/code-hosts/embedded/pull-requests/commits'
import { type Diff, readDiff } from '@docket/code-hosts/embedded/pull-requests/diff'
import { type AgentJobRecord, findLastPush } from '#agent-jobs/agent-job.ts'

/** Commits of a job's branch, oldest first, at most the newest 250 of `total`; and what they change. */
export type Changes = {
  commits: { hash: string; author: string; at: string; subject: string }[]
  total: number
  diff: Diff
}

/**
 * What the latest push of a job changed, from the repository on this machine: also after the merge and the removal of the branch. Null when
 * nothing was pushed, or the repository is gone.
 */
export const readChanges = async (projects: Projects, job: AgentJobRecord): Promise<Changes | null> => {
  const push = findLastPush(job)
  const project = push?.commit ? await projects.open(job.projectId) : null
  if (!push?.commit || !project) return null
  const { git } = project
  const exists = await git(['cat-file', '-e', `${push.commit}^{commit}`]).then(
    () => true,
    () => false,
  )
  if (!exists) return null
  // Old records have no base.
  const base = push.base ?? `${push.commit}^`
  const [{ commits, total }, diff] = await Promise.all([
    listCommits(git, `${base}..${push.commit}`),
    readDiff(git, base, push.commit),
  ])
  return { commits: commits.map(({ hash, author, at, subject }) => ({ hash, author, at, subject })), total, diff }
}
