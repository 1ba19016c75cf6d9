import { randomUUID } from 'node:crypto'
import { branchOf, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { runAgentJob } from '#agent-jobs/run-agent-job.ts'
import { pullRequestsOf } from '#code-host/pull-requests.ts'
import type { Repositories } from '#code-host/repositories.ts'
import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'

/** What the agent jobs stand on. */
export type AgentJobDeps = { jobs: JsonFolder<AgentJobRecord>; repositories: Repositories; now: () => Date; log: Log }

/** Creates agent jobs, runs them one after the other, and tells how they are. */
export type AgentJobs = {
  readonly projectIds: readonly string[]
  /** Resolves when the job is on the disk. Null when there is no such project. */
  create(projectId: string, prompt: string): Promise<AgentJobRecord | null>
  /** Null when there is no such job in this project. */
  get(projectId: string, id: string): AgentJobRecord | null
  /** Newest first. */
  list(): AgentJobRecord[]
  /** Archives a finished job; one that is active or archived stays as it is. Null when there is none. */
  archive(projectId: string, id: string): Promise<AgentJobRecord | null>
  /** Stops the job that is being worked on, which fails; those that wait run after the next start. */
  close(): Promise<void>
}

const stopped = 'The service was stopped while the job was at work. Create it again.'

/** The agent jobs of this installation. Jobs that a crash interrupted are settled first; those that waited are run. */
export const agentJobService = async ({ jobs, repositories, now, log }: AgentJobDeps): Promise<AgentJobs> => {
  const closing = new AbortController()
  const known = new Map((await jobs.readAll()).map((job) => [job.id, job]))
  let work = Promise.resolve()

  const write = async (job: AgentJobRecord) => {
    await jobs.write(job.id, job)
    known.set(job.id, job)
    return job
  }
  /** For what cannot be refused any more: with a full disk the answers stay right, and the next start settles the file. */
  const keep = async (job: AgentJobRecord) => {
    known.set(job.id, job)
    await write(job).catch((error: unknown) => {
      log.error({ id: job.id, err: error }, 'an agent job could not be saved')
    })
  }
  const settle = async (job: AgentJobRecord) =>
    keep({ ...job, ...(await outcomeOfInterrupted(job, repositories)), finishedAt: now().toISOString() })

  const run = async (waiting: AgentJobRecord) => {
    if (closing.signal.aborted) return
    const job = { ...waiting, startedAt: now().toISOString() }
    await keep(job)
    const outcome = await attempt(job)
    await keep({ ...job, ...outcome, finishedAt: now().toISOString() })
    log.info({ id: job.id, status: outcome.status }, 'an agent job ended')
  }
  const attempt = async (job: AgentJobRecord): Promise<Partial<AgentJobRecord>> => {
    try {
      const repository = await repositories.open(job.projectId)
      if (!repository) throw new Error(`The project ${job.projectId} does not exist any more.`)
      return { status: 'completed', ...(await runAgentJob(job, repository, now, closing.signal)) }
    } catch (error) {
      return { status: 'failed', report: [closing.signal.aborted ? stopped : sentenceOf(error)] }
    }
  }
  const queue = (job: AgentJobRecord) => {
    work = work.then(() => run(job))
  }

  const active = oldestFirst(known).filter((job) => job.status === 'active')
  for (const job of active.filter(({ startedAt }) => startedAt)) await settle(job)
  for (const job of active.filter(({ startedAt }) => !startedAt)) queue(job)

  const get = (projectId: string, id: string) => {
    const job = known.get(id)
    return job?.projectId === projectId ? job : null
  }
  return {
    projectIds: repositories.projectIds,
    create: async (projectId, prompt) => {
      if (!repositories.projectIds.includes(projectId)) return null
      const job = await write({
        id: randomUUID(),
        projectId,
        prompt,
        status: 'active',
        pullNumber: null,
        report: [],
        createdAt: now().toISOString(),
        startedAt: null,
        finishedAt: null,
        archivedAt: null,
      })
      queue(job)
      return job
    },
    get,
    list: () => oldestFirst(known).toReversed(),
    archive: async (projectId, id) => {
      const job = get(projectId, id)
      if (job?.status !== 'completed' && job?.status !== 'failed') return job
      return write({ ...job, status: 'archived', archivedAt: now().toISOString() })
    },
    close: async () => {
      closing.abort()
      await work
    },
  }
}

const oldestFirst = (known: ReadonlyMap<string, AgentJobRecord>) =>
  [...known.values()].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** After a crash: a job whose pull request exists is completed, any other one failed; it is never run a second time. */
const outcomeOfInterrupted = async (
  job: AgentJobRecord,
  repositories: Repositories,
): Promise<Partial<AgentJobRecord>> => {
  try {
    const repository = await repositories.open(job.projectId)
    const pull = repository && (await pullRequestsOf(repository)).find(({ branch }) => branch === branchOf(job))
    if (pull) return { status: 'completed', pullNumber: pull.number, report: pull.body.split('\n') }
    return { status: 'failed', report: [stopped] }
  } catch (error) {
    return { status: 'failed', report: [stopped, sentenceOf(error)] }
  }
}
