import { appendFileSync, mkdirSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
import type { ExportJob } from '#static-exports/export-job.ts'

/** The records in `jobs`, read once. */
export const exportRecords = async (deps: {
  jobs: JsonFolder<ExportJob>
  shownProgressFiles: ShownProgress
  now: () => Date
  log: Log
}) => {
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
    /** Oldest first. */
    all: () => [...known.values()].toSorted(byAge),
    get: (jobId: string) => known.get(jobId) ?? null,
    /** Call before answering with a job: progress never falls for a reader, even after a crash. */
    noteShown: (job: ExportJob) => {
      if (!isOver(job)) shownProgress.note(job.jobId, job)
    },
    /** Resolves when the job is on disk; rejects, without a job, when the write fails. */
    add: async (job: ExportJob) => {
      await jobs.write(job.jobId, job)
      known.set(job.jobId, job)
    },
    /** Changes a job at once. `save` brings it to the disk. */
    change: (jobId: string, changes: Partial<ExportJob>) => {
      const job = { ...known.get(jobId)!, ...changes, updatedAt: now().toISOString() }
      known.set(jobId, job)
      return job
    },
    /** Never rejects: answers stay right, and the next start settles a failed write. */
    save: (jobId: string) => {
      // One after the other: an older state must not arrive last.
      const saved = (saving.get(jobId) ?? Promise.resolve()).then(() => write(jobId))
      saving.set(jobId, saved)
      return saved.finally(() => saving.get(jobId) === saved && saving.delete(jobId))
    },
    remove: async (jobId: string) => {
      known.delete(jobId)
      await saving.get(jobId)
      await jobs.remove(jobId)
      await shownProgress.forget(jobId)
    },
  }
}

/** Jobs in memory, saved to disk with a short delay. */
export type ExportRecords = Awaited<ReturnType<typeof exportRecords>>

const isOver = ({ status }: ExportJob) => status === 'completed' || status === 'failed'
const byAge = (a: ExportJob, b: ExportJob) => a.createdAt.localeCompare(b.createdAt)

/** Progress of an export: 0 to 100, and pages written. */
type Live = { progress: number; pageCount: number }

const line = /^(\d+(?:\.\d+)?) (\d+)$/

/**
 * Appends to a file under `folder`, one line each: a crash within a line keeps the earlier ones. Does not sync, so a
 * power cut may lose some.
 */
export const shownProgress = (folder: string) => {
  const noted = new Map<string, string>()
  const toPath = (jobId: string) => join(folder, jobId)
  const forget = async (jobId: string) => {
    noted.delete(jobId)
    await rm(toPath(jobId), { force: true })
  }
  return {
    /** To be called before `live` is answered. Never throws. */
    note: (jobId: string, { progress, pageCount }: Live) => {
      const text = `${progress} ${pageCount}`
      if (noted.get(jobId) === text) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // Synchronous: a crash after the answer must not lose the note.
        appendFileSync(toPath(jobId), `${text}\n`, { mode: 0o600 })
        noted.set(jobId, text)
      } catch {
        // A full disk must not fail the answer.
      }
    },
    /** Progress shown before the service started; zeros when there is none. */
    before: async (jobId: string) => {
      const text = await readFile(toPath(jobId), 'utf8').catch(() => '')
      const [, progress = 0, pageCount = 0] =
        text
          .split('\n')
          .slice(0, -1)
          .findLast((each) => line.test(each))
          ?.match(line) ?? []
      return { progress: Math.min(Number(progress), 99), pageCount: Number(pageCount) }
    },
    forget,
    /** Forgets all others: a crash may have come between the end of an export and this. */
    keepOnly: async (jobIds: ReadonlySet<string>) => {
      for (const jobId of await readdir(folder).catch((): string[] => [])) if (!jobIds.has(jobId)) await forget(jobId)
    },
  }
}

/**
 * Last shown progress of running exports. Records on disk are up to a second older, and a crash must not show readers less than before.
 */
type ShownProgress = ReturnType<typeof shownProgress>
