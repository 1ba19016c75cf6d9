import { mergedSource } from '@docket/code-hosts/embedded/sync-origin'
import type { Repositories } from '@docket/code-hosts/embedded/repositories'
import { parseSource } from '@docket/sources/site-source'
import { computeExporterDigest } from '@docket/site-exporter/writer/cache/exporter-digest'
import { createSiteSources } from '@docket/sources/site-sources'
import type { Database } from '#database/database.ts'
import type { Queues } from '#database/queues.ts'
import { openBundles } from '#bundles/open-bundles.ts'
import type { Log } from '#log.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import type { StartExport } from '#static-exports/export-process.ts'
import { createExportQueue } from '#static-exports/export-queue.ts'
import { createExportStore } from '#static-exports/export-store.ts'
import { importExports } from '#static-exports/import-exports.ts'
import { clearWork, createRetention } from '#static-exports/retention.ts'
import { createExportRunner } from '#static-exports/run-export.ts'
import { createSharedPages } from '#static-exports/shared-pages.ts'
import { createExportStarter } from '#static-exports/start-export.ts'
import { createStaticExportRoutes } from '#static-exports/static-exports.routes.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** `origin` is known once the server listens. */
export type Surroundings = {
  place: (...names: string[]) => string
  origin: () => string
  db: Database
  /** Set once the queues are open. */
  queues: () => Queues
  now: () => Date
  log: Log
}

/** `startExport` is another way to run an export, for tests only. */
export type ServiceOptions = LocalAdminApiOptions & { startExport?: StartExport }

/** Resumes interrupted exports at once. `repositories`: those of folders that sites may share with projects. */
export const openExports = async (
  options: ServiceOptions,
  around: Surroundings & { repositories: () => Repositories; otherProcessesExport: () => Promise<boolean> },
) => {
  const { place, now, log, repositories, otherProcessesExport } = around
  const { strict = false, exports = {}, hasRoom = () => true } = options
  const configured = new Map(Object.entries(options.sites).map(([domain, text]) => [domain, parseSource(text)]))
  const [first = null] = configured.values()
  const findSource = (domain: string) => configured.get(domain) ?? (exportSentinel(domain) && first)
  const sources = createSiteSources(place('repositories'), options.mirror?.privateNetworks ?? [])
  const { bundles, shared, marker, routes: storage, close: closeBundles } = await openBundles(options, around)
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
  await importExports(around.db, place('static-exports'), log)
  const store = createExportStore(around.db, now)
  const atOnce = exports.atOnce ?? 1
  const exporter = computeExporterDigest()
  const pages = createSharedPages({ shared, folder: cacheFolder, workFolder, exporter, now, log })
  const exportRetention = createRetention({
    store,
    bundles,
    sources,
    pages,
    keepDays: exports.keepDays ?? 90,
    now,
    log,
  })
  const queue = createExportQueue({
    store,
    queues: around.queues,
    exporter,
    run: createExportRunner({
      findSource,
      sources,
      bundles,
      withHiddenPages,
      fetch,
      limits,
      startExport: options.startExport,
      storeMs: exports.storeMs ?? 10 * 60_000,
      workFolder,
      cacheFolder,
      pages,
      log,
    }),
    removeBundle: bundles.remove,
    workers: atOnce,
    perSite: exports.perSite ?? Math.max(1, atOnce),
    places: atOnce + (exports.queueLength ?? 50),
    log,
  })
  const refused = new Set(exports.refused)
  const findMergedSource = async (domain: string) => {
    const source = findSource(domain)
    if (source === null) return null
    const merged = await mergedSource(source, repositories()).catch((error: unknown) => {
      log.warn({ domain, err: error }, 'the repository of a site could not be read, so its folder is exported')
      return source
    })
    // Its repository is on this machine only.
    return merged !== source && (await otherProcessesExport()) ? source : merged
  }
  const startExport = createExportStarter({
    queue,
    findSource: findMergedSource,
    sources,
    refused,
    workFolder,
    hasRoom,
    log,
  })
  return {
    staticExports: createStaticExportRoutes({
      startExport,
      queue,
      store,
      bundles,
      retention: exportRetention,
      now,
      strict,
    }),
    storage,
    findBundle: bundles.findFile,
    queues: queue.queues,
    atOnce,
    exporter,
    store: marker,
    /** Resumes work that other processes left, and cleans up, once this process belongs to the service. */
    resume: async () => {
      void bundles.moveOld(async (jobId) => (await store.find(jobId)) !== null)
      exportRetention.start()
      if (options.alone) await store.releaseAll()
      await queue.sweep()
    },
    /** Call it after closing the queues. */
    close: async () => {
      exportRetention.close()
      queue.close()
      await sources.close()
      await pages.close()
      closeBundles()
    },
  }
}
