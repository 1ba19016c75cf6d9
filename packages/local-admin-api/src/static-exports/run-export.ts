import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import type { FetchRules } from '@docket/site-exporter/export-site'
import type { SiteSource } from '@docket/sources/site-source'
import type { SiteSources } from '@docket/sources/site-sources'
import type { BundleStore } from '#bundles/bundle-store.ts'
import { failureReason } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import {
  startExportProcess,
  type ExportEnd,
  type ExportProcess,
  type StartExport,
  type WorkerLimits,
} from '#static-exports/export-process.ts'
import type { SharedPages } from '#static-exports/shared-pages.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'
import type { ExportJob } from './export-store.ts'

const storePauses = { firstMs: 1_000, maxMs: 30_000 }

export type RunExport = (job: ExportJob, onProgress: (progress: number, pageCount: number) => void) => ExportProcess

/** `findSource` returns null for a domain that is not served any more. */
export const createExportRunner = (deps: {
  findSource: (domain: string) => SiteSource | null
  sources: SiteSources
  bundles: BundleStore
  withHiddenPages: ReadonlySet<string>
  fetch: FetchRules
  limits: WorkerLimits
  startExport?: StartExport | undefined
  storeMs: number
  /** Folder for unfinished output of attempts. Useless after a crash. */
  workFolder: string
  cacheFolder: string
  pages: SharedPages
  log: Log
}): RunExport => {
  const { findSource, sources, bundles, withHiddenPages, fetch, limits, storeMs, workFolder, cacheFolder, pages, log } =
    deps
  const { startExport = startExportProcess } = deps
  return (job, onProgress) => {
    const { jobId, domain, version, paths, pin } = job
    // Each attempt has its own folder, because a process of a killed service may still write for a moment.
    const work = join(workFolder, randomUUID())
    const [site, archive, scratch] = [join(work, 'site'), join(work, 'bundle.tar.gz'), join(work, 'source')]
    const usedFile = join(work, 'used.json')
    const stopping = Promise.withResolvers<null>()
    let stopped = false
    let worker: ExportProcess | null = null

    const exportSite = async (): Promise<ExportEnd> => {
      const source = findSource(domain)
      if (source === null) throw new Error(`There is no site with the domain ${domain} any more`)
      await mkdir(work, { recursive: true, mode: 0o700 })
      const ordered = await Promise.race([sources.order(source, pin, join(scratch, 'mirror')), stopping.promise])
      if (ordered !== null) await Promise.race([pages.fetch(domain), stopping.promise])
      if (ordered === null || stopped) return { kind: 'stopped' }
      const { pauseMs = 0, failWith = null } = exportSentinel(domain) ?? {}
      const order = { jobId, domain, version, paths, source: ordered, scratch, site, archive }
      const settings = { hiddenPages: withHiddenPages.has(domain), fetch, cache: cacheFolder, usedFile }
      worker = startExport({ ...order, ...settings, pauseMs, failWith }, limits, onProgress)
      const end = await worker.ended
      if (end.kind !== 'completed') return end
      if (!(await storeBundle())) return { kind: 'stopped' }
      // Otherwise a partial export would replace the pages of the whole site.
      if (paths === null) await pages.store(domain, usedFile)
      return end
    }
    /** False when the export was stopped meanwhile. An export is completed only once its bundle can be downloaded everywhere. */
    const storeBundle = async (): Promise<boolean> => {
      const until = performance.now() + storeMs
      for (let pauseMs = storePauses.firstMs; !stopped; pauseMs = Math.min(pauseMs * 2, storePauses.maxMs))
        try {
          await Promise.race([bundles.put(jobId, archive), stopping.promise])
          return !stopped
        } catch (error) {
          if (!(error instanceof StorageFailed)) throw error
          if (performance.now() + pauseMs > until) throw new Error(explainStoreFailure(error), { cause: error })
          log.warn({ jobId, err: error }, 'a bundle waits for its store')
          await Promise.race([sleep(pauseMs, undefined, { ref: false }), stopping.promise])
        }
      return false
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

const explainStoreFailure = ({ message }: StorageFailed) =>
  `The export is finished, but its bundle could not be stored. ${message} Start the export again once the store works`
