import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FetchRules } from '@docket/site-exporter/export-site'
import type { SiteSource } from '@docket/sources/site-source'
import type { SiteSources } from '@docket/sources/site-sources'
import type { BundleStore } from '#bundles/bundle-store.ts'
import { failureReason } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import {
  startExportProcess,
  type ExportEnd,
  type ExportProcess,
  type WorkerLimits,
} from '#static-exports/export-process.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** Starts one attempt of an export: gets its source, runs the worker process, keeps the bundle and nothing else. */
export type RunExport = (job: ExportJob, onProgress: (progress: number, pageCount: number) => void) => ExportProcess

/** Runs exports in processes of their own. `findSource` returns null for a domain that is not served any more. */
export const exportRunner = (deps: {
  findSource: (domain: string) => SiteSource | null
  sources: SiteSources
  bundles: BundleStore
  /** Domains whose exports include hidden pages. */
  withHiddenPages: ReadonlySet<string>
  fetch: FetchRules
  limits: WorkerLimits
  /** Folder for unfinished output of attempts. Useless after a crash. */
  workFolder: string
  /** Folder of rendered pages that later exports reuse. */
  cacheFolder: string
  log: Log
}): RunExport => {
  const { findSource, sources, bundles, withHiddenPages, fetch, limits, workFolder, cacheFolder, log } = deps
  return (job, onProgress) => {
    const { jobId, domain, version, paths, pin } = job
    // Each attempt has its own folder, because a process of a killed service may still write for a moment.
    const work = join(workFolder, randomUUID())
    const [site, archive, scratch] = [join(work, 'site'), join(work, 'bundle.tar.gz'), join(work, 'source')]
    const stopping = Promise.withResolvers<null>()
    let stopped = false
    let worker: ExportProcess | null = null

    const exportSite = async (): Promise<ExportEnd> => {
      const source = findSource(domain)
      if (source === null) throw new Error(`There is no site with the domain ${domain} any more`)
      await mkdir(work, { recursive: true, mode: 0o700 })
      const ordered = await Promise.race([sources.order(source, pin, join(scratch, 'mirror')), stopping.promise])
      if (ordered === null || stopped) return { kind: 'stopped' }
      const { pauseMs = 0, failWith = null } = exportSentinel(domain) ?? {}
      const order = { jobId, domain, version, paths, source: ordered, scratch, site, archive }
      const settings = { hiddenPages: withHiddenPages.has(domain), fetch, cache: cacheFolder }
      worker = startExportProcess({ ...order, ...settings, pauseMs, failWith }, limits, onProgress)
      const end = await worker.ended
      // Replaces the bundle of an earlier attempt.
      if (end.kind === 'completed') await bundles.remove(jobId)
      if (end.kind === 'completed') await keepBundle()
      return end
    }
    const keepBundle = async () => {
      await mkdir(dirname(bundles.toArchivePath(jobId)), { recursive: true })
      await rename(archive, bundles.toArchivePath(jobId))
      // A remote storage may be down or slow, so the bundle stays here until the first link is made.
      const moved = bundles.keep(jobId).catch((error: unknown) => {
        log.warn({ jobId, err: error }, 'a bundle could not be moved into its storage yet')
      })
      await Promise.race([moved, stopping.promise])
    }
    const attempt = async (): Promise<ExportEnd> => {
      try {
        return await exportSite()
      } catch (error) {
        return { kind: 'failed', reason: failureReason(error) }
      } finally {
        await rm(work, { recursive: true, force: true }).catch((error: unknown) => {
          log.warn({ jobId, err: error }, 'what an export left could not be removed')
        })
      }
    }
    return {
      ended: attempt(),
      stop: () => {
        stopped = true
        stopping.resolve(null)
        worker?.stop()
      },
    }
  }
}
