import { mergedSource } from '@docket/code-hosts/embedded/folder/merged-source'
import type { Repositories } from '@docket/code-hosts/embedded/repositories'
import { parseSource } from '@docket/sources/site-source'
import { siteSources } from '@docket/sources/site-sources'
import { openBundles } from '#bundles/bundle-store.ts'
import { jsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { parseExportJob } from '#static-exports/export-job.ts'
import { exportQueue } from '#static-exports/export-queue.ts'
import { exportRecords, shownProgress } from '#static-exports/export-records.ts'
import { clearWork, retention } from '#static-exports/retention.ts'
import { exportRunner } from '#static-exports/run-export.ts'
import { exportStarter } from '#static-exports/start-export.ts'
import { staticExportRoutes } from '#static-exports/static-exports.routes.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** Dependencies of both halves of the service. `origin` is known once the server listens. */
export type Surroundings = { place: (...names: string[]) => string; origin: () => string; now: () => Date; log: Log }

/**
 * Opens the static exports of the service: their queue and its two apps. Resumes interrupted exports at once. `repositories`: those of the
 * folders that sites may share with projects.
 */
export const openExports = async (
  options: LocalAdminApiOptions,
  around: Surroundings & { repositories: Repositories },
) => {
  const { place, now, log, repositories } = around
  const { strict = false, exports = {}, hasRoom = () => true } = options
  const configured = new Map(Object.entries(options.sites).map(([domain, text]) => [domain, parseSource(text)]))
  const [first = null] = configured.values()
  const findSource = (domain: string) => configured.get(domain) ?? (exportSentinel(domain) && first)
  const sources = siteSources(place('repositories'), options.mirror?.privateNetworks ?? [])
  const { bundles, routes: storage, close: closeBundles } = await openBundles(options, around)
  const limits = {
    memoryMb: exports.memoryMb ?? 512,
    silenceMs: exports.silenceMs ?? 60_000,
    ...(exports.workerProgram !== undefined && { program: exports.workerProgram }),
  }
  const withHiddenPages = new Set(exports.withHiddenPages)
  const fetch = { hosts: exports.fetchHosts ?? [], privateNetworks: options.mirror?.privateNetworks ?? [] }
  const workFolder = place('static-exports', 'work')
  const cacheFolder = place('static-exports', 'page-cache')
  await clearWork(workFolder, log)
  const jobs = jsonFolder(place('static-exports', 'jobs'), { parse: parseExportJob, log })
  const shownProgressFiles = shownProgress(place('static-exports', 'shown'))
  const records = await exportRecords({ jobs, shownProgressFiles, now, log })
  const exportRetention = retention({ records, bundles, sources, keepDays: exports.keepDays ?? 90, now, log })
  const queue = await exportQueue({
    records,
    run: exportRunner({ findSource, sources, bundles, withHiddenPages, fetch, limits, workFolder, cacheFolder, log }),
    removeBundle: bundles.remove,
    atOnce: exports.atOnce ?? 1,
    queueLength: exports.queueLength ?? 50,
    now,
    log,
  })
  const refused = new Set(exports.refused)
  const findMergedSource = async (domain: string) => {
    const source = findSource(domain)
    if (source === null) return null
    return mergedSource(source, repositories).catch((error: unknown) => {
      log.warn({ domain, err: error }, 'the repository of a site could not be read, so its folder is exported')
      return source
    })
  }
  const startExport = exportStarter({ queue, findSource: findMergedSource, sources, refused, workFolder, hasRoom, log })
  return {
    staticExports: staticExportRoutes({
      startExport,
      queue,
      records,
      bundles,
      retention: exportRetention,
      now,
      strict,
    }),
    storage,
    findBundle: bundles.findFile,
    close: async () => {
      exportRetention.close()
      await queue.close()
      await sources.close()
      closeBundles()
    },
  }
}
