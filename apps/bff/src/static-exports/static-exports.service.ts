import type {
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportFilters,
  StaticExportList,
  StaticExportListQuery,
} from '@docket/api-types/static-exports'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { AppError } from '#http/app-error.ts'
import type { Current } from '#http/polled/polled-answers.ts'
import type { Log } from '#log.ts'
import type { Polling } from '#watch/polling.ts'
import type { WatchLoop } from '#watch/watch-loop.ts'
import { normaliseDomain } from '#static-exports/starting/domain.ts'
import { staticExportAdopter } from '#static-exports/starting/adopt.ts'
import { staticExportReader } from '#static-exports/watching/reader.ts'
import { countActive, domainsOfExports, pageOfExports, usualDurations } from './static-exports.list.ts'
import { countExportChange, isExport, listedExport, withoutTwins } from './static-exports.rows.ts'
import { staticExportStarter } from '#static-exports/starting/start.ts'
import { staticExports } from './static-exports.table.ts'
import { bundleFileName, staticExportOf, type StaticExportRow } from './static-exports.view.ts'
import { staticExportWatcher } from '#static-exports/watching/watcher.ts'

/** Starts static exports, each intent at most once, and knows their last state. `not_found` for an export that is not listed. */
export type StaticExportService = {
  /** Also for `refused` and `unknown` starts the record is answered. `conflict` names the export that is in the way. */
  start: (request: StartStaticExport) => Promise<StartedStaticExport>
  /** Reads the job first, so that only one that exists is listed. */
  import: (request: ImportStaticExport) => Promise<StartedStaticExport>
  /** Gives an `unknown` export its jobId, after the job was read. */
  attach: (exportId: string, jobId: string) => Promise<StaticExport>
  /** Names the content of the list as it is now; reads one row. */
  current: () => Promise<Current>
  /** A page, and when it changes by itself although its tag stays (milliseconds since the epoch, or null). */
  list: (query: StaticExportListQuery) => Promise<{ list: StaticExportList; until: number | null }>
  /** What the list can be filtered by. */
  filters: () => Promise<StaticExportFilters>
  get: (exportId: string) => Promise<StaticExport>
  /** Takes it off the list and stops polling it. It is kept for `restore`; doing it twice is fine. */
  remove: (exportId: string) => Promise<void>
  restore: (exportId: string) => Promise<StaticExport>
  /** Reads it upstream now. A failed read is in `checkFailure`; rejects only when the service asked to be left alone. */
  check: (exportId: string) => Promise<StaticExport>
  /** Exports that have not ended. */
  countActive: () => Promise<number>
  /** The bundle of a completed export; `conflict` for any other. */
  bundleOf: (exportId: string) => Promise<BundleRecord>
  /** Keeps what was learnt about the bundle. */
  recordBundle: (exportId: string, learnt: { sizeBytes?: number; sha256?: string }) => Promise<void>
  /** `stop` waits for the starts under way too. */
  watcher: WatchLoop
}

/** What the rest of Docket may know about the bundle of a completed export. */
export type BundleRecord = { exportId: string; jobId: string; fileName: string; sizeBytes: number | null }

const startAnswerMs = 15_000

/** Reads exports as `polling` says. */
export const staticExportService = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
}): StaticExportService => {
  const { db, adminApi, polling, log } = deps
  const { now } = polling
  const reader = staticExportReader({ db, adminApi, polling })
  const watcher = staticExportWatcher({ db, reader, polling, log })
  const starter = staticExportStarter({ db, adminApi, polling, log, wake: watcher.wake })
  const adopter = staticExportAdopter({ db, adminApi, polling })

  const shown = async (row: StaticExportRow) => staticExportOf(row, (await usualDurations(db, [row]))(row))
  const get = async (exportId: string) => shown(await listedExport(db, exportId))

  return {
    start: async (request) => {
      const { domain, notes } = normaliseDomain(request.domain)
      const exportId = await starter.start({ ...request, domain }, startAnswerMs)
      const [row] = await db.select().from(staticExports).where(isExport(exportId))
      return { export: await shown(row!), domainNotes: notes }
    },
    import: async ({ jobId, domain: text }) => {
      const { domain, notes } = normaliseDomain(text)
      const exportId = await adopter.import({ jobId, domain })
      watcher.wake()
      return { export: await get(exportId), domainNotes: notes }
    },
    attach: async (exportId, jobId) => {
      await adopter.attach(exportId, jobId)
      watcher.wake()
      return get(exportId)
    },
    current: async () => ({ tag: await currentTag(db, 'static_exports'), now: now() }),
    list: async (query) => {
      const { items, nextCursor, counts, until } = await pageOfExports(db, query, now())
      const usual = await usualDurations(db, items)
      return { list: { items: items.map((row) => staticExportOf(row, usual(row))), nextCursor, counts }, until }
    },
    filters: async () => ({ domains: await domainsOfExports(db) }),
    get,
    remove: async (exportId) => {
      const known = await db.transaction(async (tx) => {
        const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
        if (row === undefined || row.removedAt !== null) return row
        // Without its lease, a read that is under way can no longer write; a start that is under way still can.
        const set = row.state === 'starting' ? {} : { nextCheckAt: null, leaseOwner: null, leaseUntil: null }
        await tx
          .update(staticExports)
          .set({ ...set, removedAt: new Date(now()) })
          .where(isExport(exportId))
        await countExportChange(tx, isExport(exportId))
        return row
      })
      if (known === undefined) await listedExport(db, exportId)
    },
    restore: async (exportId) => {
      const [removed] = await db
        .select()
        .from(staticExports)
        .where(and(isExport(exportId), isNotNull(staticExports.removedAt)))
      if (removed === undefined) return get(exportId)
      const due = removed.state === 'accepted' ? { nextCheckAt: new Date(now()) } : {}
      await withoutTwins(db, removed.jobId ?? '', () =>
        db.transaction(async (tx) => {
          await tx
            .update(staticExports)
            .set({ ...due, removedAt: null })
            .where(isExport(exportId))
          await countExportChange(tx, isExport(exportId))
        }),
      )
      watcher.wake()
      return get(exportId)
    },
    check: async (exportId) => {
      if (!(await reader.readNow({ exportId }))) {
        await listedExport(db, exportId)
        throw new AppError('conflict', 'The service has not given this export an id, so there is nothing to read.', {
          exportId,
        })
      }
      watcher.wake()
      return get(exportId)
    },
    countActive: () => countActive(db),
    bundleOf: async (exportId) => {
      const row = await listedExport(db, exportId)
      const { jobId, bundleSizeBytes: sizeBytes } = row
      if (row.state !== 'completed' || jobId === null)
        throw new AppError('conflict', 'Only a completed export has a bundle. Wait until this one is completed.', {
          exportId,
        })
      return { exportId, jobId, fileName: bundleFileName(row), sizeBytes }
    },
    recordBundle: async (exportId, { sizeBytes, sha256 }) => {
      const learnt = {
        ...(sizeBytes === undefined ? {} : { bundleSizeBytes: sizeBytes }),
        ...(sha256 === undefined ? {} : { bundleSha256: sha256 }),
      }
      await db.transaction(async (tx) => {
        await tx
          .update(staticExports)
          .set({ ...learnt, bundlePreparedAt: new Date(now()) })
          .where(and(isExport(exportId), isNull(staticExports.removedAt), eq(staticExports.state, 'completed')))
        await countExportChange(tx, isExport(exportId))
      })
    },
    watcher: {
      ...watcher,
      stop: async () => {
        await watcher.stop()
        await starter.settled()
      },
    },
  }
}
