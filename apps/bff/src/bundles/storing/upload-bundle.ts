import { randomUUID } from 'node:crypto'
import type { UploadBundleQuery } from '@docket/api-types/artifacts'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { inTurnPerKey } from '@docket/once'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import { type ExportRecords, findSite } from '#bundles/artifacts/artifacts.rows.ts'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import type { Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { createUploadConnectionChooser } from '#records/static-exports/static-exports.artifacts.ts'
import { type BundleBytes, endStalled, writeBundle } from './fetch-bundle.ts'
import { ensureSite, intendStoring } from './bundle-rows.ts'
import { createProgressReporter } from './report-progress.ts'
import { finishStoring, makeBundlePortable, type PreparedBundle, storeBundle } from './store-bundle.ts'
import { describeProblem } from './storing-problem.ts'
import { concludeAttempt } from './storing-work.ts'

/** Runs at most `max` tasks at a time and takes turns between people, so that each waits for at most one task of anybody else. */
export const createFairTurns = (max: number) => {
  const ofPerson = inTurnPerKey()
  const waiting: (() => void)[] = []
  let free = max
  return <T>(who: string, work: () => Promise<T>): Promise<T> =>
    ofPerson(who, async () => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    })
}

type NewUpload = Omit<Parameters<ExportRecords['createUploaded']>[1], 'at'>

/** Maximum number of concurrent uploads of one person or token. */
const maxOfOne = 2
/** Maximum number of uploads that one process reads and checks at a time. */
const maxStoring = 2
const retryAfterMs = 15_000

const toAppError = (error: unknown): unknown => {
  if (error instanceof AppError) return error
  const { reason, detail } = describeProblem(error)
  if (reason === 'too_large') return new AppError('too_large', detail)
  if (reason === 'disk_full') return new AppError('conflict', detail)
  if (error instanceof StorageFailed) return new AppError('busy', `${error.message} Try again.`, { retryAfterMs })
  return reason === 'failed' ? error : new AppError('invalid_request', detail)
}

/** An upload that breaks off, stalls, or loses its permission before it is listed leaves nothing behind. */
export const createBundleUpload = (
  ctx: StoringCtx,
  deps: {
    /** Decides where an uploaded bundle belongs. `notes` are readable remarks about changes to the domain. */
    place: ReturnType<typeof createUploadConnectionChooser>
    /** Time for which a request waits for its bundle to be stored, once the last byte has arrived. Milliseconds. */
    answerMs: number
    stopping: AbortSignal
  },
) => {
  const { db, exports, view, staging, settings, uploading, hasRoom, now } = ctx
  const { answerMs, stopping } = deps
  const underWay = new Map<string, number>()
  const inTurn = createFairTurns(maxStoring)
  const inOrder = inTurnPerKey()

  const findStore = async (): Promise<string> => {
    const { name, problem } = await view()
    if (problem !== null) throw new AppError('conflict', reasonSentences[problem])
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer. Try again.', { retryAfterMs })
    return name
  }

  const refuseWithoutRoom = () => {
    if (!hasRoom())
      throw new AppError('conflict', 'The disk of Docket is nearly full. Free some space, then upload it again.')
  }

  /**
   * Stores an upload. If that takes long, or the process stops, it lists the export first and calls `onListed`: from then on the client may
   * disconnect, and `storeWaiting` continues if this process ends. Rejects only while the export is not listed.
   */
  const keep = async (
    { exportId, requestId, bytes, by, portable, ...place }: NewUpload & { bytes: BundleBytes; portable: boolean },
    ensureMayStill: () => Promise<unknown>,
    signal: AbortSignal,
    onListed: () => void,
  ): Promise<void> => {
    refuseWithoutRoom()
    const store = await findStore()
    await using folder = await staging.open(exportId)
    const file = `${folder.path}/bundle`
    const coming = { ...bytes, bytes: endStalled(bytes.bytes) }
    const bundle = await writeBundle(coming, {
      file,
      maxBytes: settings.maxBytes,
      onProgress: refuseWithoutRoom,
    })
    signal.throwIfAborted()
    const at = new Date(now())
    const siteId = await findSite(db, place)
    let listing = null as Promise<void> | null

    const list = async (tx: Tx, attempts: number) => {
      // Listing the export locks the list, and all counts are written under the lock of the site.
      await lockSite(tx, await ensureSite(tx, place, at))
      await exports.createUploaded(tx, { ...place, exportId, requestId, at, by })
      const uploaded = { ...place, exportId, startedAt: at, isCompleted: true, jobId: null }
      await intendStoring(tx, uploaded, { at, attempts, madePortable: portable })
    }
    const goOnAlone = () =>
      (listing ??= (async () => {
        await ensureMayStill()
        await ensureSite(db, place, at)
        await db.transaction((tx) => list(tx, 1))
        progress.again()
        await staging.keepUpload(exportId, file)
        onListed()
      })())
    const ending = new AbortController()
    signal.addEventListener('abort', () => {
      if (listing === null) ending.abort(signal.reason)
    })
    const timer = setTimeout(() => void goOnAlone().catch((error: unknown) => ending.abort(error)), answerMs)
    await using progress = createProgressReporter(db, exports, exportId)
    const watch = { folder: folder.path, store, progress, signal: AbortSignal.any([ending.signal, stopping]) }
    uploading.add(exportId)
    let failure: unknown = null
    try {
      await inTurn(by.id ?? '', async () => {
        watch.signal.throwIfAborted()
        const { domain } = place
        const made = portable ? await makeBundlePortable(ctx, bundle, { domain, watch }) : bundle
        const commit = async (prepared: PreparedBundle) => {
          clearTimeout(timer)
          await listing
          if (listing === null) {
            await ensureMayStill()
            // Committed first, so that the completion of another export of the same site does not wait for it.
            await ensureSite(db, place, at)
          }
          await db.transaction(async (tx) => {
            if (listing === null) await list(tx, 0)
            await finishStoring(ctx, tx, { exportId, prepared, isUpload: true })
          })
        }
        return storeBundle(ctx, made, { place: { exportId, siteId, exportedAt: at }, watch, commit })
      })
    } catch (error) {
      clearTimeout(timer)
      if (stopping.aborted && !signal.aborted) await goOnAlone()
      if (listing === null) throw error
      await listing
      if (!stopping.aborted) failure = error
    } finally {
      if (failure !== null) await concludeAttempt(ctx, { exportId, attempts: 1 }, failure)
      uploading.delete(exportId)
    }
  }

  return async (
    query: UploadBundleQuery,
    bytes: BundleBytes,
    { by, readScope, signal }: { by: Actor; readScope: () => Promise<TokenScope>; signal: AbortSignal },
  ): Promise<{ exportId: string; notes: string[] }> => {
    const choosePlace = async () => deps.place(query, await readScope())
    const { notes, ...place } = await choosePlace()
    const { requestId = null, portable = false } = query
    const findEarlier = async () => (requestId === null ? null : exports.findRequested({ ...place, requestId }))
    const take = async (): Promise<string> => {
      const earlier = await findEarlier()
      if (earlier !== null) return earlier
      const exportId = randomUUID()
      const { promise: listed, resolve: onListed } = Promise.withResolvers<void>()
      const upload = { ...place, exportId, requestId, version: query.version || null, bytes, by, portable }
      try {
        // An upload takes longer than any request may wait for the database.
        await Promise.race([withoutDeadline(() => keep(upload, choosePlace, signal, onListed)), listed])
        return exportId
      } catch (error) {
        // Another process may have listed the same request meanwhile.
        const other = await findEarlier()
        if (other !== null) return other
        throw toAppError(error)
      }
    }
    const who = by.id ?? ''
    const before = underWay.get(who) ?? 0
    if (before >= maxOfOne)
      throw new AppError('busy', 'Other uploads of yours are under way. Try again in a moment.', { retryAfterMs })
    underWay.set(who, before + 1)
    try {
      return { exportId: await inOrder(requestId ?? randomUUID(), take), notes }
    } finally {
      underWay.set(who, underWay.get(who)! - 1)
    }
  }
}

export type BundleUpload = ReturnType<typeof createBundleUpload>
