import { resolve } from 'node:path'
import { openBundles } from '#bundles/open-bundles.ts'
import { jsonFolder } from '#files/json-folder.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import type { Log } from '#log.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import { startExportProcess } from '#static-exports/export-process.ts'
import { exportQueue } from '#static-exports/export-queue.ts'
import { staticExportRoutes } from '#static-exports/static-exports.routes.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** What both halves of the service get besides the options. `origin` is known once the server listens. */
export type Surroundings = { place: (...names: string[]) => string; origin: () => string; now: () => Date; log: Log }

/** The static export half: its queue, and the two apps in front of it. Exports that were interrupted go on at once. */
export const openExports = async (options: LocalAdminApiOptions, around: Surroundings) => {
  const { place, now, log } = around
  const { sites, strict = false, exports = {} } = options
  const siteOf = (jobId: string) => place('static-exports', 'sites', jobId)
  const sourceOf = (domain: string) => {
    const [first] = Object.values(sites)
    const folder = Object.hasOwn(sites, domain) ? sites[domain] : exportSentinel(domain) && first
    return folder ? resolve(folder) : null
  }
  const { bundles, routes: storage, close: closeBundles } = await openBundles(options, around)
  const limits = {
    memoryMb: exports.memoryMb ?? 512,
    silenceMs: exports.silenceMs ?? 60_000,
    ...(exports.workerProgram !== undefined && { program: exports.workerProgram }),
  }
  const jobs = jsonFolder<ExportJob>(place('static-exports', 'jobs'))
  const queue = await exportQueue({
    jobs,
    now,
    log,
    run: ({ jobId, domain, version, paths }, onProgress) => {
      const { pauseMs = 0, failWith = null } = exportSentinel(domain) ?? {}
      const [site, archive] = [siteOf(jobId), bundles.archiveOf(jobId)]
      const source = sourceOf(domain) ?? ''
      return startExportProcess(
        { jobId, domain, version, paths, source, site, archive, pauseMs, failWith },
        limits,
        onProgress,
      )
    },
  })
  return {
    staticExports: staticExportRoutes({ queue, bundles, sourceOf, siteOf, now, strict }),
    storage,
    close: async () => {
      await queue.close()
      closeBundles()
    },
  }
}
