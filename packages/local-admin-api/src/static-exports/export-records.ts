import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import type { ShownProgress } from '#static-exports/shown-progress.ts'

/** The jobs as they are this moment, and on the disk as they were a moment ago. */
export type ExportRecords = {
  /** Oldest first. */
  all(): ExportJob[]
  get(jobId: string): ExportJob | null
  /** To be called before a job is answered: nobody reads less of it later, also after a crash. */
  noteShown(job: ExportJob): void
  /** Resolves when the job is on the disk; rejects when it cannot be kept, and then there is none. */
  add(job: ExportJob): Promise<void>
  /** Changes a job at once. `save` brings it to the disk. */
  change(jobId: string, changes: Partial<ExportJob>): ExportJob
  /** Never rejects: what is answered stays right, and the next start settles what the disk did not take. */
  save(jobId: string): Promise<void>
  remove(jobId: string): Promise<void>
}

/** The records in `jobs`, read once. */
export const exportRecords = async (deps: {
  jobs: JsonFolder<ExportJob>
  shownProgressFiles: ShownProgress
  now: () => Date
  log: Log
}): Promise<ExportRecords> => {
  const { jobs, shownProgressFiles: shownProgress, now, log } = deps
  const asShown = async (job: ExportJob): Promise<ExportJob> => {
    if (isOver(job)) return job
    const { progress, pageCount } = await shownProgress.before(job.jobId)
    return { ...job, progress: Math.max(job.progress, progress), pageCount: Math.max(job.pageCount, pageCount) }
  }
  const read = await Promise.all((await jobs.readAll()).map(asShown))
  await shownProgress.keepOnly(new Set(read.filter((job) => !isOver(job)).map(({ jobId }) => jobId)))
  const known = new Map(read.toSorted(byAge).map((job) => [job.jobId, job]))
  const saving = new Map<string, Promise<void>>()

  const write = async (jobId: string) => {
    const job = known.get(jobId)
    if (!job) return
    try {
      await jobs.write(jobId, job)
      if (isOver(job)) await shownProgress.forget(jobId)
    } catch (error) {
      log.error({ jobId, err: error }, 'a static export could not be saved')
    }
  }
  return {
    all: () => [...known.values()].toSorted(byAge),
    get: (jobId) => known.get(jobId) ?? null,
    noteShown: (job) => {
      if (!isOver(job)) shownProgress.note(job.jobId, job)
    },
    add: async (job) => {
      await jobs.write(job.jobId, job)
      known.set(job.jobId, job)
    },
    change: (jobId, changes) => {
      const job = { ...known.get(jobId)!, ...changes, updatedAt: now().toISOString() }
      known.set(jobId, job)
      return job
    },
    save: (jobId) => {
      // One after the other: an older state must not arrive last.
      const saved = (saving.get(jobId) ?? Promise.resolve()).then(() => write(jobId))
      saving.set(jobId, saved)
      return saved.finally(() => saving.get(jobId) === saved && saving.delete(jobId))
    },
    remove: async (jobId) => {
      known.delete(jobId)
      await saving.get(jobId)
      await jobs.remove(jobId)
      await shownProgress.forget(jobId)
    },
  }
}

const isOver = ({ status }: ExportJob) => status === 'completed' || status === 'failed'
const byAge = (a: ExportJob, b: ExportJob) => a.createdAt.localeCompare(b.createdAt)
