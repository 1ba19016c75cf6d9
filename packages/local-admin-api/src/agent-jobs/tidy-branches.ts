import type { Project, Projects } from '@docket/code-hosts/code-host'
import type { AgentJobStore } from '#agent-jobs/agent-job-store.ts'
import { type AgentJobRecord, toBranch } from '#agent-jobs/agent-job.ts'
import type { Log } from '#log.ts'

const maxTidied = 100
/** Milliseconds. */
const limitMs = 30_000

/** Removes the merged branches of archived jobs, one at a time in this process. Removing a branch twice is harmless. */
export const createBranchTidier = (deps: { store: AgentJobStore; projects: Projects; log: Log }) => {
  const { store, projects, log } = deps
  const closing = new AbortController()
  let last: Promise<void> = Promise.resolve()

  const tidyNow = async (id: string) => {
    if (closing.signal.aborted) return
    const job = await store.find(id)
    if (job?.status !== 'archived' || job.branchRemoved) return
    const project = await projects.open(job.projectId)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
    if (project && (await removeMergedBranch(job, project, signal)))
      await store.change(id, (current) => ({ ...current, branchRemoved: true }))
  }
  const tidy = (id: string) => {
    last = last
      .then(() => tidyNow(id))
      .catch((error: unknown) => log.error({ id, err: error }, 'the branch of an agent job could not be removed'))
  }
  return {
    tidy,
    /** Checks old branches again, because of a crash or a later merge. */
    resume: async () => {
      for (const id of await store.listUntidy(maxTidied)) tidy(id)
    },
    close: () => {
      closing.abort()
      return last
    },
  }
}

/** Keeps a branch with commits by others, or whose pull request may be reopened. Resolves with true once it is removed. */
const removeMergedBranch = async (
  job: Pick<AgentJobRecord, 'id' | 'turns'>,
  project: Project,
  signal: AbortSignal,
): Promise<boolean> => {
  const branch = toBranch(job)
  const commit = job.turns.findLast((turn) => turn.commit !== null && turn.outcome === 'completed')?.commit
  if (!commit) return true
  const pull = await project.findPullRequest(branch, signal)
  if (pull?.state !== 'merged') return false
  const head = await project.readHead(branch, signal)
  if (head === null) return true
  if (head !== commit) return false
  await project.removeBranch(branch, commit, signal)
  return true
}
