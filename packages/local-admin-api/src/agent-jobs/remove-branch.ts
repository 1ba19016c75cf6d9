import type { Project } from '@docket/code-hosts/code-host'
import { toBranch, type AgentJobRecord } from './agent-job.ts'

/**
 * Removes the branch of a job whose pull request is merged, and tells whether it is gone. One with commits that the job did not make stays, as one does whose pull request
 * may be opened again. Rejects with a sentence when the code host cannot be asked.
 */
export const removeMergedBranch = async (
  job: Pick<AgentJobRecord, 'id' | 'turns'>,
  project: Project,
  signal: AbortSignal,
): Promise<boolean> => {
  const branch = toBranch(job)
  const commit = job.turns.findLast((turn) => turn.commit !== null && turn.outcome === 'completed')?.commit
  // It never pushed anything.
  if (!commit) return true
  const pull = await project.findPullRequest(branch, signal)
  if (pull?.state !== 'merged') return false
  const head = await project.readHead(branch, signal)
  if (head === null) return true
  if (head !== commit) return false
  await project.removeBranch(branch, commit, signal)
  return true
}
