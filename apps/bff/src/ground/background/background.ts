import type { PgBoss } from 'pg-boss'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { toError } from '#ground/log/failure.ts'
import type { Log } from '#ground/log/log.ts'
import { pickJitteredPause, realTimer, type Timer } from '#ground/clock.ts'
import { openBoss, recordQueue, type RunSql } from '#ground/db/boss.ts'

/**
 * Work that runs outside of requests. `cron` is in UTC unless there is a `timeZone`. `run` may be repeated, even after it succeeded.
 * `often` is for work that is requested every few seconds: it waits for no other work, at most one run waits while another runs, and a
 * failed run is not retried. `long` is for work that may take hours and must not delay other work.
 */
export type Work = {
  name: string
  cron: string
  timeZone?: string
  often?: true
  long?: true
  run: () => Promise<unknown>
}

/**
 * Work on single records. Only one process works on a record at a time, and each process works on one record at a time, or on `atOnce`. A
 * run that rejects, or whose process was killed, is repeated after a growing pause, until the record itself no longer needs it. `signal`
 * aborts when the process stops.
 */
export type RecordWork = {
  name: string
  atOnce?: number
  run: (key: string, signal: AbortSignal) => Promise<unknown>
}

const slowQueue = {
  name: 'docket',
  // At most one run per name, whether waiting or running.
  policy: 'exclusive',
  retryLimit: 5,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 3_600,
  expireInSeconds: 3_600,
  // After this time, a run of a killed process is repeated.
  heartbeatSeconds: 60,
  deleteAfterSeconds: 7 * 86_400,
} as const

const oftenQueue = {
  name: 'docket-often',
  // At most one run per name waits, so a request during a run leads to one more run.
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 3_600,
  deleteAfterSeconds: 3_600,
} as const

const longQueue = {
  ...slowQueue,
  name: 'docket-long',
  retryLimit: 2,
  retryDelay: 300,
  expireInSeconds: 23 * 3_600,
} as const

const recordPollSeconds = 15

const pickQueue = (work: Work | undefined): string => {
  if (work?.long === true) return longQueue.name
  return (work?.often === true ? oftenQueue : slowQueue).name
}

/** Delay after `wake`, because the transaction that requests work has yet to commit. Milliseconds. */
const soonMs = 200

/**
 * Runs work with pg-boss, each piece in exactly one of the processes that share the database. Areas add their work before `start`.
 * `pollSeconds`: how often this process looks for due runs. `afterMs`: delay after `start` before it begins.
 */
export const createBackground = (options: {
  runSql: RunSql
  log: Log
  pollSeconds?: number
  afterMs?: number
  timer?: Timer
}) => {
  const { runSql, log, pollSeconds = 60, afterMs = 0, timer = realTimer } = options
  const byName = new Map<string, Work>()
  const records = new Map<string, RecordWork>()
  let boss: PgBoss | undefined
  const workers = new Map<string, string>()
  let started: Promise<void> | undefined
  let stopping = false
  const stopped = new AbortController()
  let endPause: (() => void) | undefined

  const report = (problem: unknown) => {
    const error = toError(problem)
    // While the database is unavailable, the watchers already log that.
    if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'background work is interrupted')
    else log.warn({ err: error }, 'background work has a problem')
  }

  const runOne = async (name: string): Promise<void> => {
    const work = byName.get(name)
    // The run belongs to another version of Docket on the same database.
    if (work === undefined) return
    const startedAt = performance.now()
    try {
      await work.run()
      const ms = Math.round(performance.now() - startedAt)
      log[work.often === true ? 'debug' : 'info']({ work: name, ms }, 'background work is done')
    } catch (error) {
      log.error({ err: error, work: name }, 'background work failed and will be tried again')
      // pg-boss stores the error in its tables, and its text may contain secrets.
      throw new Error('It failed; the log of the process that ran it says why.')
    }
  }

  const runRecord = async (work: RecordWork, key: string): Promise<void> => {
    try {
      await work.run(key, stopped.signal)
    } catch (error) {
      if (!stopped.signal.aborted)
        log.info({ err: error, work: work.name, key }, 'work on a record will be tried again')
      // pg-boss stores the error in its tables, and its text may contain secrets.
      throw new Error('It failed; the log of the process that ran it says why.')
    }
  }

  const wake = (queue: string) => {
    const worker = workers.get(queue)
    if (worker !== undefined) boss?.notifyWorker(worker)
  }

  const open = async (): Promise<PgBoss> => {
    const opened = await openBoss(runSql)
    opened.on('error', report)
    opened.on('warning', ({ message }) => log.debug({ message }, 'pg-boss'))
    try {
      await opened.start()
      for (const { name: queue, ...queueOptions } of [slowQueue, oftenQueue, longQueue]) {
        await opened.createQueue(queue, queueOptions)
        for (const { name, cron, timeZone: tz = 'UTC' } of [...byName.values()].filter(
          (work) => pickQueue(work) === queue,
        ))
          await opened.schedule(queue, cron, { name }, { key: name, singletonKey: name, tz, missed: 'once' })
        const worker = await opened.work<{ name: string }>(
          queue,
          { pollingIntervalSeconds: pollSeconds },
          async (jobs) => {
            for (const { data } of jobs) await runOne(data.name)
          },
        )
        workers.set(queue, worker)
      }
      for (const work of records.values()) {
        await opened.createQueue(work.name, recordQueue)
        const worker = await opened.work<{ key: string }>(
          work.name,
          { pollingIntervalSeconds: Math.min(pollSeconds, recordPollSeconds), localConcurrency: work.atOnce ?? 1 },
          async (jobs) => {
            for (const { data } of jobs) await runRecord(work, data.key)
          },
        )
        workers.set(work.name, worker)
      }
      return opened
    } catch (error) {
      await opened.stop({ graceful: false }).catch(() => {})
      throw error
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = timer(resolve, ms)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  const keepOpening = async () => {
    await pause(afterMs)
    for (let failures = 1; !stopping && boss === undefined; failures += 1)
      try {
        boss = await open()
      } catch (error) {
        report(error)
        if (!stopping) await pause(1_000 + pickJitteredPause(failures, { baseMs: 1_000, capMs: 60_000 }))
      }
  }

  const requestRecord = async (name: string, key: string) => {
    await started
    await boss?.send(name, { key }, { singletonKey: key })
    wake(name)
  }

  return {
    works: byName as ReadonlyMap<string, Work>,
    records: records as ReadonlyMap<string, RecordWork>,
    add: (...works: readonly Work[]): void => works.forEach((work) => byName.set(work.name, work)),
    addRecords: (work: RecordWork): void => void records.set(work.name, work),
    /**
     * Adds work on rows that wait in a table, so that a crash loses none. `list` finds them whenever the returned `request` is called, and
     * soon after `wake`, which is called by the transaction that writes a row.
     */
    addWaiting: (work: RecordWork, list: () => Promise<readonly string[]>) => {
      records.set(work.name, work)
      const request = async () => {
        for (const key of await list()) await requestRecord(work.name, key)
      }
      const wakeSoon = () => {
        const look = () =>
          request().catch((error: unknown) => log.debug({ err: error, work: work.name }, 'rows wait for the next look'))
        setTimeout(() => void look(), soonMs).unref()
      }
      return { request, wake: wakeSoon }
    },
    /** Makes this process look soon for jobs that a transaction inserted itself. */
    wakeSoon: (name: string) => void setTimeout(() => wake(name), soonMs).unref(),
    /** Returns at once and retries while the database is unavailable. */
    start: () => {
      started ??= keepOpening()
    },
    /** Requests one run as soon as a process is free. Does nothing when a run is already waiting. */
    request: async (name: string) => {
      await started
      const queue = pickQueue(byName.get(name))
      await boss?.send(queue, { name }, { singletonKey: name })
      wake(queue)
    },
    /** Requests work on a record. Does nothing when work on it is waiting or running. */
    requestRecord,
    /** Takes no new runs and gives current ones `graceMs` to finish. Another process repeats those that did not. */
    stop: async (graceMs: number) => {
      stopping = true
      stopped.abort()
      endPause?.()
      await started
      await boss?.stop({ graceful: true, timeout: graceMs })
    },
  }
}

export type Background = ReturnType<typeof createBackground>
