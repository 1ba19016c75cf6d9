import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteSources } from '@docket/sources/site-sources'
import type { BundleStore } from '#bundles/bundle-store.ts'
import type { Log } from '#log.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import type { ExportRecords } from '#static-exports/export-records.ts'

const dayMs = 86_400_000

/** Sweeps at once, and every day from then on. */
export const retention = (deps: {
  records: ExportRecords
  bundles: BundleStore
  sources: SiteSources
  /** Days until a finished export is removed. */
  keepDays: number
  now: () => Date
  log: Log
}) => {
  const { records, bundles, sources, keepDays, now, log } = deps

  const lent = new Map<string, number>()
  const isOver = ({ status, updatedAt }: ExportJob) =>
    (status === 'completed' || status === 'failed') && now().getTime() - Date.parse(updatedAt) >= keepDays * dayMs

  const removeOld = async (job: ExportJob) => {
    if ((lent.get(job.jobId) ?? 0) > now().getTime()) return
    try {
      // Removes the record last, so that a crash leaves nothing unreachable.
      await bundles.remove(job.jobId)
      await records.remove(job.jobId)
      lent.delete(job.jobId)
      log.info({ jobId: job.jobId, domain: job.domain }, 'a static export was removed by its age')
    } catch (error) {
      log.warn({ jobId: job.jobId, err: error }, 'an old static export could not be removed')
    }
  }
  const sweep = async () => {
    for (const job of records.all().filter(isOver)) await removeOld(job)
    await sources.keepOnly(neededPins(records.all())).catch((error: unknown) => {
      log.warn({ err: error }, 'commits that nobody needs could not be removed')
    })
  }
  void sweep()
  const sweeping = setInterval(() => void sweep(), dayMs)
  // Does not keep the process alive.
  sweeping.unref()
  return {
    /** Whether a job is past its retention; it counts as gone then, removed or not. */
    isOver,
    /** Remembers until when a link to a bundle is good: it is not taken away under a reader. */
    lentUntil: (jobId: string, expiresAt: Date) => lent.set(jobId, expiresAt.getTime()),
    /** Looks through everything once. Never rejects. */
    sweep,
    close: () => clearInterval(sweeping),
  }
}

/** Removes finished exports by age, and the commits that no export needs any more. */
export type Retention = ReturnType<typeof retention>

/** Pins of unfinished exports, and the newest of each repository, because the next export often reads the same commit. */
const neededPins = (jobs: readonly ExportJob[]) => {
  const newest = new Map(jobs.flatMap(({ pin }) => (pin ? [[`${pin.repository}#${pin.ref}`, pin] as const] : [])))
  const unfinished = jobs.filter(({ status }) => status === 'queued' || status === 'running')
  return [...newest.values(), ...unfinished.flatMap(({ pin }) => (pin ? [pin] : []))]
}

/** Removes what attempts left that a crash ended. To be called before the first one begins. */
export const clearWork = async (folder: string, log: Log): Promise<void> => {
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names)
    await rm(join(folder, name), { recursive: true, force: true }).catch((error: unknown) => {
      log.warn({ folder: join(folder, name), err: error }, 'what an export left could not be removed')
    })
}
