import type {
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportFilters,
  StaticExportList,
  StaticExportListQuery,
} from '@docket/api-types/static-exports'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { isDatabaseUnavailable } from '#db/unavailable.ts'
import { purgeRemovedRecords } from '#history/retention.ts'
import { recordHistory, type RecordHistory } from '#history/records-history.ts'
import { AppError } from '#errors/app-error.ts'
import type { Revision } from '#http/conditional-get/conditional-get.ts'
import { isWithin, type TokenScope } from '#http/access/token-scope.ts'
import type { Log } from '#log/log.ts'
import type { Polling } from '#polling/polling.ts'
import type { WatchLoop } from '#polling/loop.ts'
import { normaliseDomain } from './domain.ts'
import { staticExportAdopter } from './attach-export.ts'
import { staticExportReader, staticExportWatcher } from './static-exports.watcher.ts'
import { countActive, domainsOfExports, pageOfExports, rowsOfPage } from './static-exports.list.ts'
import { exportDurations } from './static-exports.history.ts'
import {
  bundleRecord,
  recordBundleUse,
  recordDownload,
  type BundleRecord,
  type BundleUse,
} from './static-exports.bundle.ts'
import { removable, removeExport, restoreExport } from './remove-export.ts'
import { isExport, findListed, notListed } from './static-exports.rows.ts'
import { staticExportStarter } from './start-export.ts'
import { staticExports } from './static-exports.table.ts'
import { toStaticExport, type StaticExportRow } from './static-exports.state.ts'

/**
 * Starts static exports, each intent at most once, and reads their last state. Throws `not_found` for an export that is
 * not listed.
 */
export type StaticExportService = {
  /**
   * Returns the record of `refused` and `unknown` starts, too. `conflict` carries the exportId of the other export; `forbidden` for a
   * domain outside the scope.
   */
  start: (request: StartStaticExport, by: Actor, scope: TokenScope) => Promise<StartedStaticExport>
  /** Lists a job that was started elsewhere, after reading it. */
  import: (request: ImportStaticExport, by: Actor) => Promise<StartedStaticExport>
  /** Sets the jobId of an `unknown` export, after reading the job. */
  attach: (exportId: string, job: { jobId: string; by: Actor }) => Promise<StaticExport>
  /** Revision of the list for conditional requests; reads one row. */
  current: () => Promise<Revision>
  /** A page, and when it changes without a write (milliseconds since the epoch, or null). */
  list: (query: StaticExportListQuery, scope: TokenScope) => Promise<{ list: StaticExportList; until: number | null }>
  /** Values for the filters of the list. */
  filters: (scope: TokenScope) => Promise<StaticExportFilters>
  /** Check times of the exports on a page. */
  checks: (query: StaticExportListQuery, scope: TokenScope) => Promise<StaticExportChecks>
  /** Rejects with `not_found` for an export outside the scope, as for an unknown one. */
  ensureInScope: (exportId: string, scope: TokenScope) => Promise<void>
  get: (exportId: string) => Promise<StaticExport>
  history: (exportId: string) => RecordHistory
  /** Deletes exports that were removed before the retention, with their events. Returns their number. */
  purgeRemoved: () => Promise<number>
  /** Removes an export from the list and stops polling it, until `restore`. Idempotent. */
  remove: (exportId: string, by: Actor) => Promise<void>
  restore: (exportId: string, by: Actor) => Promise<StaticExport>
  /** Reads an export upstream now. A failed read sets `checkFailure`; rejects only while the service asks for a pause. */
  check: (exportId: string, by: Actor) => Promise<StaticExport>
  /** Number of open exports within the scope. */
  countActive: (scope: TokenScope) => Promise<number>
  /** Bundle of a completed export. `conflict` for any other. */
  findBundle: (exportId: string) => Promise<BundleRecord>
  /** Records the use of a bundle, with its size and checksum when known. */
  recordBundle: (exportId: string, facts: { sizeBytes?: number; sha256?: string }, use: BundleUse) => Promise<void>
  /** Records a download before it is sent. */
  recordDownload: (exportId: string, download: { by: Actor; how: string }) => Promise<void>
  /** `stop` also waits for the starts under way. */
  watcher: WatchLoop
}

const startAnswerMs = 15_000

/** Builds the service. */
export const staticExportService = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** Retention of the history. Days. */
  retentionDays: number
}): StaticExportService => {
  const { db, adminApi, polling, log, retentionDays } = deps
  const { now } = polling
  const durations = exportDurations(db, now)
  const reader = staticExportReader({ db, adminApi, polling })
  const watcher = staticExportWatcher({ db, reader, polling, log })
  const starter = staticExportStarter({ db, adminApi, polling, log, wake: watcher.wake })
  const adopter = staticExportAdopter({ db, adminApi, polling })

  const present = async (row: StaticExportRow) => toStaticExport(row, await durations.forOne(row))
  const get = async (exportId: string) => present(await findListed(db, exportId))

  return {
    start: async (request, by, scope) => {
      const { domain, notes } = normaliseDomain(request.domain)
      if (!isWithin(scope.domains, domain))
        throw new AppError('forbidden', `This token may not export ${domain}.`, { field: 'domain' })
      const started = await starter.start({ ...request, domain, by }, startAnswerMs)
      const read = async () => {
        const [row] = await db.select().from(staticExports).where(isExport(started.exportId))
        return present(row!)
      }
      const found = await read().catch((error: unknown) => {
        // The intent is committed, so an error would hide a start.
        if (isDatabaseUnavailable(error)) return toStaticExport(started, null)
        throw error
      })
      return { export: found, domainNotes: notes }
    },
    import: async ({ jobId, domain: text }, by) => {
      const { domain, notes } = normaliseDomain(text)
      const exportId = await adopter.import({ jobId, domain, by })
      watcher.wake()
      return { export: await get(exportId), domainNotes: notes }
    },
    attach: async (exportId, job) => {
      await adopter.attach(exportId, job)
      watcher.wake()
      return get(exportId)
    },
    current: async () => ({ tag: await currentTag(db, 'static_exports'), now: now() }),
    list: async (query, { domains }) => {
      const page = await pageOfExports(db, query, { now: now(), domains })
      const { items, nextCursor, counts, until } = page
      const usual = await durations.forRunning(items)
      return { list: { items: items.map((row) => toStaticExport(row, usual(row))), nextCursor, counts }, until }
    },
    checks: async (query, { domains }) => {
      const { items } = await rowsOfPage(db, query, { now: now(), domains })
      const usual = await durations.forRunning(items)
      const checks = items.map((row) => {
        const { checkFailure, ...check } = toStaticExport(row, usual(row))
        return { ...check, failedAt: checkFailure?.at ?? null }
      })
      return { checks }
    },
    filters: async ({ domains }) => ({ domains: await domainsOfExports(db, domains) }),
    ensureInScope: async (exportId, { domains }) => {
      const [row] = await db.select({ domain: staticExports.domain }).from(staticExports).where(isExport(exportId))
      if (row === undefined || !isWithin(domains, row.domain)) throw notListed()
    },
    get,
    history: (exportId) =>
      recordHistory({ db, now, retentionDays }, { type: 'static_export', exportId }, () => findListed(db, exportId)),
    purgeRemoved: () => purgeRemovedRecords(db, removable, { now: now(), days: retentionDays }),
    remove: (exportId, by) => removeExport(db, exportId, { at: new Date(now()), by }),
    restore: async (exportId, by) => {
      await restoreExport(db, exportId, { at: new Date(now()), by })
      watcher.wake()
      return get(exportId)
    },
    check: async (exportId, by) => {
      if (!(await reader.readNow({ exportId }, by))) {
        await findListed(db, exportId)
        throw new AppError('conflict', 'The service has not given this export an id, so there is nothing to read.', {
          exportId,
        })
      }
      watcher.wake()
      return get(exportId)
    },
    countActive: ({ domains }) => countActive(db, domains),
    findBundle: (exportId) => bundleRecord(db, exportId),
    recordDownload: (exportId, download) => recordDownload(db, exportId, { ...download, at: new Date(now()) }),
    recordBundle: (exportId, facts, use) => recordBundleUse(db, exportId, { facts, use, at: new Date(now()) }),
    watcher: {
      ...watcher,
      stop: async () => {
        await watcher.stop()
        await starter.settled()
      },
    },
  }
}
