import type { NotStoredReason } from '@docket/api-types/artifacts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { isArtifact, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { type ArtifactRow, reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { linkBundle, writeBundle } from './fetch-bundle.ts'
import { createProgressReporter } from './report-progress.ts'
import { finishStoring, makeBundlePortable, storeBundle } from './store-bundle.ts'
import { describeProblem, NotStorable } from './storing-problem.ts'

/** The attempts span about an hour. */
const maxAttempts = 8

const lostProcesses = `Docket ended ${maxAttempts} times while it saved this bundle. Look into its log, then try again.`

/** An upload that no process continued for this long is lost, because the machine that had it no longer runs. Milliseconds. */
const lostAfterMs = 30 * 60_000

const lostUpload = 'Docket ended while it saved this bundle, and the file is gone. Upload it again.'

const noRoom = 'Not saved yet: the disk is nearly full. Docket saves the bundle as soon as there is room.'

const giveUpStoring = (
  { db, exports, now }: StoringCtx,
  exportId: string,
  { reason, detail }: { reason: NotStoredReason; detail: string },
) =>
  db.transaction(async (tx) => {
    const row = await lockArtifact(tx, exportId)
    if (row?.state !== 'storing') return
    const set = { state: 'not_stored', reason, detail, phase: null, done: null, total: null } as const
    await tx.update(artifacts).set(set).where(isArtifact(exportId))
    await exports.countChange(tx, [exportId])
    await exports.recordEvents(tx, exportId, [{ kind: 'bundle_not_stored', at: new Date(now()), to: detail }])
  })

const recordFailure = ({ db, exports }: StoringCtx, exportId: string, detail: string) =>
  db.transaction(async (tx) => {
    const noted = await tx
      .update(artifacts)
      .set({ detail, phase: null, done: null, total: null })
      .where(and(isArtifact(exportId), eq(artifacts.state, 'storing')))
      .returning({ exportId: artifacts.exportId })
    if (noted.length > 0) await exports.countChange(tx, [exportId])
  })

/** Marks these bundles, or all waiting ones that no process is storing, as waiting for disk space. */
export const postponeStoring = ({ db, exports }: StoringCtx, ...only: string[]) =>
  db.transaction(async (tx) => {
    const isIdle = and(isNull(artifacts.phase), sql`${artifacts.detail} is distinct from ${noRoom}`)
    const noted = await tx
      .update(artifacts)
      .set({ detail: noRoom, phase: null, done: null, total: null })
      .where(and(eq(artifacts.state, 'storing'), only.length > 0 ? inArray(artifacts.exportId, only) : isIdle))
      .returning({ exportId: artifacts.exportId })
    if (noted.length > 0)
      await exports.countChange(
        tx,
        noted.map(({ exportId }) => exportId),
      )
  })

/** Counts an attempt before it begins, so that a bundle that kills the process is given up, too. */
const beginAttempt = async ({ db }: StoringCtx, exportId: string) => {
  const [row] = await db
    .update(artifacts)
    .set({ attempts: sql`${artifacts.attempts} + 1`, detail: null })
    .where(and(isArtifact(exportId), eq(artifacts.state, 'storing')))
    .returning()
  return row
}

const fetchBundle = async (
  ctx: StoringCtx,
  { exportId, madePortable }: Pick<ArtifactRow, 'exportId' | 'madePortable'>,
  watch: Parameters<typeof makeBundlePortable>[2]['watch'],
) => {
  const { exports, staging, readWhole, findFile, settings } = ctx
  const { maxBytes } = settings
  const { progress, signal } = watch
  const file = `${watch.folder}/bundle`
  progress.report('fetching', 0, null)
  const onProgress = (done: number, total: number | null) => progress.report('fetching', done, total)
  const { connectionId, domain, jobId } = await exports.find(exportId)
  if (jobId === null) {
    if (!(await staging.listUploads()).includes(exportId)) throw new NotStorable('failed', lostUpload)
    const upload = await linkBundle(staging.toUpload(exportId), { file, maxBytes })
    return madePortable ? makeBundlePortable(ctx, upload, { domain, watch }) : upload
  }
  const local = await findFile(connectionId, jobId)
  if (local !== null) return linkBundle(local, { file, maxBytes })
  return readWhole(exportId, signal, (bundle) => writeBundle(bundle, { file, onProgress, maxBytes }))
}

const attemptStoring = async (ctx: StoringCtx, row: ArtifactRow, signal: AbortSignal): Promise<void> => {
  const { db, exports, view, staging } = ctx
  const { exportId } = row
  const { name: store, problem } = await view()
  if (problem !== null) return giveUpStoring(ctx, exportId, { reason: problem, detail: reasonSentences[problem] })
  if (store === null) throw new AppError('busy', 'The store of bundles does not answer.')
  await using progress = createProgressReporter(db, exports, exportId)
  await using folder = await staging.open(exportId)
  const watch = { folder: folder.path, store, progress, signal }
  const bundle = await fetchBundle(ctx, row, watch)
  await storeBundle(ctx, bundle, {
    place: row,
    watch,
    commit: (prepared) => db.transaction((tx) => finishStoring(ctx, tx, { exportId, prepared })),
  })
}

/** True for an upload that another process may still be storing. */
const isElsewhere = async ({ exports, staging, alone, now }: StoringCtx, exportId: string): Promise<boolean> => {
  if (alone || (await staging.listUploads()).includes(exportId)) return false
  const known = await exports.find(exportId).catch(() => null)
  return known?.jobId === null && now() - known.startedAt.getTime() < lostAfterMs
}

/** True when another attempt is worthwhile. */
export const concludeAttempt = async (
  ctx: StoringCtx,
  { exportId, attempts }: { exportId: string; attempts: number },
  error: unknown,
): Promise<boolean> => {
  const { reason, detail, retrying } = describeProblem(error)
  ctx.log.warn({ err: error, exportId, reason }, 'a bundle was not stored')
  const isWorthwhile = retrying !== null && attempts < maxAttempts
  await (isWorthwhile ? recordFailure(ctx, exportId, retrying) : giveUpStoring(ctx, exportId, { reason, detail }))
  return isWorthwhile
}

/** Rejects when another attempt is worthwhile. The queue then repeats it, in another process if this one was killed. */
export const storeWaiting = async (ctx: StoringCtx, exportId: string, signal: AbortSignal): Promise<void> => {
  const { db, hasRoom, uploading } = ctx
  if (uploading.has(exportId) || (await isElsewhere(ctx, exportId))) return
  // Waiting for disk space has no limit, so it does not count as an attempt.
  if (!hasRoom()) return postponeStoring(ctx, exportId)
  const row = await beginAttempt(ctx, exportId)
  if (row === undefined) return
  if (row.attempts > maxAttempts) return giveUpStoring(ctx, exportId, { reason: 'failed', detail: lostProcesses })
  try {
    await attemptStoring(ctx, row, signal)
  } catch (error) {
    if (signal.aborted) {
      // Stopping Docket does not count as a failure of the bundle.
      await db
        .update(artifacts)
        .set({ attempts: row.attempts - 1 })
        .where(isArtifact(exportId))
      throw error
    }
    if (await concludeAttempt(ctx, row, error)) throw error
  }
}

/** Oldest first, but failed ones last: the queue repeats them anyway, and they must not keep others waiting. */
export const listWaiting = async ({ db }: StoringCtx, max: number): Promise<string[]> => {
  const rows = await db
    .select({ exportId: artifacts.exportId })
    .from(artifacts)
    .where(eq(artifacts.state, 'storing'))
    .orderBy(artifacts.attempts, artifacts.exportedAt)
    .limit(max)
  return rows.map(({ exportId }) => exportId)
}
