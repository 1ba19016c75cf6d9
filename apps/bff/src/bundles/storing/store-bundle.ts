import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeCounts } from '@docket/api-types/artifacts'
import { hashFile, hashObject, StorageFailed } from '@docket/artifact-store/object-storage'
import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import { eq, sql } from 'drizzle-orm'
import { findPrevious, isArtifact, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import type { ArtifactRow } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import { abandonBundle } from '#bundles/shared-store/remove-bundles.ts'
import { adoptBundle, restoreArtifacts } from '#bundles/shared-store/stock.ts'
import type { Tx } from '#ground/db/database.ts'
import { sites } from '#ground/db/sites.table.ts'
import { beginWriting, type BundleFacts, endWriting, holdBundle, reviveSite } from './bundle-rows.ts'
import { type FetchedBundle, linkBundle } from './fetch-bundle.ts'
import type { createProgressReporter } from './report-progress.ts'
import { NotStorable } from './storing-problem.ts'

/** Files that the analysis makes from a bundle, by the kind of object that they become in the store. */
const madeFiles = { zip: 'site.zip', manifest: 'manifest.json.gz', report: 'report.json.gz' } as const

/** Longest wait for another process that writes or deletes the same bytes. Milliseconds. */
const maxWaitMs = 10 * 60_000
const pauseMs = 500

const mismatchError = () =>
  new StorageFailed('The store returned other bytes than Docket wrote. Check the disk or the object store.')

/**
 * Writes a bundle and its derived files to the store, and reads everything back. True when this process wrote it: `endWriting` makes it
 * visible. False when the same bytes are already stored.
 */
const putBundle = async (
  { db, storage, processId: writer, now }: StoringCtx,
  bundle: { file: string; folder: string; facts: Omit<BundleFacts, 'storedBytes'>; store: string },
  { onProgress, signal }: { onProgress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<boolean> => {
  const { file, folder, facts, store } = bundle
  const { sha256 } = facts
  const keys = listArtifactKeys(sha256)
  const made = await Promise.all(
    (['zip', 'manifest', 'report'] as const).map(async (name) => {
      const path = join(folder, madeFiles[name])
      const [sum, { size }] = await Promise.all([hashFile(path), stat(path)])
      return { key: keys[name], path, sum, size }
    }),
  )
  const parts = [...made, { key: keys.bundle, path: file, sum: sha256, size: facts.sizeBytes }]
  const storedBytes = parts.reduce((sum, { size }) => sum + size, 0)
  const deadline = performance.now() + maxWaitMs
  while (!(await beginWriting(db, { ...facts, storedBytes }, { writer, store, at: new Date(now()) }))) {
    if (await holdBundle(db, sha256, store)) return false
    if (performance.now() > deadline) throw new StorageFailed('Another process holds the same bundle for too long.')
    await delay(pauseMs, undefined, { signal })
  }
  let done = 0
  for (const { key, path, sum, size } of parts) {
    signal.throwIfAborted()
    // Linked, because an upload that is already listed still needs its file.
    await storage.put(key, path, { link: path === file })
    // A store may report success and keep only part of the bytes.
    if ((await hashObject(storage, key)) !== sum) throw mismatchError()
    onProgress((done += size), storedBytes)
  }
  return true
}

/** A bundle whose objects are in the store, ready to be referred to. */
export type PreparedBundle = FetchedBundle & {
  store: string
  /** True when this process wrote the bundle, and `finishStoring` has to make it visible. */
  isWriter: boolean
  before: { exportId: string; changes: ChangeCounts } | null
}

type Progress = Pick<ReturnType<typeof createProgressReporter>, 'report'>

/** Position of an artifact among those of its site; null while it has no site. */
type Place = Pick<ArtifactRow, 'exportId' | 'exportedAt'> & { siteId: string | null }
type Watch = { folder: string; store: string; progress: Progress; signal: AbortSignal }

/** Locks the site of an artifact, then the artifact. If the site was joined into another one meanwhile, the artifact moves there. */
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

const analyseAndPut = async (ctx: StoringCtx, bundle: FetchedBundle, watch: Watch) => {
  const { analyse, log } = ctx
  const { folder, store, progress, signal } = watch
  const { sha256, sizeBytes, file } = bundle
  const onFailure = (error: Error) => log.warn({ err: error, sha256 }, 'the check of a bundle failed')
  const analysis = await analyse({ file, folder }, { onProgress: progress.report, onFailure }, signal)
  if (analysis.outcome === 'refused') throw new NotStorable(analysis.reason, analysis.sentence)
  const { ending, contentBytes, files, pages, checkUnfinished } = analysis
  const facts = { sha256, ending, sizeBytes, contentBytes, files, pages, checkUnfinished }
  const onProgress = (done: number, total: number) => progress.report('writing', done, total)
  return putBundle(ctx, { file, folder, facts, store }, { onProgress, signal })
}

/** Makes the site in an uploaded archive portable: the result is the bundle to store. Throws `NotStorable` with what to do instead. */
export const makeBundlePortable = async (
  { makePortable, settings, hasRoom, log }: StoringCtx,
  { file, sha256 }: FetchedBundle,
  { domain, watch }: { domain: string; watch: Omit<Watch, 'store'> },
): Promise<FetchedBundle> => {
  const { folder, progress, signal } = watch
  const full = new AbortController()
  const onProgress = (done: number, total: number) => {
    if (!hasRoom()) full.abort(new NotStorable('disk_full'))
    progress.report('fetching', done, total)
  }
  const onFailure = (error: Error) => log.warn({ err: error, sha256 }, 'a site could not be made portable')
  progress.report('fetching', 0, null)
  const stop = AbortSignal.any([signal, full.signal])
  const made = await makePortable({ file, folder, domain }, { onProgress, onFailure }, stop)
  if (made.outcome === 'refused') throw new NotStorable(made.reason, made.sentence)
  return linkBundle(made.file, { file: join(folder, 'made'), maxBytes: settings.maxBytes })
}

const compareWithPrevious = async (
  { db, openSite, countChanges, log }: StoringCtx,
  sha256: string,
  { place, store, signal }: { place: Place; store: string; signal: AbortSignal },
) => {
  const { siteId } = place
  const previous = siteId === null ? null : await findPrevious(db, { ...place, siteId }, store)
  if (previous === null) return null
  try {
    const [earlier, later] = [openSite(previous.sha256), openSite(sha256)]
    const isSame = previous.sha256 === sha256
    const changes = isSame ? { added: 0, removed: 0, changed: 0, moved: 0 } : await countChanges(earlier, later, signal)
    return { exportId: previous.exportId, changes }
  } catch (error) {
    signal.throwIfAborted()
    // The copy is complete without the comparison.
    log.warn({ err: error, exportId: place.exportId }, 'a bundle could not be compared with the one before')
    return null
  }
}

const prepare = async (
  ctx: StoringCtx,
  bundle: FetchedBundle,
  { place, watch }: { place: Place; watch: Watch },
): Promise<PreparedBundle> => {
  const { db, counter } = ctx
  const { store, progress, signal } = watch
  const { sha256 } = bundle
  const isKnown =
    (await holdBundle(db, sha256, store)) || (await adoptBundle(ctx, sha256, { store, state: 'adopting' }))
  const isWriter = !isKnown && (await analyseAndPut(ctx, bundle, watch))
  // Without its report, the bundle would appear unchecked forever.
  await counter.load(sha256)
  if (place.siteId !== null) await counter.prepare(place.siteId)
  progress.report('comparing', 0, null)
  const before = await compareWithPrevious(ctx, sha256, { place, store, signal })
  return { ...bundle, store, isWriter, before }
}

/**
 * Reads, checks, writes and compares a bundle; then `commit` refers an artifact to it by `finishStoring`. Rejects with `NotStorable` for one
 * that cannot be kept. What this process wrote in vain is removed.
 */
export const storeBundle = (
  ctx: StoringCtx,
  bundle: FetchedBundle,
  storing: { place: Place; watch: Watch; commit: (prepared: PreparedBundle) => Promise<unknown> },
): Promise<void> =>
  // Two attempts to store the same bytes would write the same keys.
  ctx.inTurn(bundle.sha256, async () => {
    try {
      await storing.commit(await prepare(ctx, bundle, storing))
    } finally {
      await abandonBundle(ctx, bundle.sha256)
    }
  })

/** False when the artifact no longer waits for the bundle. For an upload, also false when this process does not hold it. */
export const finishStoring = async (
  { exports, counter, events, processId: writer, now }: StoringCtx,
  tx: Tx,
  { exportId, prepared, isUpload = false }: { exportId: string; prepared: PreparedBundle; isUpload?: boolean },
): Promise<boolean> => {
  const { sha256, sizeBytes, store, isWriter, before } = prepared
  const at = new Date(now())
  const row = await lockForStoring(tx, exportId)
  // A process of an earlier version on the same database gives up uploads that it does not have.
  if (row?.state !== 'storing' && !(isUpload && row?.state === 'not_stored')) return false
  const isHeld = (isWriter && (await endWriting(tx, sha256, { writer, at }))) || (await holdBundle(tx, sha256, store))
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
  const stored = [exportId, ...(await restoreArtifacts(tx, sha256))]
  for (const id of stored) await events.emit(tx, 'bundle.stored', { exportId: id })
  await exports.countChange(tx, [...new Set([...stored, ...(await counter.write(tx, row.siteId))])])
  await exports.recordEvents(tx, exportId, [{ kind: 'bundle_stored', at, to: sha256 }])
  // Here and not when storing began, because somebody may have removed the site meanwhile.
  await reviveSite(tx, row.siteId)
  return true
}
