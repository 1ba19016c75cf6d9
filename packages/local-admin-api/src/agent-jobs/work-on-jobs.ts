import type { Project, Projects } from '@docket/code-hosts/code-host'
import { maintenanceRunner } from '@docket/doc-agent/runners/built-in'
import { RunFailed, type Runner } from '@docket/doc-agent/runners/runner'
import { openJobPullRequest, runTurn, type TurnOutcome } from '@docket/doc-agent/work/run-turn'
import type { WorkFolders } from '@docket/doc-agent/work/work-folders'
import type { AgentJobStore } from '#agent-jobs/agent-job-store.ts'
import { type AgentJobRecord, toBranch, type Turn } from '#agent-jobs/agent-job.ts'
import { diskProblem } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'

/** Archived jobs whose code host is asked at a start. */
const maxTidied = 100

const stopped = 'The service stopped while the job was working. Send the message again.'

/**
 * Does the work of agent jobs: one job at a time in each project, different projects at the same time. `limitMs` is the longest time of one
 * turn.
 */
export const workOnJobs = (deps: {
  store: AgentJobStore
  projects: Projects
  runner: Runner
  workFolders: WorkFolders
  now: () => Date
  log: Log
  limitMs: number
}) => {
  const { store, projects, runner, workFolders, now, log, limitMs } = deps
  const closing = new AbortController()
  const lines = new Map<string, Promise<void>>()

  const changeTurn = (id: string, position: number, change: Partial<Turn>, more: Partial<AgentJobRecord> = {}) =>
    store.keep(id, (job) => {
      const turns = job.turns.map((turn, index) => (index === position ? { ...turn, ...change } : turn))
      return { ...job, ...more, turns, status: deriveStatus(job, turns) }
    })

  const finish = async (id: string, position: number, attempt: Promise<TurnOutcome>) => {
    const end = await attempt.then(
      ({ pullRequest, report }) => ({ outcome: 'completed' as const, report, pullRequest }),
      (error: unknown) => ({ outcome: 'failed' as const, report: explainFailure(id, error), pullRequest: null }),
    )
    const { pullRequest, ...turn } = end
    const link = pullRequest && { pullRequest: { number: pullRequest.number, url: pullRequest.url } }
    await changeTurn(id, position, { ...turn, finishedAt: now().toISOString() }, link ?? {})
    log.info({ id, status: end.outcome }, 'an agent job ended')
  }
  const explainFailure = (id: string, error: unknown) => {
    if (closing.signal.aborted) return [stopped]
    return error instanceof RunFailed ? error.report : [describeError(id, error)]
  }
  /** The reason of a failure for readers, without a path of this machine. */
  const describeError = (id: string, error: unknown) => {
    const problem = diskProblem(error)
    if (problem !== null) return `${problem}.`
    if (!isSystemError(error)) return workFolders.hidePaths(error instanceof Error ? error.message : String(error))
    log.error({ id, err: error }, 'an agent job could not read or write a file')
    return `A file could not be read or written (${error.code}). The log of the service names it.`
  }

  const runNext = async (id: string) => {
    const job = store.get(id)
    const position = job?.turns.findIndex(({ outcome }) => outcome === null) ?? -1
    if (!job || position < 0 || closing.signal.aborted) return
    const turn = job.turns[position]!
    if (turn.startedAt !== null) return finish(id, position, settle(job, turn))
    await changeTurn(id, position, { startedAt: now().toISOString() })
    await finish(id, position, attempt(job, position))
  }
  const attempt = async (job: AgentJobRecord, position: number) => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
    const earlier = job.turns
      .slice(0, position)
      .map(({ prompt, outcome, report }) => ({ prompt, outcome: outcome ?? ('failed' as const), report }))
    const order = {
      jobId: job.id,
      prompt: job.turns[position]!.prompt,
      earlier,
      onOutput: () => {},
      firstPrompt: job.turns[0]!.prompt,
      branch: toBranch(job),
      beforePush: async (commit: string) => void (await changeTurn(job.id, position, { commit })),
    }
    try {
      const { maintenance } = job.turns[position]!
      const chosen = maintenance === null ? runner : maintenanceRunner(maintenance)
      return await runTurn(order, { project: await opened(job.projectId), runner: chosen, workFolders }, signal)
    } catch (error) {
      if (signal.aborted && !closing.signal.aborted) throw new Error(tooLong(limitMs), { cause: error })
      throw error
    }
  }
  /** Settles a turn after a crash: a pushed commit gets its pull request, anything else fails. Never repeats work. */
  const settle = async (job: AgentJobRecord, turn: Turn): Promise<TurnOutcome> => {
    if (turn.commit === null) throw new Error(stopped)
    try {
      const project = await opened(job.projectId)
      const branch = toBranch(job)
      if ((await project.readHead(branch)) !== turn.commit) throw new Error('Nothing was pushed.')
      const report = (await project.git(['log', '-1', '--format=%b', turn.commit])).trim().split('\n')
      const order = { branch, firstPrompt: job.turns[0]!.prompt }
      return { pullRequest: await openJobPullRequest(order, report, project), report, usage: null, checks: null }
    } catch (error) {
      throw new RunFailed([stopped, describeError(job.id, error)])
    }
  }
  const opened = async (projectId: string): Promise<Project> => {
    const project = await projects.open(projectId)
    if (!project) throw new Error(`The project ${projectId} no longer exists.`)
    return project
  }
  const tidyNow = async (id: string) => {
    const job = store.get(id)
    if (job?.status !== 'archived' || job.branchRemoved || closing.signal.aborted) return
    const project = await projects.open(job.projectId)
    if (project && (await removeMergedBranch(job, project, closing.signal)))
      await store.keep(id, (current) => ({ ...current, branchRemoved: true }))
  }
  const inLine = ({ id, projectId }: AgentJobRecord, act: (id: string) => Promise<void>, failed: string) => {
    const before = lines.get(projectId) ?? Promise.resolve()
    const next = before.then(() => act(id)).catch((error: unknown) => log.error({ id, err: error }, failed))
    lines.set(projectId, next)
  }
  const queue = (job: AgentJobRecord) => inLine(job, runNext, 'an agent job could not be worked on')
  const tidy = (job: AgentJobRecord) => inLine(job, tidyNow, 'the branch of an agent job could not be removed')
  return {
    /** Has the next message of a job worked on, after those that were queued before in its project. */
    queue,
    /** Removes the merged branch of an archived job. */
    tidy,
    /** Resumes after a stop or crash: settles interrupted turns and queues waiting ones. */
    resume: () => {
      const waiting = store
        .all()
        .flatMap((job) => job.turns.filter(({ outcome }) => outcome === null).map((turn) => ({ job, turn })))
      // Turns that had begun come first: settling them is quick and frees the work folder.
      const startOrder = (turn: Turn) => Number(turn.startedAt === null)
      for (const { job } of waiting.toSorted((a, b) => startOrder(a.turn) - startOrder(b.turn))) queue(job)
      // A crash may have come before it was done, and a pull request may have been merged since.
      const untidy = store.all().filter((job) => job.status === 'archived' && !job.branchRemoved)
      for (const job of untidy.slice(-maxTidied)) tidy(job)
    },
    /** Aborts running work and resolves when it has ended. */
    close: async () => {
      closing.abort()
      await Promise.all(lines.values())
    },
  }
}

/** Node puts the whole path into the message of such an error. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

const tooLong = (limitMs: number) =>
  `The job was stopped because it ran for more than ${Math.round(limitMs / 6000) / 10} minutes.`

const deriveStatus = (job: AgentJobRecord, turns: readonly Turn[]): AgentJobRecord['status'] => {
  if (job.status === 'archived') return job.status
  return turns.some(({ outcome }) => outcome === null) ? 'active' : turns.at(-1)!.outcome!
}

/**
 * Removes the branch of a job whose pull request is merged, and returns whether it is gone. Keeps a branch with commits of others, or
 * whose pull request may be reopened. Rejects with a sentence when the code host does not answer.
 */
const removeMergedBranch = async (
  job: Pick<AgentJobRecord, 'id' | 'turns'>,
  project: Project,
  signal: AbortSignal,
): Promise<boolean> => {
  const branch = toBranch(job)
  const commit = job.turns.findLast((turn) => turn.commit !== null && turn.outcome === 'completed')?.commit
  // The job never pushed anything.
  if (!commit) return true
  const pull = await project.findPullRequest(branch, signal)
  if (pull?.state !== 'merged') return false
  const head = await project.readHead(branch, signal)
  if (head === null) return true
  if (head !== commit) return false
  await project.removeBranch(branch, commit, signal)
  return true
}
