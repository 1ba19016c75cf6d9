import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueOptions, Queues } from '#database/queues.ts'
import { type AgentJobStore, type Attempt, deriveJob, LostJob, retryDatabase } from './agent-job-store.ts'
import type { AgentJobRecord, Turn } from './agent-job.ts'
import { type TurnEnd, createTurnWorker, type Work } from './work-on-turn.ts'

/** Lost or rejected attempts after which a turn fails. */
const maxLosses = 10
const checkEveryMs = 1_000
const sweepEveryMs = 15_000
/** Time after which waiting work is queued again, in case a process was killed before it could queue it. */
const forgottenSeconds = 30
const sweepAtOnce = 500

/** Longest time for which a cancel waits for the end of the work, to answer with it. Milliseconds. */
const cancelAnswerMs = 3_000

/** `dayMaxUsd` is null for no limit. `pushGraceMs` is the time that a started push still has after a cancel. */
export const workOnJobs = (
  deps: Parameters<typeof createTurnWorker>[0] & {
    queues: () => Queues
    atOnce: number
    /** Marker of the embedded code host of this process. Null when it has none. */
    codeHost: string | null
    dayMaxUsd: number | null
    pushGraceMs: number
  },
) => {
  const { store, queues, now, log, atOnce, codeHost, dayMaxUsd, pushGraceMs } = deps
  const worker = createTurnWorker(deps)
  let running = 0
  const turnChecks = new Map<string, () => Promise<void>>()

  const finish = async ({ position, attempt }: Work, { change, pullRequest }: TurnEnd) => {
    const link = pullRequest && { number: pullRequest.number, url: pullRequest.url, state: pullRequest.state }
    const ended = { ...change, finishedAt: now().toISOString() }
    await retryDatabase(() => store.changeTurn(attempt, position, () => ended, link ? { pullRequest: link } : {}))
    log.info({ id: attempt.id, status: change.outcome }, 'an agent job ended')
  }
  const begin = async (work: Work, closing: AbortSignal): Promise<TurnEnd | null> => {
    const { job, position, attempt } = work
    const turn = job.turns[position]!
    if (turn.startedAt !== null) return worker.settle(work, closing)
    const limit = turn.maintenance === null ? await checkDayCost(store, dayMaxUsd, now()) : null
    if (limit) return { change: { outcome: 'failed', report: [limit.sentence] }, pullRequest: null }
    const startedAt = now().toISOString()
    const started = await store.changeTurn(attempt, position, () => ({ startedAt }))
    const watch = watchTurn(store, work, pushGraceMs)
    turnChecks.set(attempt.id, watch.look)
    try {
      return await worker.work({ ...work, job: started }, { stop: watch.stop, closing })
    } finally {
      turnChecks.delete(attempt.id)
      watch.end()
    }
  }
  const run = async (entry: string, closing: AbortSignal): Promise<void> => {
    const { id, position } = parseEntry(entry)
    const attempt = { id, attemptId: randomUUID() }
    closing.throwIfAborted()
    const begun = await store.begin(attempt, position)
    if (begun.kind === 'over') return
    if (begun.kind === 'later') throw new Error('Other work of the project is under way.')
    const work = { job: begun.job, position, attempt }
    try {
      const end = begun.losses >= maxLosses ? givenUp : await begin(work, closing)
      if (end === null) throw new Error('The process stopped; another one settles the turn.')
      await finish(work, end)
    } catch (error) {
      // Its current worker finishes the turn, and a cancelled turn is already finished.
      if (error instanceof LostJob || (await hasLost(store, attempt))) return
      if (closing.aborted) await store.release(attempt)
      else log.error({ id, err: error }, 'an agent job could not be worked on')
      throw error
    }
  }
  const runIfRoom = async (entry: string, closing: AbortSignal): Promise<void> => {
    if (running >= atOnce) throw new Error('This process has no room.')
    running += 1
    await run(entry, closing).finally(() => (running -= 1))
  }

  const queue = async (job: Pick<AgentJobRecord, 'id' | 'projectId' | 'codeHost' | 'turns'>) => {
    const name = toQueue(job.codeHost)
    for (const [position, { outcome }] of job.turns.entries())
      if (outcome === null)
        await queues().add(name, { id: toEntry(job.id, position), groupId: job.projectId, priority: 0 })
  }
  const sweep = async () => {
    for (const job of await store.takeForgotten(forgottenSeconds, sweepAtOnce, codeHost)) await queue(job)
  }
  const sweeping = setInterval(() => {
    sweep().catch((error: unknown) => log.debug({ err: error }, 'forgotten agent jobs are looked for later'))
  }, sweepEveryMs).unref()

  return {
    queues: [...new Set([null, codeHost])].map((host): QueueOptions => ({
      name: toQueue(host),
      atOnce,
      perGroup: 1,
      run: runIfRoom,
    })),
    /** Never rejects. */
    queue: (job: AgentJobRecord) =>
      queue(job).catch((error: unknown) => {
        log.warn({ id: job.id, err: error }, 'an agent job is put into the queue a moment later')
      }),
    sweep,
    /** Records the cancel, then stops the work; a started push has `pushGraceMs`. Resolves when the work has ended, or after 3 s. */
    cancel: async (id: string): Promise<AgentJobRecord> => {
      const at = now().toISOString()
      const cancelled = await store.change(id, (job) =>
        deriveJob(
          job,
          job.turns.map((turn) => cancelTurn(turn, at)),
        ),
      )
      let job = cancelled
      await turnChecks.get(id)?.()
      const until = performance.now() + cancelAnswerMs
      while (job.status === 'active' && performance.now() < until) {
        await sleep(50)
        job = (await store.find(id)) ?? job
      }
      return job
    },
    close: () => clearInterval(sweeping),
  }
}

const toEntry = (id: string, position: number) => `${id}/${position}`

const parseEntry = (entry: string) => {
  const at = entry.lastIndexOf('/')
  return { id: entry.slice(0, at), position: Number(entry.slice(at + 1)) }
}

const givenUp: TurnEnd = {
  change: {
    outcome: 'failed',
    report: ['This message was given up after ten attempts. The log of the service says why each of them ended.'],
  },
  pullRequest: null,
}

const hasLost = async (store: AgentJobStore, attempt: Attempt) =>
  (await retryDatabase(() => store.check(attempt, 0))) === null

/** Checks the turn every second. `stop` aborts when the turn was cancelled or another worker has it. */
const watchTurn = (store: AgentJobStore, { position, attempt }: Work, pushGraceMs: number) => {
  const stop = new AbortController()
  let grace: NodeJS.Timeout | undefined
  const look = async () => {
    const state = await store.check(attempt, position)
    if (state === null) stop.abort(new LostJob('Another worker has this job.'))
    else if (state.isCancelled && !state.isPushing) stop.abort()
    else if (state.isCancelled) grace ??= setTimeout(() => stop.abort(), pushGraceMs).unref()
  }
  // The queue notices when the database is unavailable for long.
  const looking = setInterval(() => void look().catch(() => {}), checkEveryMs)
  return {
    stop: stop.signal,
    look: () => look().catch(() => {}),
    end: () => {
      clearInterval(looking)
      clearTimeout(grace)
    },
  }
}

const cancelTurn = (turn: Turn, at: string): Turn => {
  if (turn.outcome !== null) return turn
  const asked = { ...turn, cancelAskedAt: turn.cancelAskedAt ?? at }
  if (turn.startedAt !== null) return asked
  return { ...asked, outcome: 'cancelled', finishedAt: at, report: ['The job was cancelled.'] }
}

export const commonQueue = 'docket-agent-jobs'

/** Queue of the jobs of an embedded code host by its marker. Null for projects on remote code hosts. */
export const toQueue = (codeHost: string | null): string =>
  codeHost === null ? commonQueue : `${commonQueue}-${codeHost}`

type DayLimit = { sentence: string; opensAt: Date }

/** The exceeded cost limit of `now`'s day (UTC), by the costs that agents reported. Null below the limit or without one. */
export const checkDayCost = async (
  store: Pick<AgentJobStore, 'sumDayCost'>,
  maxUsd: number | null,
  now: Date,
): Promise<DayLimit | null> => {
  if (maxUsd === null) return null
  const day = now.toISOString().slice(0, 10)
  const spent = await store.sumDayCost(day)
  if (spent < maxUsd) return null
  const opensAt = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000)
  const opens = `${opensAt.toISOString().slice(0, 10)} 00:00 UTC`
  const sentence = `Agents have used $${spent.toFixed(2)} today, and the limit is $${maxUsd.toFixed(2)} a day (AGENT_DAY_MAX_COST). New work can start at ${opens}.`
  return { sentence, opensAt }
}
