import { randomUUID } from 'node:crypto'
import type { ChangeCounts } from '@docket/api-types/artifacts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { artifactsByExport } from '#bundles/artifacts/artifacts.rows.ts'
import { artifactService } from '#bundles/artifacts.service.ts'
import { siteArtifacts } from '#bundles/site-artifacts.ts'
import { explainSite } from '#bundles/artifacts/explain-store.ts'
import { comparisonKeeper } from '#bundles/comparison/comparison-keeper.ts'
import { comparisonService } from '#bundles/comparison/comparisons.service.ts'
import { artifactFinder } from '#bundles/artifacts/find-artifact.ts'
import { gateFacts } from '#bundles/artifacts/gate-facts.ts'
import { findingCounter } from '#bundles/check/finding-counter.ts'
import { findingService } from '#bundles/check/findings.service.ts'
import { hostConfigurationService } from '#bundles/host-configuration/host-configuration.service.ts'
import { storeDecider } from '#bundles/store/decide-on-store.ts'
import { storeStock } from '#bundles/store/store-stock.ts'
import { artifactCleanUp } from '#bundles/retention/clean-up.ts'
import { bundleRemover } from '#bundles/store/remove-bundles.ts'
import { copyFinder } from '#bundles/store/find-copy.ts'
import { artifactRetention } from '#bundles/retention/retention.ts'
import type { AnalyseBundle } from '#bundles/storing/store-bundle.ts'
import { type SharedStore, sharedStore } from '#bundles/store/shared-store.ts'
import { stagingFolders } from '#bundles/storing/staging.ts'
import { bundleKeeper } from '#bundles/storing/store-bundle.ts'
import { storageReporter } from '#bundles/retention/storage-report.ts'
import { bundleUpload } from '#bundles/storing/upload-bundle.ts'
import { storingWork } from '#bundles/storing/storing-work.ts'
import { bundleAddresses } from '#bundles/download/addresses/bundle-addresses.ts'
import type { ArtifactSettings } from '#ground/config/artifacts.ts'
import type { Ground } from '#ground/ground.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { everything } from '#ground/http/access/token-scope.ts'

import { bundleService, type UseBundle } from '#bundles/download/bundles.service.ts'
import { downloadRights } from '#bundles/download/download-rights.ts'
import { bundleFetch } from '#bundles/download/storage/bundle-fetch.ts'
import { storedBundles } from '#bundles/download/stored-bundles.ts'
import type { Records } from '#records/records.ts'
import { exportsForArtifacts, uploadPlace } from '#records/static-exports/static-exports.artifacts.ts'
import type { Connections } from '#service/service.ts'

/** What stored bundles need from the process. */
export type BundleNeeds = {
  settings: ArtifactSettings
  storage: ObjectStorage
  /** Folder for bundles on their way into the store. */
  stagingFolder: string
  openSite: (storage: ObjectStorage, sha256: string) => StoredSite
  analyse: AnalyseBundle
  /** Replaces the comparison of two stored sites, in tests whose bundles are no sites. */
  countChanges?: (earlier: StoredSite, later: StoredSite, signal: AbortSignal) => Promise<ChangeCounts>
  /** File of a bundle that the embedded service keeps on this machine. Null for any other job. */
  findFile: (jobId: string) => Promise<string | null>
  /** Replaces the time for which an upload waits to be stored. Milliseconds. */
  uploadAnswerMs?: number
}

/** Names of the queues: bundles to store, and bundles in the store to adopt. */
const queue = 'docket-bundles'
const adoptionQueue = 'docket-adoption'
/** Bundles that one process asks for at a time. */
const maxAsked = 20

/** The store that all processes share, and what it has of exports. Their area shows that, so it opens first. */
export const openStore = (
  { db, log }: Pick<Ground, 'db' | 'log'>,
  { storage, settings, alone }: Pick<BundleNeeds, 'storage' | 'settings'> & { alone: boolean },
) => {
  const processId = randomUUID()
  const shared = sharedStore({ db, storage, settings, alone, processId, log })
  return { processId, shared, readByExport: artifactsByExport(db, { perSite: settings.perSite, view: shared.view }) }
}

/** Stored bundles. Nothing is stored before the ticks begin. */
export const openBundles = (
  ground: Ground,
  deps: BundleNeeds & {
    store: { processId: string; shared: SharedStore }
    registry: Pick<Connections, 'addPart' | 'isEmbedded' | 'choose'>
    staticExports: Pick<
      Records['staticExports'],
      'ensureInScope' | 'findConnection' | 'findBundle' | 'recordBundle' | 'recordDownload'
    >
    bundleDelivery: 'stream' | 'redirect'
    /** False while the disk of the store, or that of bundles on their way there, is nearly full. */
    hasRoom: () => boolean
    /** No other process uses the database. */
    alone: boolean
  },
) => {
  const { db, now, log, events, work, ticks } = ground
  const { settings, storage, findFile, registry, staticExports, hasRoom, bundleDelivery } = deps
  const { processId, shared } = deps.store
  const exports = exportsForArtifacts(ground)
  const remote = registry.addPart(({ row, adminApi, limits }) => {
    const here = bundleService({
      records: staticExports,
      adminApi: {
        generateBundle: (jobId) =>
          limits.limiters.static_exports.call(() => adminApi.generateBundle(jobId), 'generateBundle'),
      },
      fetch: bundleFetch({ adminOrigin: adminApi.origin, hosts: row.bundleHosts }),
      delivery: bundleDelivery,
      now,
    })
    return { here, close: here.close }
  })
  const readWhole = async <Result>(exportId: string, signal: AbortSignal, use: UseBundle<Result>): Promise<Result> =>
    remote.open(await staticExports.findConnection(exportId)).readWhole(exportId, signal, use)
  const openSite = (sha256: string) => deps.openSite(storage, sha256)
  const openForReaders = (sha256: string) => explainSite(openSite(sha256))
  const staging = stagingFolders({ folder: deps.stagingFolder, processId })
  const remover = bundleRemover({ db, storage, log })
  const comparing = comparisonKeeper({ storage, openFolder: staging.open, log })
  const countChanges = deps.countChanges ?? comparing.countChanges
  const counter = findingCounter({ db, openSite, view: shared.view, exports, log })
  const stock = storeStock({ ...ground, storage, exports, openSite })
  const keeper = bundleKeeper({
    ...deps,
    ...ground,
    exports,
    processId,
    openSite,
    remover,
    stock,
    counter,
    countChanges,
  })
  const stopping = new AbortController()
  const { maxBytes } = settings
  const storing = storingWork({
    ...deps,
    ...ground,
    exports,
    keeper,
    shared,
    staging,
    maxBytes,
    sources: {
      readWhole,
      findFile: async (connectionId, jobId) => (registry.isEmbedded(connectionId) ? findFile(jobId) : null),
    },
  })
  const adoptAll = async (signal: AbortSignal) => {
    const { name, problem } = await shared.view()
    if (problem === 'not_shared' || (problem === 'off' && name === null)) return
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer.')
    await stock.adoptAll(name, signal)
  }
  const waiting = work.addWaiting({ name: queue, run: storing.run }, () => storing.listWaiting(maxAsked))
  const adoption = work.addWaiting({ name: adoptionQueue, run: (_, signal) => adoptAll(signal) }, async () => ['store'])
  ticks.add(10, async () => {
    await shared.tick()
    await (hasRoom() ? waiting.request() : storing.postpone())
  })
  const requestAdoption = adoption.request
  const retention = artifactRetention({ db, events, exports, counter, now, ...settings })
  const cleanUp = artifactCleanUp({ db, storage, shared, staging, remover, stock, requestAdoption, retention, log })
  work.add(
    { name: 'old-artifacts', cron: '23 * * * *', run: cleanUp.run },
    { name: 'unused-bundles', cron: '*/10 * * * *', run: cleanUp.sweep },
  )

  const finder = artifactFinder({ db, exports, openSite: openForReaders, view: shared.view })
  const { find } = finder
  const { ensureInScope } = staticExports
  const comparisons = comparisonService({ db, find, ...comparing, exports, ensureInScope })
  const copies = copyFinder({ db, storage, openSite: openForReaders, view: shared.view })
  const service = artifactService({ ...ground, exports, counter, shared, wake: waiting.wake })
  events.on('export.completed', service.onCompleted)
  return {
    bundles: storedBundles({
      findStored: copies.ofExport,
      findRight: downloadRights({ db, now }),
      records: staticExports,
      connections: remote,
    }),
    artifacts: {
      /** Stored artifacts as sites and their channels need them. */
      ofSites: siteArtifacts({
        db,
        view: shared.view,
        counter,
        exports,
        log,
        compare: (exportId) => comparisons.compare(exportId, { skip: 0, limit: 1 }, everything),
      }),
      gateFacts: {
        facts: gateFacts({ db, openSite: openForReaders }),
        countChanges: comparing.countKnown(openSite),
      },
      openSite,
      finder,
      /** Addresses of bundles for programs. */
      addresses: bundleAddresses({ db, findBundle: copies.bySum, now }),
      recount: counter.recount,
      findings: findingService({ db, find, counter, exports, readChanges: comparisons.readChanges, now }),
      comparisons,
      hostConfiguration: hostConfigurationService({ find }),
      service,
      upload: bundleUpload({
        db,
        exports,
        keeper,
        storing,
        shared,
        staging,
        maxBytes,
        hasRoom,
        now,
        place: uploadPlace(registry),
        answerMs: deps.uploadAnswerMs ?? 30_000,
        stopping: stopping.signal,
      }),
      storage: storageReporter({
        db,
        storage,
        kind: settings.store.kind,
        alone: deps.alone,
        view: shared.view,
        retention: settings,
        now,
      }),
      decideOnStore: storeDecider({ db, view: shared.view, requestAdoption }),
      /** Looks for bundles in the store that the database misses, soon and in one of the processes. */
      requestAdoption,
      /** Says that this process ends. */
      stop: async () => {
        stopping.abort()
        comparing.stop()
        // Others see it end anyway, once it no longer says that it runs.
        await shared
          .leave()
          .catch((error: unknown) => log.debug({ err: error }, 'this process did not say that it ends'))
      },
    },
  }
}

export type Bundles = ReturnType<typeof openBundles>
