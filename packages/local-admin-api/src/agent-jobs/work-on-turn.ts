import type { Project, Projects, PullRequestLink } from '@docket/code-hosts/code-host'
import { countChanges } from '@docket/code-hosts/embedded/pull-requests/diff'
import { createMaintenanceRunner } from '@docket/doc-agent/runners/built-in'
import { isSystemError, RunFailed, type Runner } from '@docket/doc-agent/runners/runner'
import { readSummary } from '@docket/doc-agent/work/commit-change'
import type { RepositoryRules } from '@docket/doc-agent/work/repository-rules'
import { openJobPullRequest, runTurn } from '@docket/doc-agent/work/run-turn'
import type { WorkFolders } from '@docket/sandbox/work-folders'
import { type AgentJobStore, type Attempt, LostJob } from '#agent-jobs/agent-job-store.ts'
import { type AgentJobRecord, toBranch, type Turn } from '#agent-jobs/agent-job.ts'
import type { JobLogs, JobOutput } from '#agent-jobs/job-logs.ts'
import { diskProblem } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import { retryDatabase } from './agent-job-store.ts'

export type Work = { job: AgentJobRecord; position: number; attempt: Attempt }

export type TurnEnd = { change: Partial<Turn>; pullRequest: PullRequestLink | null }

const stopped = 'The service stopped while the job was working. Send the message again.'

/** Longest time to find out what an interrupted turn left on the code host. Milliseconds. */
const settleMs = 30_000

export const createTurnWorker = (deps: {
  store: AgentJobStore
  projects: Projects
  runner: Runner
  workFolders: WorkFolders
  logs: JobLogs
  now: () => Date
  log: Log
  limitMs: number
  rules: RepositoryRules
}) => {
  const { store, projects, runner, workFolders, logs, now, log, limitMs, rules } = deps

  const openProject = async (projectId: string): Promise<Project> => {
    const project = await projects.open(projectId)
    if (!project) throw new Error(`The project ${projectId} no longer exists.`)
    return project
  }
  /** Leaves out paths of this machine. */
  const describeError = (id: string, error: unknown): string[] => {
    if (error instanceof RunFailed) return error.report
    const problem = diskProblem(error)
    if (problem !== null) return [`${problem}.`]
    if (!isSystemError(error)) return [workFolders.hidePaths(error instanceof Error ? error.message : String(error))]
    log.error({ id, err: error }, 'an agent job could not read or write a file')
    return [`A file could not be read or written (${error.code}). The log of the service names it.`]
  }
  const readTurn = async ({ id }: AgentJobRecord, position: number) => (await store.find(id))!.turns[position]!

  const recordPushes = (project: Project, { position, attempt }: Work, output: JobOutput) => {
    let base: string | null = null
    let left: string | null = null
    const noted: Project = {
      ...project,
      base: async (signal) => {
        const found = await project.base(signal)
        base = found.commit
        return found
      },
      push: async (branch, commit, signal) => {
        output.append(`Pushing ${commit.slice(0, 7)} to ${branch}.\n`)
        await project.push(branch, commit, signal)
        const diffStat = await measure(project, left, commit)
        await retryDatabase(() => store.changeTurn(attempt, position, () => ({ isPushed: true, diffStat })))
      },
    }
    const beforePush = async (commit: string, result: Pick<Turn, 'usage' | 'checks' | 'report'>) => {
      const shared = base && (await project.git(['merge-base', base, commit], { goodExit: 1 })).trim()
      left = shared || null
      let isCancelled = false
      await retryDatabase(() =>
        store.changeTurn(attempt, position, ({ cancelAskedAt }) => {
          isCancelled = cancelAskedAt !== null
          return isCancelled ? {} : { ...result, commit, base: left }
        }),
      )
      // Another process may have just recorded a cancel, after which no push may begin.
      if (isCancelled) throw new Error('The job was cancelled.')
    }
    return { noted, beforePush }
  }

  /** Null when the code host does not answer. */
  const findIfPushed = async (project: Project, branch: string, commit: string, signal: AbortSignal) => {
    try {
      return (await project.readHead(branch, signal)) === commit
    } catch {
      return null
    }
  }
  const endFailed = async (job: AgentJobRecord, position: number, reason: string[]): Promise<TurnEnd> => {
    const turn = await retryDatabase(() => readTurn(job, position))
    const branch = toBranch(job)
    const { commit } = turn
    const isPushed =
      turn.isPushed ||
      (commit !== null &&
        (await openProject(job.projectId)
          .then((project) => findIfPushed(project, branch, commit, AbortSignal.timeout(settleMs / 2)))
          .catch(() => null)))
    const change = { outcome: 'failed' as const, isPushed: isPushed === true }
    if (isPushed === false) {
      if (turn.cancelAskedAt === null) return { change: { ...change, report: reason }, pullRequest: null }
      return { change: { ...change, outcome: 'cancelled', report: ['The job was cancelled.'] }, pullRequest: null }
    }
    const state = isPushed
      ? `The commit is on the branch ${branch}.`
      : `It could not be found out whether the commit is on the branch ${branch}.`
    const remedy = job.pullRequest === null ? [`${state} A message to the job opens its pull request.`] : [state]
    return { change: { ...change, report: [...reason, ...remedy] }, pullRequest: null }
  }
  return {
    /**
     * Works on a turn. `stop` aborts it, and so does `closing` when the process stops. Null when that came after a push began: another
     * process, or the next start, settles the turn. Throws `LostJob` when the attempt has lost the job.
     */
    work: async (
      work: Work,
      { stop, closing }: { stop: AbortSignal; closing: AbortSignal },
    ): Promise<TurnEnd | null> => {
      const { job, position, attempt } = work
      const { id } = job
      const turn = job.turns[position]!
      const limit = AbortSignal.timeout(limitMs)
      const signal = AbortSignal.any([closing, stop, limit])
      let hasEnded = false
      const output = logs.open(attempt)
      output.append(`--- Turn ${position + 1}, ${now().toISOString()} ---\nChecking out the repository.\n`)
      try {
        const { noted, beforePush } = recordPushes(await openProject(job.projectId), work, output)
        const order = {
          jobId: id,
          prompt: turn.prompt,
          earlier: job.turns.slice(0, position).map(toEarlierTurn),
          onOutput: (text: string) => {
            if (!hasEnded) output.append(text)
          },
          firstPrompt: job.turns[0]!.prompt,
          branch: toBranch(job),
          requester: turn.requestedBy,
          made: job.turns.slice(0, position).flatMap(({ commit }) => commit ?? []),
          beforePush,
        }
        const chosen = turn.maintenance === null ? runner : createMaintenanceRunner(turn.maintenance)
        const around = { project: noted, runner: chosen, workFolders, rules }
        const { pullRequest, ...result } = await runTurn(order, around, signal)
        return { change: { ...result, outcome: 'completed' }, pullRequest }
      } catch (error) {
        if (error instanceof LostJob || stop.reason instanceof LostJob) throw error
        if (closing.aborted && (await retryDatabase(() => readTurn(job, position))).commit !== null) return null
        const usage = error instanceof RunFailed && error.usage ? { usage: error.usage } : {}
        const reason = closing.aborted
          ? [stopped]
          : limit.aborted
            ? [describeTooLong(limitMs)]
            : describeError(id, error)
        const { change, pullRequest } = await endFailed(job, position, reason)
        return { change: { ...usage, ...change }, pullRequest }
      } finally {
        hasEnded = true
        await output.end()
      }
    },
    /** Finishes a turn after a crash: a pushed commit gets its pull request, anything else fails. Never repeats work. */
    settle: async ({ job, position, attempt }: Work, closing: AbortSignal): Promise<TurnEnd | null> => {
      const turn = job.turns[position]!
      const limit = AbortSignal.timeout(settleMs)
      const signal = AbortSignal.any([closing, limit])
      const { commit } = turn
      if (commit === null) return endFailed(job, position, [stopped])
      const branch = toBranch(job)
      try {
        const project = await openProject(job.projectId)
        if ((await project.readHead(branch, signal)) !== commit)
          return endFailed(job, position, [stopped, 'Nothing was pushed.'])
        const diffStat = turn.diffStat ?? (await measure(project, turn.base, commit))
        await retryDatabase(() => store.changeTurn(attempt, position, () => ({ isPushed: true, diffStat })))
        const report = turn.report.length > 0 ? turn.report : await readSummary(project.git, commit)
        const { prompt, requestedBy: requester, checks } = turn
        const order = { jobId: job.id, branch, prompt, firstPrompt: job.turns[0]!.prompt, requester, report, checks }
        const pullRequest = await openJobPullRequest(order, { project, rules }, signal)
        return { change: { outcome: 'completed', report }, pullRequest }
      } catch (error) {
        if (error instanceof LostJob) throw error
        if (closing.aborted) return null
        const reason = limit.aborted ? ['The code host did not answer in time.'] : describeError(job.id, error)
        return endFailed(job, position, [stopped, ...reason])
      }
    },
  }
}

const toEarlierTurn = ({ prompt, outcome, report }: Turn) => ({
  prompt,
  outcome: outcome === 'completed' ? ('completed' as const) : ('failed' as const),
  report,
})

const measure = async (project: Project, base: string | null, commit: string) =>
  base === null ? null : countChanges(project.git, [base, commit, '--'])

const describeTooLong = (limitMs: number) =>
  `The job was stopped because it ran for more than ${Math.round(limitMs / 6000) / 10} minutes.`
