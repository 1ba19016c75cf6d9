import type { ChangeCounts } from '@docket/api-types/artifacts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import type { StoredSite } from '@docket/site-bundle/open-site'
import type { Finding } from '@docket/site-bundle/report'
import { inTurnPerKey } from '@docket/once'
import { isArtifact, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { ArtifactRow } from '#bundles/artifacts/artifacts.state.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import { type FindingCounter, lockSite } from '#bundles/check/finding-counter.ts'
import { findPrevious } from '#bundles/artifacts/find-artifact.ts'
import { eq, sql } from 'drizzle-orm'
import { sites } from '#ground/db/sites.table.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { endWriting, holdBundle } from './bundle-rows.ts'
import type { FetchedBundle } from './fetch-bundle.ts'
import { putBundle } from './put-bundle.ts'
import { giveBack } from '#bundles/store/missing-bundles.ts'
import type { StoreStock } from '#bundles/store/store-stock.ts'
import type { BundleRemover } from '#bundles/store/remove-bundles.ts'
import type { progressReporter } from './report-progress.ts'
import { NotStorable } from './storing-problem.ts'

/** What Docket reads of a bundle, or why it refuses it. */
export type Analysis =
  | {
      outcome: 'read'
      ending: string
      contentBytes: number
      files: number
      pages: number
      /** Null when the check finished; else why not. */
      checkUnfinished: string | null
      findings: Pick<Finding, 'fingerprint' | 'level'>[]
    }
  | { outcome: 'refused'; reason: 'not_an_archive' | 'too_large' | 'refused'; sentence: string }

/** Reads a bundle in a process with limits. Writes `site.zip`, `manifest.json.gz` and `report.json.gz` into `folder`. */
export type AnalyseBundle = (
  options: { file: string; folder: string },
  watch: {
    onProgress: (phase: 'reading' | 'checking', done: number, total: number | null) => void
    /** An attempt that failed by itself. */
    onFailure: (error: Error) => void
  },
  signal: AbortSignal,
) => Promise<Analysis>

/** What storing needs, apart from the bundle. */
export type StoringTools = Ctx & {
  storage: ObjectStorage
  /** Names this process. */
  processId: string
  analyse: AnalyseBundle
  openSite: (sha256: string) => StoredSite
  remover: Pick<BundleRemover, 'abandon'>
  stock: Pick<StoreStock, 'adoptBeforeWriting'>
  counter: Pick<FindingCounter, 'load' | 'prepare' | 'write'>
  /** Counts the pages that differ between two sites. */
  countChanges: (earlier: StoredSite, later: StoredSite, signal: AbortSignal) => Promise<ChangeCounts>
  exports: ExportRecords
}

type Progress = Pick<ReturnType<typeof progressReporter>, 'report'>

/** A bundle whose objects are in the store, ready to be referred to. */
export type PreparedBundle = FetchedBundle & {
  store: string
  /** This process wrote it, and `finish` makes it visible. */
  isWriter: boolean
  /** Pages that differ from the artifact before. */
  before: { exportId: string; changes: ChangeCounts } | null
}

/** Place of an artifact among those of its site; null while it has no site. */
type Place = Pick<ArtifactRow, 'exportId' | 'exportedAt'> & { siteId: string | null }
type Watch = { folder: string; store: string; progress: Progress; signal: AbortSignal }

/** Locks the site of an artifact, then the artifact. One that began as its site was joined into another follows there. */
const lockForStoring = async (tx: Tx, exportId: string): Promise<ArtifactRow | undefined> => {
  const [place] = await tx
    .select({ siteId: sql<string>`coalesce(${sites.joinedInto}, ${sites.siteId})` })
    .from(artifacts)
    .innerJoin(sites, eq(artifacts.siteId, sites.siteId))
    .where(isArtifact(exportId))
  if (place === undefined) return undefined
  await lockSite(tx, place.siteId)
  const row = await lockArtifact(tx, exportId)
  if (row === undefined || row.siteId === place.siteId) return row
  await tx.update(artifacts).set({ siteId: place.siteId }).where(isArtifact(exportId))
  return { ...row, siteId: place.siteId }
}

/** Makes the store hold bundles, each once, and refers artifacts to them. */
export const bundleKeeper = (tools: StoringTools) => {
  const {
    db,
    storage,
    processId: writer,
    analyse,
    openSite,
    exports,
    remover,
    stock,
    counter,
    events,
    now,
    log,
  } = tools
  // Two bundles with the same bytes would write the same keys.
  const inTurn = inTurnPerKey()

  const analyseAndPut = async (bundle: FetchedBundle, { folder, store, progress, signal }: Watch) => {
    const { sha256, sizeBytes, file } = bundle
    const onFailure = (error: Error) => log.warn({ err: error, sha256 }, 'the check of a bundle failed')
    const analysis = await analyse({ file, folder }, { onProgress: progress.report, onFailure }, signal)
    if (analysis.outcome === 'refused') throw new NotStorable(analysis.reason, analysis.sentence)
    const { ending, contentBytes, files, pages, checkUnfinished } = analysis
    const facts = { sha256, ending, sizeBytes, contentBytes, files, pages, checkUnfinished }
    const onProgress = (done: number, total: number) => progress.report('writing', done, total)
    return putBundle({ db, storage, now }, { file, folder, facts, store, writer }, { onProgress, signal })
  }

  const compare = async (sha256: string, place: Place, store: string, signal: AbortSignal) => {
    const { siteId } = place
    const previous = siteId === null ? null : await findPrevious(db, { ...place, siteId }, store)
    if (previous === null) return null
    try {
      const [earlier, later] = [openSite(previous.sha256), openSite(sha256)]
      const isSame = previous.sha256 === sha256
      const changes = isSame
        ? { added: 0, removed: 0, changed: 0, moved: 0 }
        : await tools.countChanges(earlier, later, signal)
      return { exportId: previous.exportId, changes }
    } catch (error) {
      signal.throwIfAborted()
      // The copy is whole without it.
      log.warn({ err: error, exportId: place.exportId }, 'a bundle could not be compared with the one before')
      return null
    }
  }

  const prepare = async (bundle: FetchedBundle, place: Place, watch: Watch): Promise<PreparedBundle> => {
    const { store, progress, signal } = watch
    const { sha256 } = bundle
    const isKnown = (await holdBundle(db, sha256, store)) || (await stock.adoptBeforeWriting(sha256, store))
    const isWriter = !isKnown && (await analyseAndPut(bundle, watch))
    // Without its report, the bundle would look unchecked for good.
    await counter.load(sha256)
    if (place.siteId !== null) await counter.prepare(place.siteId)
    progress.report('comparing', 0, null)
    const before = await compare(sha256, place, store, signal)
    return { ...bundle, store, isWriter, before }
  }

  return {
    /**
     * Reads, checks, writes and compares a bundle; then `commit` refers an artifact to it by `finish`. Rejects with `NotStorable` for one
     * that cannot be kept. What this process wrote in vain is removed.
     */
    keep: (
      bundle: FetchedBundle,
      place: Place,
      watch: Watch,
      commit: (prepared: PreparedBundle) => Promise<unknown>,
    ): Promise<void> =>
      inTurn(bundle.sha256, async () => {
        try {
          await commit(await prepare(bundle, place, watch))
        } finally {
          await remover.abandon(bundle.sha256, writer)
        }
      }),

    /**
     * Refers an artifact to a prepared bundle, with history. False when somebody decided otherwise meanwhile; of an upload, only its holder
     * can.
     */
    finish: async (tx: Tx, prepared: PreparedBundle, exportId: string, { isUpload = false } = {}): Promise<boolean> => {
      const { sha256, sizeBytes, store, isWriter, before } = prepared
      const at = new Date(now())
      const row = await lockForStoring(tx, exportId)
      // An earlier version on the same database gives up uploads that it does not have.
      if (row?.state !== 'storing' && !(isUpload && row?.state === 'not_stored')) return false
      const isHeld =
        (isWriter && (await endWriting(tx, sha256, { writer, at }))) || (await holdBundle(tx, sha256, store))
      if (!isHeld) throw new Error('The bundle was deleted while it was being stored.')
      const changes = before?.changes ?? null
      const rest = { state: 'stored', reason: null, detail: null, phase: null, done: null, total: null } as const
      await tx
        .update(artifacts)
        .set({
          ...rest,
          sha256,
          storedAt: at,
          comparedWith: before?.exportId ?? null,
          pagesAdded: changes?.added ?? null,
          pagesRemoved: changes?.removed ?? null,
          pagesChanged: changes?.changed ?? null,
          pagesMoved: changes?.moved ?? null,
        })
        .where(isArtifact(exportId))
      await exports.noteBundle(tx, exportId, { sizeBytes, sha256 })
      const stored = [exportId, ...(await giveBack(tx, sha256))]
      for (const id of stored) await events.emit(tx, 'bundle.stored', { exportId: id })
      await exports.countChange(tx, [...new Set([...stored, ...(await counter.write(tx, row.siteId))])])
      await exports.recordEvents(tx, exportId, [{ kind: 'bundle_stored', at, to: sha256 }])
      return true
    },
  }
}

export type BundleKeeper = ReturnType<typeof bundleKeeper>
