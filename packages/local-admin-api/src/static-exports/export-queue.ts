import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueOptions, Queues } from '#database/queues.ts'
import type { Log } from '#log.ts'
import type { ExportJob, ExportRequest, Attempt, ExportStore } from './export-store.ts'
import type { ExportEnd } from './export-process.ts'
import type { RunExport } from './run-export.ts'

/** Attempts of an export that crashes its process, so that a source cannot do so forever. */
const maxCrashes = 2
/** An export that loses this many workers fails. */
const maxLosses = 10
/** Reason of a cancelled export. Clients replace it with their own words. */
export const cancelledReason = 'cancelled'

/** Queue of exports that any process takes. One that had begun waits in a queue of its exporter. */
const queueName = 'docket-exports'
const noteEveryMs = 1_000
const sweepEveryMs = 5_000
/** Time after which an unqueued, untouched export is queued again, because its process was killed. */
const forgottenMs = 10_000
const sameExporterMs = 10 * 60_000
const cancelWithinMs = 5_000

const classes: Readonly<Record<ExportJob['priority'], number>> = { normal: 10_000, low: 0 }
/** Each further export of a domain is queued behind the next one of every other domain. */
const maxBehind = 9_999

/** Queued → running → completed | failed, over all processes. */
export const createExportQueue = (deps: {
  store: ExportStore
  queues: () => Queues
  run: RunExport
  removeBundle: (jobId: string) => Promise<void>
  exporter: string
  workers: number
  perSite: number
  places: number
  log: Log
}) => {
  const { store, queues, run, removeBundle, exporter, workers, perSite, places, log } = deps
  const stops = new Map<string, () => void>()

  const enqueue = async (job: ExportJob, name = queueName) => {
    const { jobId, domain, priority } = job
    const behind = Math.min(maxBehind, await store.countRivals(job))
    await queues().add(name, { id: jobId, groupId: domain, priority: classes[priority] - behind })
  }

  /** `isLost` is true when the export was cancelled or another process has it. */
  const follow = async (
    job: ExportJob,
    attempt: Attempt,
    signal: AbortSignal,
  ): Promise<{ end: ExportEnd; isLost: boolean }> => {
    let live = { progress: job.progress, pageCount: job.pageCount }
    let isLost = false
    const process = run(job, (progress, pageCount) => (live = { progress, pageCount }))
    const note = async () => {
      if (await store.note(attempt, live)) return
      isLost = true
      process.stop()
    }
    const progressTimer = setInterval(() => {
      note().catch((error: unknown) => log.debug({ jobId: job.jobId, err: error }, 'progress could not be noted'))
    }, noteEveryMs)
    stops.set(job.jobId, process.stop)
    signal.addEventListener('abort', process.stop, { once: true })
    if (signal.aborted) process.stop()
    try {
      return { end: await process.ended, isLost }
    } finally {
      clearInterval(progressTimer)
      signal.removeEventListener('abort', process.stop)
      stops.delete(job.jobId)
    }
  }

  const fail = async (attempt: Attempt, error: string): Promise<void> => {
    await store.end(attempt, { status: 'failed', error })
  }

  const settle = async (job: ExportJob, attempt: Attempt, end: ExportEnd): Promise<void> => {
    const { jobId } = job
    const isCancelled = (await store.find(jobId))?.cancelAskedAt !== null
    const report = (reason: string | null) => log.info({ jobId, end: end.kind, reason }, 'a static export ended')
    if (isCancelled) {
      await fail(attempt, cancelledReason)
      // The bundle may have been finished while the cancel arrived. It is removed together with the record.
      if (end.kind === 'completed')
        await removeBundle(jobId).catch((error: unknown) => {
          log.warn({ jobId, err: error }, 'the bundle of a cancelled export could not be removed yet')
        })
      return report(cancelledReason)
    }
    if (end.kind === 'completed') await store.end(attempt, { status: 'completed', pageCount: end.pageCount })
    else if (end.kind === 'failed') await fail(attempt, end.reason)
    else if (end.kind === 'crashed' && job.crashes + 1 >= maxCrashes)
      await fail(attempt, `${end.reason}. This happened twice, so the export was given up`)
    else {
      await store.release(attempt, { crashed: end.kind === 'crashed' })
      report(end.kind === 'crashed' ? end.reason : null)
      throw new AnotherAttempt()
    }
    report(end.kind === 'failed' ? end.reason : null)
  }

  const work = async (jobId: string, signal: AbortSignal): Promise<void> => {
    const known = await store.find(jobId)
    if (known === null) return
    // Pages of two exporters differ, so the export stays with its own exporter while that one runs.
    const isForeign = known.exporter !== null && known.exporter !== exporter
    if (isForeign && !(await store.isForgotten(jobId, sameExporterMs)))
      return enqueue(known, `${queueName}-${known.exporter}`)
    const attempt = { jobId, attemptId: randomUUID() }
    const job = await store.begin(attempt, exporter)
    if (job === null) return
    // Its worker was lost before it could end it.
    if (job.cancelAskedAt !== null) return fail(attempt, cancelledReason)
    if (job.losses >= maxLosses) return fail(attempt, explainLosses)
    try {
      const { end, isLost } = await follow(job, attempt, signal)
      if (isLost && (await store.find(jobId))?.attemptId !== attempt.attemptId) return
      await settle(job, attempt, end)
    } catch (error) {
      if (!(error instanceof AnotherAttempt))
        log.error({ jobId, err: error }, 'the end of an export could not be noted')
      throw error
    }
  }

  const sweep = async () => {
    for (const job of await store.listForgotten(forgottenMs, sameExporterMs)) await enqueue(job)
  }
  const sweeping = setInterval(() => {
    sweep().catch((error: unknown) => log.debug({ err: error }, 'forgotten exports are looked for later'))
  }, sweepEveryMs).unref()

  const options = { perGroup: perSite, run: work }
  return {
    queues: [
      { name: queueName, atOnce: workers, ...options },
      { name: `${queueName}-${exporter}`, atOnce: Math.min(1, workers), ...options },
    ] satisfies QueueOptions[],
    isFull: async () => (await store.countUnfinished()) >= places,
    /** Resolves when the job is in the database, so an answered start survives a crash. Null when the queue is full. */
    start: async (request: ExportRequest): Promise<ExportJob | null> => {
      const job = await store.add(randomUUID(), request, places)
      if (job === null) return null
      await enqueue(job).catch((error: unknown) => {
        log.warn({ jobId: job.jobId, err: error }, 'an export is put into the queue a moment later')
      })
      return job
    },
    /** Ends a waiting or running export as `failed`, with `cancelledReason`: resolves when its work has ended. Null when it is over. */
    cancel: async (jobId: string): Promise<ExportJob | null> => {
      const asked = await store.askCancel(jobId, cancelledReason)
      if (asked === null || asked.status === 'failed') return asked
      stops.get(jobId)?.()
      for (let waited = 0; waited < cancelWithinMs; waited += 50) {
        const job = await store.find(jobId)
        if (job === null || job.status === 'failed' || job.status === 'completed') return job
        await sleep(50)
      }
      return store.find(jobId)
    },
    sweep,
    close: () => clearInterval(sweeping),
  }
}

export type ExportQueue = ReturnType<typeof createExportQueue>

class AnotherAttempt extends Error {
  override readonly name = 'AnotherAttempt'
}

const explainLosses =
  'Ten workers ended while this export ran, so it was given up. Export the site in parts, with paths, or give workers more memory'
