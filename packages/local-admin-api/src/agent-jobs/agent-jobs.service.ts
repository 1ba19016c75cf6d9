import { randomUUID } from 'node:crypto'
import { branchOf, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { runAgentJob } from '#agent-jobs/run-agent-job.ts'
import { pullRequestsOf } from '#code-host/pull-requests.ts'
import type { Repositories } from '#code-host/repositories.ts'
import type { JsonFolder } from '#files/json-folder.ts'

/** What the agent jobs stand on. */
export type AgentJobDeps = { jobs: JsonFolder<AgentJobRecord>; repositories: Repositories; now: () => Date }

/** Creates agent jobs, runs them one after the other, and tells how they are. */
export type AgentJobs = {
  readonly projectIds: readonly string[]
  /** Null when there is no such project. */
  create(projectId: string, prompt: string): Promise<AgentJobRecord | null>
  get(projectId: string, id: string): Promise<AgentJobRecord | null>
  /** Newest first. */
  list(): Promise<AgentJobRecord[]>
  /** Resolves when the job that is being worked on has come to rest. */
  close(): Promise<void>
}

/** The agent jobs of this installation. Jobs that a crash left active are settled before anything new is run. */
export const agentJobService = async ({ jobs, repositories, now }: AgentJobDeps): Promise<AgentJobs> => {
  let closed = false
  let work = settleInterrupted({ jobs, repositories, now })

  const run = async (job: AgentJobRecord) => {
    if (closed) return
    const finished = await attempt(job)
    await jobs.write(job.id, { ...finished, finishedAt: now().toISOString() })
  }

  const attempt = async (job: AgentJobRecord): Promise<AgentJobRecord> => {
    try {
      const repository = await repositories.open(job.projectId)
      if (!repository) throw new Error(`The project ${job.projectId} does not exist any more.`)
      const outcome = await runAgentJob(job, repository, now)
      return { ...job, ...outcome, status: 'completed' }
    } catch (error) {
      return { ...job, status: 'failed', report: [error instanceof Error ? error.message : String(error)] }
    }
  }

  return {
    projectIds: repositories.projectIds,
    create: async (projectId, prompt) => {
      if (!repositories.projectIds.includes(projectId)) return null
      const job: AgentJobRecord = {
        id: randomUUID(),
        projectId,
        prompt,
        status: 'active',
        pullNumber: null,
        report: [],
        createdAt: now().toISOString(),
        finishedAt: null,
        archivedAt: null,
      }
      await jobs.write(job.id, job)
      // A failed write (disk full) leaves the job active; the next start settles it.
      work = work.then(() => run(job)).catch(() => {})
      return job
    },
    get: async (projectId, id) => {
      const job = await jobs.read(id)
      return job?.projectId === projectId ? job : null
    },
    list: async () => (await jobs.readAll()).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
    close: async () => {
      closed = true
      await work
    },
  }
}

/** After a crash: a job whose pull request exists is completed, any other one failed; it is never run a second time. */
const settleInterrupted = async ({ jobs, repositories, now }: AgentJobDeps) => {
  const interrupted = (await jobs.readAll()).filter((job) => job.status === 'active')
  for (const job of interrupted) {
    const repository = await repositories.open(job.projectId)
    const pull = repository && (await pullRequestsOf(repository)).find(({ branch }) => branch === branchOf(job))
    const settled: AgentJobRecord = pull
      ? { ...job, status: 'completed', pullNumber: pull.number }
      : { ...job, status: 'failed', report: ['The service was stopped while the job was at work. Create it again.'] }
    await jobs.write(job.id, { ...settled, finishedAt: now().toISOString() })
  }
}
