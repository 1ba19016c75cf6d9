import { randomUUID } from 'node:crypto'
import type { ChangeCounts } from '@docket/api-types/artifacts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { artifactsByExport } from '#bundles/artifacts/artifacts.rows.ts'
import { artifactService } from '#bundles/artifacts.service.ts'
import { siteArtifacts } from '#bundles/site-artifacts.ts'
import { explainSite } from '#bundles/artifacts/explain-store.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
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
import { sharedStore } from '#bundles/store/shared-store.ts'
import { stagingFolders } from '#bundles/storing/staging.ts'
import { bundleKeeper } from '#bundles/storing/store-bundle.ts'
import { storageReporter } from '#bundles/retention/storage-report.ts'
import { bundleUpload, type PlaceUpload } from '#bundles/storing/upload-bundle.ts'
import { type BundleSources, storingWork } from '#bundles/storing/storing-work.ts'
import { bundleAddresses } from '#bundles/download/addresses/bundle-addresses.ts'
import type { RecordWork } from '#ground/background/background.ts'
import type { ArtifactSettings } from '#ground/config/artifacts.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { everything, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Log } from '#ground/log/log.ts'

/** What stored bundles need from the process. */
export type ArtifactDependencies = {
  settings: Omit<ArtifactSettings, 'folder'>
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
const soonMs = 200

/** Everything about stored bundles. Nothing is stored before `tick` is called. */
export const artifactServices = (
  deps: ArtifactDependencies & {
    db: Database
    exports: ExportRecords
    sources: Pick<BundleSources, 'readWhole'>
    /** Decides where an uploaded bundle belongs. */
    uploads: PlaceUpload
    /** Rejects with `not_found` for an export outside a scope. */
    ensureInScope: (exportId: string, scope: TokenScope) => Promise<unknown>
    /** Ends the previews of an export, in the transaction that deletes its copy. */
    endPreviews: (tx: Tx, exportId: string) => Promise<void>
    /** Called after the bundle of an export was stored or deleted. Never rejects. */
    onChanged: (exportId: string) => Promise<void>
    /** True for the connection of the embedded service. */
    isEmbedded: (connectionId: string) => boolean
    /** False while the disk of the store, or that of bundles on their way there, is nearly full. */
    hasRoom: () => boolean
    /** Asks for work on a record in a queue. */
    request: (queue: string, key: string) => Promise<void>
    /** No other process uses the database. */
    alone: boolean
    now: () => number
    log: Log
  },
) => {
  const { db, exports, settings, storage, now, log, isEmbedded, findFile } = deps
  const processId = randomUUID()
  const openSite = (sha256: string) => deps.openSite(storage, sha256)
  const openForReaders = (sha256: string) => explainSite(openSite(sha256))
  const shared = sharedStore({ ...deps, processId })
  const staging = stagingFolders({ folder: deps.stagingFolder, processId })
  const remover = bundleRemover({ db, storage, log })
  const comparing = comparisonKeeper({ storage, openFolder: staging.open, log })
  const countChanges = deps.countChanges ?? comparing.countChanges
  const counter = findingCounter({ db, openSite, view: shared.view, exports, log })
  const stock = storeStock({ ...deps, openSite })
  const requestAdoption = () => deps.request(adoptionQueue, 'store')
  const keeper = bundleKeeper({ ...deps, processId, openSite, remover, stock, counter, countChanges })
  const stopping = new AbortController()
  const { maxBytes } = settings
  const storing = storingWork({
    ...deps,
    keeper,
    shared,
    staging,
    maxBytes,
    sources: {
      readWhole: deps.sources.readWhole,
      findFile: async (connectionId, jobId) => (isEmbedded(connectionId) ? findFile(jobId) : null),
    },
  })
  const retention = artifactRetention({ db, exports, counter, now, ...settings })
  const cleanUp = artifactCleanUp({ db, storage, shared, staging, remover, stock, requestAdoption, retention, log })

  const finder = artifactFinder({ db, exports, openSite: openForReaders, view: shared.view })
  const { find } = finder
  const comparisons = comparisonService({ db, find, ...comparing, exports, ensureInScope: deps.ensureInScope })

  const copies = copyFinder({ db, storage, openSite: openForReaders, view: shared.view })

  const requestWaiting = async () => {
    if (!deps.hasRoom()) return storing.postpone()
    for (const exportId of await storing.listWaiting(maxAsked)) await deps.request(queue, exportId)
  }
  // The transaction that asks for the work has yet to commit.
  const wake = () => {
    setTimeout(() => {
      requestWaiting().catch((error: unknown) => log.debug({ err: error }, 'bundles wait for the next look'))
    }, soonMs).unref()
  }
  const adoptAll = async (signal: AbortSignal) => {
    const { name, problem } = await shared.view()
    if (problem === 'not_shared' || (problem === 'off' && name === null)) return
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer.')
    await stock.adoptAll(name, signal)
  }
  const ofSites = siteArtifacts({
    db,
    view: shared.view,
    counter,
    exports,
    log,
    compare: (exportId) => comparisons.compare(exportId, { skip: 0, limit: 1 }, everything),
  })
  return {
    /** Stored artifacts as sites and their channels need them. */
    ofSites,
    gateFacts: {
      facts: gateFacts({ db, openSite: openForReaders }),
      countChanges: comparing.countKnown(openSite),
    },
    readByExport: artifactsByExport(db, { perSite: settings.perSite, view: shared.view }),
    openSite,
    finder,
    findCopy: copies.ofExport,
    /** Addresses of bundles for programs. */
    addresses: bundleAddresses({ db, findBundle: copies.bySum, now }),
    recount: counter.recount,
    findings: findingService({ db, find, counter, exports, readChanges: comparisons.readChanges, now }),
    comparisons,
    hostConfiguration: hostConfigurationService({ find }),
    service: artifactService({
      db,
      exports,
      counter,
      endPreviews: deps.endPreviews,
      shared,
      onChanged: deps.onChanged,
      wake,
      now,
    }),
    upload: bundleUpload({
      db,
      exports,
      keeper,
      storing,
      shared,
      staging,
      maxBytes,
      hasRoom: deps.hasRoom,
      now,
      place: deps.uploads,
      answerMs: deps.uploadAnswerMs ?? 30_000,
      stopping: stopping.signal,
    }),
    storage: storageReporter({
      db,
      storage,
      kind: settings.s3 === null ? 'local' : 's3',
      alone: deps.alone,
      view: shared.view,
      retention: settings,
      now,
    }),
    /** Work that recurs without a request. */
    works: [
      { name: 'old-artifacts', cron: '23 * * * *', run: cleanUp.run },
      { name: 'unused-bundles', cron: '*/10 * * * *', run: cleanUp.sweep },
    ],
    records: [
      { name: queue, run: storing.run },
      { name: adoptionQueue, run: (_, signal) => adoptAll(signal) },
    ] satisfies RecordWork[],
    decideOnStore: storeDecider({ db, view: shared.view, requestAdoption }),
    /** Looks for bundles in the store that the database misses, soon and in one of the processes. */
    requestAdoption,
    /** Called every few seconds. */
    tick: async () => {
      await shared.tick()
      await requestWaiting()
    },
    /** Says that this process ends. */
    stop: async () => {
      stopping.abort()
      comparing.stop()
      // Others see it end anyway, once it no longer says that it runs.
      await shared.leave().catch((error: unknown) => log.debug({ err: error }, 'this process did not say that it ends'))
    },
  }
}

export type ArtifactServices = ReturnType<typeof artifactServices>
