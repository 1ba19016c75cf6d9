import { randomUUID } from 'node:crypto'
import type { Log } from '#log.ts'
import type { ExportJob, ExportRequest } from '#static-exports/export-job.ts'
import type { ExportEnd, ExportProcess } from '#static-exports/export-process.ts'
import type { ExportRecords } from '#static-exports/export-records.ts'
import type { RunExport } from '#static-exports/run-export.ts'

/** A first try, and one more after an interruption: a source that takes the process down must not do so for ever. */
const maxAttempts = 2
/** Reason of an export that somebody cancelled. Clients show it in words of their own. */
export const cancelledReason = 'cancelled'

/** Interval of saving progress. Answers are always live. */
const saveEveryMs = 1_000

/**
 * queued → running → completed | failed. What was interrupted is resumed once, ahead of the queue, then failed. `atOnce` exports run,
 * `queueLength` may wait.
 */
export const exportQueue = async (deps: {
  records: ExportRecords
  run: RunExport
  removeBundle: (jobId: string) => Promise<void>
  atOnce: number
  queueLength: number
  now: () => Date
  log: Log
}) => {
  const { records, run, removeBundle, atOnce, queueLength, now, log } = deps
  const waiting: string[] = []
  const cancelled = new Set<string>()
  const running = new Map<string, { process: ExportProcess | null; done: Promise<void> }>()
  let entering = 0
  let closed = false

  const attempt = async (jobId: string) => {
    const attempts = records.get(jobId)!.attempts + 1
    records.change(jobId, { status: 'running', attempts })
    // Before any export runs, so that a crash from now on counts.
    await records.save(jobId)
    let savedAt = 0
    const onProgress = (progress: number, pageCount: number) => {
      const before = records.get(jobId)!
      records.change(jobId, {
        progress: Math.max(before.progress, Math.min(progress, 99)),
        pageCount: Math.max(before.pageCount, pageCount),
      })
      if (Math.abs(now().getTime() - savedAt) < saveEveryMs) return
      savedAt = now().getTime()
      void records.save(jobId)
    }
    const process = run(records.get(jobId)!, onProgress)
    running.get(jobId)!.process = process
    // `close` or `cancel` may have come while the job was being saved, when there was nothing to stop yet.
    if (closed || cancelled.has(jobId)) process.stop()
    const end = await process.ended
    const isCancelled = cancelled.delete(jobId)
    const job = records.change(jobId, isCancelled ? cancelledOutcome : toOutcome(end, attempts))
    await records.save(jobId)
    // The bundle may have been finished while the cancel came. What stays goes with the record.
    if (isCancelled && end.kind === 'completed')
      void removeBundle(jobId).catch((error: unknown) => {
        log.warn({ jobId, err: error }, 'the bundle of a cancelled export could not be removed yet')
      })
    log.info({ jobId, end: end.kind, ...(job.error !== null && { reason: job.error }) }, 'a static export ended')
  }

  const runNext = () => {
    while (!closed && running.size < atOnce) {
      const jobId = waiting.shift()
      if (jobId === undefined) return
      const entry = { process: null, done: Promise.resolve() }
      running.set(jobId, entry)
      entry.done = attempt(jobId).finally(() => {
        running.delete(jobId)
        if (records.get(jobId)?.status === 'queued') waiting.unshift(jobId)
        runNext()
      })
    }
  }

  for (const job of records.all()) {
    if (job.status === 'running') {
      records.change(job.jobId, toOutcome({ kind: 'interrupted', signal: null }, job.attempts))
      await records.save(job.jobId)
    }
  }
  const unfinished = records.all().filter(({ status }) => status === 'queued')
  waiting.push(...unfinished.toSorted((a, b) => b.attempts - a.attempts).map(({ jobId }) => jobId))
  runNext()

  const isFull = () => running.size + waiting.length + entering >= atOnce + queueLength
  return {
    isFull,
    /**
     * Resolves when the job is on the disk, so an answered start survives a crash. Null when the queue is full; rejects when the disk is.
     */
    start: async (request: ExportRequest) => {
      if (isFull()) return null
      entering += 1
      try {
        const job = newJob(request, now())
        await records.add(job)
        waiting.push(job.jobId)
        return job
      } finally {
        entering -= 1
        runNext()
      }
    },
    /**
     * Ends a waiting or running export as `failed`, with `cancelledReason`, at once: resolves when its process is gone and the outcome on
     * disk. Null when it is over.
     */
    cancel: async (jobId: string): Promise<ExportJob | null> => {
      const { status } = records.get(jobId) ?? { status: 'failed' }
      if (status === 'completed' || status === 'failed') return null
      const place = waiting.indexOf(jobId)
      const entry = running.get(jobId)
      if (place >= 0) {
        waiting.splice(place, 1)
        records.change(jobId, cancelledOutcome)
        await records.save(jobId)
      } else if (entry !== undefined) {
        cancelled.add(jobId)
        entry.process?.stop()
        await entry.done
      }
      return records.get(jobId)
    },
    /** Stops what runs; it starts again with the next `exportQueue`. */
    close: async () => {
      closed = true
      for (const { process } of running.values()) process?.stop()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** Every export of this installation; those that cannot run yet wait in the order they were started. */
export type ExportQueue = Awaited<ReturnType<typeof exportQueue>>

const newJob = (request: ExportRequest, at: Date): ExportJob => ({
  jobId: randomUUID(),
  ...request,
  status: 'queued',
  progress: 0,
  pageCount: 0,
  error: null,
  attempts: 0,
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
})

const cancelledOutcome: Partial<ExportJob> = { status: 'failed', error: cancelledReason }

/** A stop on purpose does not count as an attempt. */
const toOutcome = (end: ExportEnd, attempts: number): Partial<ExportJob> => {
  if (end.kind === 'stopped') return { status: 'queued', attempts: attempts - 1 }
  if (end.kind === 'completed') return { status: 'completed', progress: 100, pageCount: end.pageCount }
  if (end.kind === 'failed') return { status: 'failed', error: end.reason }
  return attempts < maxAttempts ? { status: 'queued' } : { status: 'failed', error: explainGivingUp(end.signal) }
}

const explainGivingUp = (signal: NodeJS.Signals | null) =>
  signal === null
    ? 'The service ended twice while this export ran, so it was given up. Start it again; if that happens once more, export the site in parts, with paths'
    : `The export process was ended from outside twice (${signal}), so it was given up. The machine may be short of memory: make room, and start the export again`
