import { rm } from 'node:fs/promises'
import type { SiteSource } from '#sources/site-source.ts'
import type { SiteSources } from '#sources/site-sources.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import {
  startExportProcess,
  type ExportEnd,
  type ExportProcess,
  type WorkerLimits,
} from '#static-exports/export-process.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'
import type { DeploymentKind } from '#static-exports/worker-messages.ts'

/** Where a job writes. */
export type ExportPlaces = { site: string; archive: string; scratch: string }

/** What it takes to run exports. `sourceOf` gives null for a domain that is not served (any more). */
export type ExportRunnerDeps = {
  sourceOf: (domain: string) => SiteSource | null
  sources: SiteSources
  deploymentKind: DeploymentKind
  limits: WorkerLimits
  placesOf: (jobId: string) => ExportPlaces
}

/** Starts one attempt of an export: gets its source, runs the worker process, removes what was only needed for that. */
export type RunExport = (job: ExportJob, onProgress: (progress: number, pageCount: number) => void) => ExportProcess

/** Runs exports in processes of their own. */
export const exportRunner =
  ({ sourceOf, sources, deploymentKind, limits, placesOf }: ExportRunnerDeps): RunExport =>
  (job, onProgress) => {
    const { jobId, domain, version, paths, pin } = job
    const places = placesOf(jobId)
    const stopping = Promise.withResolvers<ExportEnd>()
    let worker: ExportProcess | null = null

    const work = async (): Promise<ExportEnd> => {
      const source = sourceOf(domain)
      if (source === null) throw new Error(`There is no site with the domain ${domain} any more`)
      const ordered = await sources.order(source, pin, places.scratch)
      const { pauseMs = 0, failWith = null } = exportSentinel(domain) ?? {}
      const order = { jobId, domain, version, paths, source: ordered, ...places, deploymentKind, pauseMs, failWith }
      worker = startExportProcess(order, limits, onProgress)
      return worker.ended
    }
    const attempt = async (): Promise<ExportEnd> => {
      try {
        return await Promise.race([work(), stopping.promise])
      } catch (error) {
        return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
      } finally {
        await rm(places.scratch, { recursive: true, force: true }).catch(() => {})
      }
    }
    return {
      ended: attempt(),
      stop: () => {
        if (worker) worker.stop()
        else stopping.resolve({ kind: 'stopped' })
      },
    }
  }
