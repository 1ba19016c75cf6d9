import { randomUUID } from 'node:crypto'
import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
import { ExportJob } from '#static-exports/export-job.ts'
import type { ExportEnd, ExportProcess } from '#static-exports/export-process.ts'

/** What the queue stands on. `run` starts the process of a job. */
export type ExportQueueDeps = {
  jobs: JsonFolder<ExportJob>
  run: (job: ExportJob, onProgress: (progress: number, pageCount: number) => void) => ExportProcess
  now: () => Date
  log: Log
}

/** Every export of this installation; one runs at a time, the others wait in the order they were started. */
export type ExportQueue = {
  /** Resolves when the job is on the disk, so an answered start survives a crash. */
  start(request: Pick<ExportJob, 'domain' | 'version' | 'paths' | 'pin'>): Promise<ExportJob>
  /** The job as it is this moment. Null when it does not exist. */
  get(jobId: string): ExportJob | null
  /** Stops what runs; it starts again with the next `exportQueue`. */
  close(): Promise<void>
}

/** A first try, and one more after a crash: a source that takes the process down must not do so for ever. */
const maxAttempts = 2
/** Progress is kept that often on the disk. Answers are always live. */
const saveEveryMs = 1_000

/** queued → running → completed | failed. What a crash left running is resumed once, ahead of the queue, then failed. */
export const exportQueue = async ({ jobs, run, now, log }: ExportQueueDeps): Promise<ExportQueue> => {
  const known = new Map<string, ExportJob>()
  const waiting: string[] = []
  let running: ExportProcess | null = null
  let working: Promise<void> = Promise.resolve()
  let closed = false

  const change = (jobId: string, changes: Partial<ExportJob>) => {
    const job = { ...known.get(jobId)!, ...changes, updatedAt: now().toISOString() }
    known.set(jobId, job)
    return job
  }
  const save = async (job: ExportJob) => {
    try {
      await jobs.write(job.jobId, job)
    } catch (error) {
      log.error({ jobId: job.jobId, err: error }, 'a static export could not be saved')
    }
  }

  const work = async (jobId: string) => {
    const attempts = known.get(jobId)!.attempts + 1
    await save(change(jobId, { status: 'running', attempts }))
    let savedAt = 0
    let saving = Promise.resolve()
    const onProgress = (progress: number, pageCount: number) => {
      const before = known.get(jobId)!
      const job = change(jobId, {
        progress: Math.max(before.progress, Math.min(progress, 99)),
        pageCount: Math.max(before.pageCount, pageCount),
      })
      if (now().getTime() - savedAt < saveEveryMs) return
      savedAt = now().getTime()
      saving = saving.then(() => save(job))
    }
    running = run(known.get(jobId)!, onProgress)
    // `close` may have come while the job was being saved, when there was nothing to stop yet.
    if (closed) running.stop()
    const end = await running.ended
    running = null
    await saving
    await save(change(jobId, outcomeOf(end, attempts)))
    log.info({ jobId, end: end.kind }, 'a static export ended')
  }

  const drain = async () => {
    for (let jobId = waiting.shift(); jobId !== undefined && !closed; jobId = waiting.shift()) await work(jobId)
  }
  const wake = () => {
    working = working.then(drain)
  }

  for (const job of await loadJobs(jobs)) {
    known.set(job.jobId, job)
    if (job.status === 'running' && job.attempts >= maxAttempts) {
      await save(change(job.jobId, { status: 'failed', error: 'The export was interrupted twice and was given up' }))
    } else if (job.status === 'running') {
      waiting.unshift(job.jobId)
      await save(change(job.jobId, { status: 'queued' }))
    } else if (job.status === 'queued') waiting.push(job.jobId)
  }
  wake()

  return {
    start: async (request) => {
      const at = now().toISOString()
      const job: ExportJob = {
        jobId: randomUUID(),
        ...request,
        status: 'queued',
        progress: 0,
        pageCount: 0,
        error: null,
        attempts: 0,
        createdAt: at,
        updatedAt: at,
      }
      await jobs.write(job.jobId, job)
      known.set(job.jobId, job)
      waiting.push(job.jobId)
      wake()
      return job
    },
    get: (jobId) => known.get(jobId) ?? null,
    close: async () => {
      closed = true
      running?.stop()
      await working
    },
  }
}

const loadJobs = async (jobs: JsonFolder<ExportJob>) =>
  (await jobs.readAll())
    .map((record) => ExportJob.safeParse(record))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))

/** Being stopped on purpose is not the job's fault, so it does not count as an attempt. */
const outcomeOf = (end: ExportEnd, attempts: number): Partial<ExportJob> => {
  if (end.kind === 'stopped') return { status: 'queued', attempts: attempts - 1 }
  if (end.kind === 'failed') return { status: 'failed', error: end.reason }
  return { status: 'completed', progress: 100, pageCount: end.pageCount }
}
