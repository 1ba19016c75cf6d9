import { randomUUID } from 'node:crypto'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { inTurnPerKey } from '@docket/once'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { createArtifactReader } from '#bundles/artifacts/artifacts.rows.ts'
import { findArtifact, findCopy, findRefusal } from '#bundles/artifacts/find-artifact.ts'
import { explainSiteFailures } from '#bundles/artifacts/store-failures.ts'
import { createBundleReports } from '#bundles/check/bundle-report.ts'
import { createFindingCounter } from '#bundles/check/finding-counter.ts'
import { createComparisonKeeper } from '#bundles/comparison/comparison-keeper.ts'
import { createBundleService } from '#bundles/download/bundles.service.ts'
import { findDownloadRight } from '#bundles/download/download-rights.ts'
import { createBundleFetch } from '#bundles/download/storage/bundle-fetch.ts'
import type { DownloadCtx } from '#bundles/download/stored-bundles.ts'
import { cleanUpStore, removeUnused, intendCopy } from '#bundles/retention/retention.ts'
import { openPictures } from '#bundles/pictures/pictures.ts'
import type { TakePicture } from '#bundles/pictures/take-picture.ts'
import { createSiteArtifacts } from '#bundles/site-artifacts.ts'
import { type SharedStore, openSharedStore, createHealthReader } from '#bundles/shared-store/shared-store.ts'
import { adoptAll } from '#bundles/shared-store/stock.ts'
import { createStagingFolders } from '#bundles/storing/staging.ts'
import { listWaiting, postponeStoring, storeWaiting } from '#bundles/storing/storing-work.ts'
import { createBundleUpload } from '#bundles/storing/upload-bundle.ts'
import type { ArtifactSettings } from '#ground/config/stores.ts'
import type { Ground } from '#ground/ground.ts'
import { ensureExportInScope } from '#records/static-exports/read-exports.ts'
import {
  exportsForArtifacts,
  findBundle,
  recordBundle,
  recordDownload,
  createUploadConnectionChooser,
} from '#records/static-exports/static-exports.artifacts.ts'
import { findExportConnection } from '#records/static-exports/static-exports.rows.ts'
import type { Connections } from '#service/service.ts'
import type { AnalyseBundle, BundlesCtx, MakePortable, StoringCtx } from './bundles-ctx.ts'

export type BundleNeeds = {
  settings: ArtifactSettings
  storage: ObjectStorage
  stagingFolder: string
  openSite: (storage: ObjectStorage, sha256: string) => StoredSite
  analyse: AnalyseBundle
  makePortable: MakePortable
  /** Takes pictures of first pages. None are taken without it. */
  takePicture?: TakePicture
  /** Replaces the comparison of two stored sites, in tests whose bundles are no sites. */
  countChanges?: StoringCtx['countChanges']
  /** File of a bundle that the embedded service keeps on this machine. Null for any other job. */
  findFile: (jobId: string) => Promise<string | null>
  /** Replaces the time for which an upload request waits until its bundle is stored. Milliseconds. */
  uploadAnswerMs?: number
}

const queue = 'docket-bundles'
const adoptionQueue = 'docket-adoption'
const maxAsked = 20

/** The store that all processes share, and its artifacts of exports. The area of exports shows these, so this area opens first. */
export const openStore = (
  { db, log }: Pick<Ground, 'db' | 'log'>,
  { storage, settings, alone }: Pick<BundleNeeds, 'storage' | 'settings'> & { alone: boolean },
) => {
  const processId = randomUUID()
  const shared = openSharedStore({ db, storage, settings, alone, processId, log })
  return { processId, shared, readByExport: createArtifactReader(db, { perSite: settings.perSite, view: shared.view }) }
}

/** Stored bundles. Nothing is stored before the ticks begin. */
export const openBundles = (
  ground: Ground,
  deps: BundleNeeds & {
    store: { processId: string; shared: SharedStore }
    registry: Pick<Connections, 'addPart' | 'isEmbedded' | 'choose'>
    bundleDelivery: 'stream' | 'redirect'
    /** False while the disk of the store, or that of bundles on their way there, is nearly full. */
    hasRoom: () => boolean
    /** No other process uses the database. */
    alone: boolean
  },
) => {
  const { db, now, log, events, work, ticks } = ground
  const { storage, registry, hasRoom, bundleDelivery: delivery } = deps
  const { processId, shared } = deps.store
  const { view } = shared
  const exports = exportsForArtifacts(ground)
  const records: DownloadCtx['records'] = {
    findConnection: (exportId) => findExportConnection(db, exportId),
    findBundle: (exportId) => findBundle(ground, exportId),
    recordBundle: (...use) => recordBundle(ground, ...use),
    recordDownload: (...download) => recordDownload(ground, ...download),
  }
  const remote = registry.addPart(({ row, adminApi, limits }) => {
    const here = createBundleService({
      records,
      adminApi: {
        generateBundle: (jobId) =>
          limits.limiters.static_exports.call(() => adminApi.generateBundle(jobId), 'generateBundle'),
      },
      fetch: createBundleFetch({ adminOrigin: adminApi.origin, hosts: row.bundleHosts }),
      delivery,
      now,
    })
    return { here, close: here.close }
  })
  const openSite = (sha256: string) => deps.openSite(storage, sha256)
  const staging = createStagingFolders({ folder: deps.stagingFolder, processId })
  const comparing = createComparisonKeeper({ storage, openFolder: staging.open, log })
  const base = { db, now, log, events, exports, storage, processId, openSite, view, staging, comparing, hasRoom }
  const storing: StoringCtx = {
    ...base,
    settings: deps.settings,
    alone: deps.alone,
    counter: createFindingCounter({ db, openSite, view, exports, log }),
    inTurn: inTurnPerKey(),
    analyse: deps.analyse,
    makePortable: deps.makePortable,
    countChanges: deps.countChanges ?? comparing.countChanges,
    readWhole: async (exportId, signal, use) =>
      remote.open(await findExportConnection(db, exportId)).readWhole(exportId, signal, use),
    findFile: async (connectionId, jobId) => (registry.isEmbedded(connectionId) ? deps.findFile(jobId) : null),
    uploading: new Set(),
  }
  const waiting = work.addWaiting(
    { name: queue, run: (exportId, signal) => storeWaiting(storing, exportId, signal) },
    () => listWaiting(storing, maxAsked),
  )
  const adoption = work.addWaiting({ name: adoptionQueue, run: (_, signal) => adoptAll(storing, signal) }, async () => [
    'store',
  ])
  ticks.add(10, async () => {
    await shared.tick()
    await (hasRoom() ? waiting.request() : postponeStoring(storing))
  })
  if (deps.takePicture !== undefined) {
    const { name, run, list } = openPictures(storing, deps.takePicture)
    const pictures = work.addWaiting({ name, run }, list)
    events.on('bundle.stored', async () => pictures.wake())
    ticks.add(10, pictures.request)
  }
  const ctx: BundlesCtx = {
    ...storing,
    ensureInScope: (exportId, scope) => ensureExportInScope(ground, exportId, scope),
    readHealth: createHealthReader(storage),
    wake: waiting.wake,
    requestAdoption: adoption.request,
  }
  work.add(
    { name: 'old-artifacts', cron: '23 * * * *', run: () => cleanUpStore(ctx) },
    { name: 'unused-bundles', cron: '*/10 * * * *', run: () => removeUnused(ctx) },
  )
  events.on('export.completed', (tx, completed) => intendCopy(ctx, tx, completed))
  const stopping = new AbortController()
  return {
    ctx,
    downloads: {
      findStored: (exportId) => findCopy(ctx, exportId),
      findRefusal: (exportId) => findRefusal(ctx, exportId),
      findRight: (identity, sha256) => findDownloadRight(ctx, identity, sha256),
      records,
      connections: remote,
    } satisfies DownloadCtx,
    upload: createBundleUpload(ctx, {
      place: createUploadConnectionChooser(registry),
      answerMs: deps.uploadAnswerMs ?? 30_000,
      stopping: stopping.signal,
    }),
    artifacts: {
      ofSites: createSiteArtifacts(ctx),
      bundleFacts: {
        facts: createBundleReports({ db, openSite: (sha256) => explainSiteFailures(openSite(sha256)) }),
        countChanges: comparing.countKnown(openSite),
      },
      openSite,
      finder: { find: (exportId: string) => findArtifact(ctx, exportId) },
      recount: ctx.counter.recount,
    },
    stop: async () => {
      stopping.abort()
      comparing.stop()
      // If this fails, other processes still notice the end, because this process stops reporting itself.
      await shared.leave().catch((error: unknown) => log.debug({ err: error }, 'this process did not say that it ends'))
    },
  }
}

export type Bundles = ReturnType<typeof openBundles>
