import type { NotStoredReason } from '@docket/api-types/artifacts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { isArtifact, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { type BundleBytes, linkBundle, writeBundle } from './fetch-bundle.ts'
import { progressReporter } from './report-progress.ts'
import type { SharedStore } from '#bundles/store/shared-store.ts'
import type { StagingFolders } from './staging.ts'
import type { BundleKeeper, StoringTools } from './store-bundle.ts'
import { describeProblem, NotStorable } from './storing-problem.ts'

/** Attempts until Docket gives up, over about an hour. */
const maxAttempts = 8

const lostProcesses = `Docket ended ${maxAttempts} times while it stored this bundle. Look into its log, then try again.`

/** An upload that no process took up for so long is lost: the machine that had it is gone. Milliseconds. */
const lostAfterMs = 30 * 60_000

const lostUpload = 'Docket ended while it stored this bundle, and the file is gone. Upload it again.'

const noRoom = 'Not stored yet: the disk is nearly full. Docket stores the bundle as soon as there is room.'

/** Where bundles come from. */
export type BundleSources = {
  /** Reads the bundle of an export at its service, with one call of the budget. */
  readWhole: <Result>(
    exportId: string,
    signal: AbortSignal,
    use: (bundle: BundleBytes) => Promise<Result>,
  ) => Promise<Result>
  /** File of a bundle that the embedded service keeps on this machine. Null for any other. */
  findFile: (connectionId: string, jobId: string) => Promise<string | null>
}

/**
 * Stores bundles one at a time, each under the row that asks for it. `run` is repeated after it rejected, and by another process after
 * this one was killed.
 */
export const storingWork = (
  deps: Pick<StoringTools, 'db' | 'exports' | 'now' | 'log'> & {
    keeper: BundleKeeper
    sources: BundleSources
    shared: SharedStore
    staging: StagingFolders
    maxBytes: number
    /** No other process uses the database. */
    alone: boolean
    /** False while the disk is nearly full. Bundles then wait. */
    hasRoom: () => boolean
  },
) => {
  const { db, exports, keeper, sources, shared, staging, maxBytes, alone, hasRoom, now, log } = deps
  /** Uploads that a request of this process is storing. */
  const held = new Set<string>()

  const end = (exportId: string, reason: NotStoredReason, detail: string) =>
    db.transaction(async (tx) => {
      const row = await lockArtifact(tx, exportId)
      if (row?.state !== 'storing') return
      const set = { state: 'not_stored', reason, detail, phase: null, done: null, total: null } as const
      await tx.update(artifacts).set(set).where(isArtifact(exportId))
      await exports.countChange(tx, [exportId])
      await exports.recordEvents(tx, exportId, [{ kind: 'bundle_not_stored', at: new Date(now()), to: detail }])
    })

  /** Says why an attempt failed, until the next one begins. */
  const noteFailure = (exportId: string, detail: string) =>
    db.transaction(async (tx) => {
      const noted = await tx
        .update(artifacts)
        .set({ detail, phase: null, done: null, total: null })
        .where(and(isArtifact(exportId), eq(artifacts.state, 'storing')))
        .returning({ exportId: artifacts.exportId })
      if (noted.length > 0) await exports.countChange(tx, [exportId])
    })

  /** Says of bundles that wait, and nobody is storing, that they wait for room. */
  const postpone = (...only: string[]) =>
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
  const begin = async (exportId: string) => {
    const [row] = await db
      .update(artifacts)
      .set({ attempts: sql`${artifacts.attempts} + 1`, detail: null })
      .where(and(isArtifact(exportId), eq(artifacts.state, 'storing')))
      .returning()
    return row
  }

  const fetchTo = async (
    exportId: string,
    file: string,
    watch: Parameters<typeof writeBundle>[1] & { signal: AbortSignal },
  ) => {
    const { connectionId, jobId } = await exports.find(exportId)
    if (jobId === null) {
      if (!(await staging.listUploads()).includes(exportId)) throw new NotStorable('failed', lostUpload)
      return linkBundle(staging.toUpload(exportId), { file, maxBytes })
    }
    const local = await sources.findFile(connectionId, jobId)
    if (local !== null) return linkBundle(local, { file, maxBytes })
    return sources.readWhole(exportId, watch.signal, (bundle) => writeBundle(bundle, watch))
  }

  const attempt = async (row: typeof artifacts.$inferSelect, signal: AbortSignal): Promise<void> => {
    const { exportId } = row
    const { name: store, problem } = await shared.view()
    if (problem !== null) return end(exportId, problem, reasonSentences[problem])
    if (store === null) throw new AppError('busy', 'The store of bundles does not answer.')
    await using progress = progressReporter(db, exports, exportId)
    await using folder = await staging.open(exportId)
    progress.report('fetching', 0, null)
    const file = `${folder.path}/bundle`
    const onProgress = (done: number, total: number | null) => progress.report('fetching', done, total)
    const bundle = await fetchTo(exportId, file, { file, maxBytes, onProgress, signal })
    const watch = { folder: folder.path, store, progress, signal }
    await keeper.keep(bundle, row, watch, (prepared) => db.transaction((tx) => keeper.finish(tx, prepared, exportId)))
  }

  /** True for an upload that another process may still be storing. */
  const isElsewhere = async (exportId: string): Promise<boolean> => {
    if (alone || (await staging.listUploads()).includes(exportId)) return false
    const known = await exports.find(exportId).catch(() => null)
    return known?.jobId === null && now() - known.startedAt.getTime() < lostAfterMs
  }

  /** Writes why an attempt failed. True when it is worth another one. */
  const conclude = async (exportId: string, attempts: number, error: unknown): Promise<boolean> => {
    const { reason, detail, retrying } = describeProblem(error)
    log.warn({ err: error, exportId, reason }, 'a bundle was not stored')
    const isWorthwhile = retrying !== null && attempts < maxAttempts
    await (isWorthwhile ? noteFailure(exportId, retrying) : end(exportId, reason, detail))
    return isWorthwhile
  }

  return {
    /** Leaves an upload to the request that brought it, until `release`. */
    hold: (exportId: string): void => void held.add(exportId),
    /** Ends a hold. `error`: why the upload is not stored; if that is worth another attempt, `run` makes it. */
    release: async (exportId: string, error: unknown = null): Promise<void> => {
      if (error !== null) await conclude(exportId, 1, error)
      held.delete(exportId)
    },
    /** Stores the bundle of one export, or writes why not. Rejects when it is worth another attempt. */
    run: async (exportId: string, signal: AbortSignal): Promise<void> => {
      if (held.has(exportId) || (await isElsewhere(exportId))) return
      // They wait as long as it takes, so that is no attempt.
      if (!hasRoom()) return postpone(exportId)
      const row = await begin(exportId)
      if (row === undefined) return
      if (row.attempts > maxAttempts) return end(exportId, 'failed', lostProcesses)
      try {
        await attempt(row, signal)
      } catch (error) {
        if (signal.aborted) {
          // A stop is no failure of the bundle.
          await db
            .update(artifacts)
            .set({ attempts: row.attempts - 1 })
            .where(isArtifact(exportId))
          throw error
        }
        if (await conclude(exportId, row.attempts, error)) throw error
      }
    },
    /** Says of all bundles that wait that they wait for room on the disk. */
    postpone: () => postpone(),
    /**
     * Exports whose bundles wait to be stored, or are being stored, oldest first. Those with failed attempts come last: they are tried again
     * without being listed, and must not keep others waiting.
     */
    listWaiting: async (max: number): Promise<string[]> => {
      const rows = await db
        .select({ exportId: artifacts.exportId })
        .from(artifacts)
        .where(eq(artifacts.state, 'storing'))
        .orderBy(artifacts.attempts, artifacts.exportedAt)
        .limit(max)
      return rows.map(({ exportId }) => exportId)
    },
  }
}

export type StoringWork = ReturnType<typeof storingWork>
