import { setTimeout as delay } from 'node:timers/promises'
import type { Project } from '@docket/code-hosts/code-host'
import { deriveJob } from '#agent-jobs/agent-job-store.ts'
import { type AgentJobRecord, type Turn, toBranch } from '#agent-jobs/agent-job.ts'
import { checkDayCost } from '#agent-jobs/queue/day-cost.ts'
import { jobQueue } from '#agent-jobs/queue/job-queue.ts'
import { type TurnEnd, turnWorker } from '#agent-jobs/work-on-turn.ts'

/** Archived jobs whose code host is asked at a start. */
const maxTidied = 100

/** Longest time for which a cancel waits for the end of the work, to answer with it. Milliseconds. */
const cancelAnswerMs = 3_000

/**
 * Does the work of agent jobs: one job at a time in each project, and `atOnce` over all projects. `dayMaxUsd` null: no limit of a day's
 * cost. `pushGraceMs`: time that a push which had begun has left after a cancel.
 */
export const workOnJobs = (
  deps: Omit<Parameters<typeof turnWorker>[0], 'closing'> & {
    atOnce: number
    dayMaxUsd: number | null
    pushGraceMs: number
  },
) => {
  const { store, projects, logs, now, log, atOnce, dayMaxUsd, pushGraceMs } = deps
  const closing = new AbortController()
  const worker = turnWorker({ ...deps, closing: closing.signal })
  const line = jobQueue(atOnce)
  /** Work under way by job, to be stopped. */
  const working = new Map<string, { stop: AbortController; ended: Promise<void> }>()

  const finish = async (id: string, position: number, end: TurnEnd | null) => {
    if (end === null) return
    const { change, pullRequest } = end
    const link = pullRequest && { number: pullRequest.number, url: pullRequest.url, state: pullRequest.state }
    await store.keepTurn(
      id,
      position,
      { ...change, finishedAt: now().toISOString() },
      link ? { pullRequest: link } : {},
    )
    log.info({ id, status: change.outcome }, 'an agent job ended')
  }
  const runNext = async (id: string) => {
    const job = store.get(id)
    const position = job?.turns.findIndex(({ outcome }) => outcome === null) ?? -1
    if (!job || position < 0 || closing.signal.aborted) return
    const turn = job.turns[position]!
    if (turn.startedAt !== null) return finish(id, position, await worker.settle(job, position))
    const limit = turn.maintenance === null ? checkDayCost(store.all(), dayMaxUsd, now()) : null
    if (limit)
      return finish(id, position, { change: { outcome: 'failed', report: [limit.sentence] }, pullRequest: null })
    const stop = new AbortController()
    const ended = begin(id, position, stop.signal)
    working.set(id, { stop, ended })
    await ended.finally(() => working.delete(id))
  }
  const begin = async (id: string, position: number, stop: AbortSignal) => {
    const startedAt = now().toISOString()
    // A cancel may have ended it meanwhile.
    const job = await store.keep(id, (current) => {
      const turn = current.turns[position]!
      return turn.outcome === null
        ? { ...current, turns: current.turns.with(position, { ...turn, startedAt }) }
        : current
    })
    if (job.turns[position]!.outcome === null) await finish(id, position, await worker.work(job, position, stop))
  }
  const tidyNow = async (id: string) => {
    const job = store.get(id)
    if (job?.status !== 'archived' || job.branchRemoved || closing.signal.aborted) return
    const project = await projects.open(job.projectId)
    if (project && (await removeMergedBranch(job, project, closing.signal)))
      await store.keep(id, (current) => ({ ...current, branchRemoved: true }))
  }
  const queue = ({ id, projectId }: AgentJobRecord) => {
    const run = () =>
      runNext(id).catch((error: unknown) => log.error({ id, err: error }, 'an agent job could not be worked on'))
    line.add({ id, projectId, kind: 'work', run })
  }
  const tidy = ({ id, projectId }: AgentJobRecord) => {
    const run = () =>
      tidyNow(id).catch((error: unknown) =>
        log.error({ id, err: error }, 'the branch of an agent job could not be removed'),
      )
    line.add({ id, projectId, kind: 'upkeep', run })
  }
  return {
    /** Has the next message of a job worked on, after those that were queued before in its project. */
    queue,
    /** Removes the merged branch of an archived job. */
    tidy,
    /** Place in line of a job that waits; null once it has begun. */
    queuePosition: (id: string) => (working.has(id) ? null : line.position(id)),
    /**
     * Ends the waiting turns of a job and aborts the one that is worked on, unless its push has begun: that has `pushGraceMs` to end. Noted first,
     * so that a crash forgets no cancel. Resolves when the work has ended, or after 3 s.
     */
    cancel: async (id: string) => {
      const at = now().toISOString()
      const cancelled = await store.keep(id, (job) =>
        deriveJob(
          job,
          job.turns.map((turn) => cancelTurn(turn, at)),
        ),
      )
      if (cancelled.status !== 'active') line.drop(id)
      const active = working.get(id)
      if (!active) return store.get(id)!
      const isPushing = cancelled.turns.some(({ outcome, commit }) => outcome === null && commit !== null)
      if (isPushing) setTimeout(() => active.stop.abort(), pushGraceMs).unref()
      else active.stop.abort()
      await Promise.race([active.ended.catch(() => {}), delay(cancelAnswerMs, undefined, { ref: false })])
      return store.get(id)!
    },
    /** Resumes after a stop or crash: settles interrupted turns and queues waiting ones. */
    resume: () => {
      const waiting = store
        .all()
        .flatMap((job) => job.turns.filter(({ outcome }) => outcome === null).map((turn) => ({ job, turn })))
      // Turns that had begun come first: settling them is quick and frees the work folder.
      const startOrder = ({ startedAt, sentAt }: Turn) => `${Number(startedAt === null)} ${sentAt}`
      for (const { job } of waiting.toSorted((a, b) => startOrder(a.turn).localeCompare(startOrder(b.turn)))) queue(job)
      // A crash may have come before it was done, and a pull request may have been merged since.
      const untidy = store.all().filter((job) => job.status === 'archived' && !job.branchRemoved)
      for (const job of untidy.slice(-maxTidied)) tidy(job)
    },
    /** Last line of the output of a job at work. */
    lastLine: (id: string) => (working.has(id) ? logs.lastLine(id) : null),
    /** Aborts running work and resolves when it has ended. */
    close: async () => {
      closing.abort()
      await line.close()
    },
  }
}

const cancelTurn = (turn: Turn, at: string): Turn => {
  if (turn.outcome !== null) return turn
  const asked = { ...turn, cancelAskedAt: turn.cancelAskedAt ?? at }
  if (turn.startedAt !== null) return asked
  return { ...asked, outcome: 'cancelled', finishedAt: at, report: ['The job was cancelled.'] }
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
