import { join } from 'node:path'
import { openBundles } from '#bundles/open-bundles.ts'
import { jsonFolder } from '#files/json-folder.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import type { Log } from '#log.ts'
import { parseSource } from '#sources/site-source.ts'
import { siteSources } from '#sources/site-sources.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import { exportQueue } from '#static-exports/export-queue.ts'
import { exportRunner } from '#static-exports/run-export.ts'
import { staticExportRoutes } from '#static-exports/static-exports.routes.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** What both halves of the service get besides the options. `origin` is known once the server listens. */
export type Surroundings = { place: (...names: string[]) => string; origin: () => string; now: () => Date; log: Log }

/** The static export half: its queue, and the two apps in front of it. Exports that were interrupted go on at once. */
export const openExports = async (options: LocalAdminApiOptions, around: Surroundings) => {
  const { place, now, log } = around
  const { strict = false, deploymentKind = 'cloud', exports = {} } = options
  const configured = new Map(Object.entries(options.sites).map(([domain, text]) => [domain, parseSource(text)]))
  const [first = null] = configured.values()
  const sourceOf = (domain: string) => configured.get(domain) ?? (exportSentinel(domain) && first)
  const siteOf = (jobId: string) => place('static-exports', 'sites', jobId)
  const sources = siteSources(place('repositories'), options.mirror?.privateNetworks ?? [])
  const { bundles, routes: storage, close: closeBundles } = await openBundles(options, around)
  const limits = {
    memoryMb: exports.memoryMb ?? 512,
    silenceMs: exports.silenceMs ?? 60_000,
    ...(exports.workerProgram !== undefined && { program: exports.workerProgram }),
  }
  const jobs = jsonFolder<ExportJob>(place('static-exports', 'jobs'))
  const run = exportRunner({
    sourceOf,
    sources,
    deploymentKind,
    limits,
    placesOf: (jobId) => ({
      site: siteOf(jobId),
      archive: bundles.archiveOf(jobId),
      scratch: join(place('static-exports', 'scratch'), jobId),
    }),
  })
  const queue = await exportQueue({ jobs, now, log, run })
  return {
    staticExports: staticExportRoutes({ queue, bundles, sourceOf, sources, siteOf, now, strict }),
    storage,
    close: async () => {
      await queue.close()
      await sources.close()
      closeBundles()
    },
  }
}
