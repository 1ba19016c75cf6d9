import type {
  ImportStaticExport,
  StartStaticExport,
  StaticExportCsvQuery,
  StaticExportListQuery,
} from '@docket/api-types/static-exports'
import type { StaticExportStatisticsQuery } from '@docket/api-types/static-export-statistics'
import type { UsualDuration } from '@docket/api-types/list'
import type { Artifact } from '@docket/api-types/artifacts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Ctx } from '#ground/ctx.ts'
import { bumpRevision, currentTag } from '#ground/db/revision.ts'
import { mapPieces } from '#ground/db/record-list.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { describeRemoval, purgeRemovedRecords } from '#service/history/retention.ts'
import { recordHistory } from '#service/history/records-history.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { summariseExports } from './statistics/statistics.ts'
import { normaliseDomain } from '#ground/domain.ts'
import { exportActions } from './cancel-export.ts'
import type { ExportOperations } from './export-operations.ts'
import { allExports, countActive, domainsOfExports, pageOfExports, rowsOfPage } from './static-exports.list.ts'
import { exportDurations } from './static-exports.history.ts'
import { bundleRecord, recordBundleUse, recordDownload, type BundleUse } from './static-exports.artifacts.ts'
import type { Mark } from '#records/mark-record.ts'
import { exportMarks, undoDismissal } from './mark-export.ts'
import { removable, removeExport, restoreExport, sparedUntil } from './remove-export.ts'
import { findConnection, findKnown, findListed, findTarget, isExport, notListed } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'
import { toStaticExport, type StaticExportRow } from './static-exports.state.ts'

const startAnswerMs = 15_000

/** Builds the service. */
export const staticExportService = (
  deps: Pick<Ctx, 'db' | 'now' | 'events'> & {
    connections: PerConnection<ExportOperations>
    /** Retention of the history. Days. */
    retentionDays: number
    /** Docket's copies of the bundles of these completed exports. */
    readArtifacts: (exportIds: readonly string[]) => Promise<ReadonlyMap<string, Artifact>>
  },
) => {
  const { db, connections, now, retentionDays } = deps
  const durations = exportDurations(db, now)

  const readArtifacts = async (rows: readonly StaticExportRow[]) => {
    const found = await deps.readArtifacts(
      rows.flatMap(({ exportId, state }) => (state === 'completed' ? exportId : [])),
    )
    return ({ exportId }: StaticExportRow) => found.get(exportId) ?? null
  }
  const actionsFor = (row: StaticExportRow) => ({
    actions: exportActions(row, {
      embedded: connections.isEmbedded(row.connectionId),
      isOpen: connections.find(row.connectionId) !== undefined,
    }),
  })
  const present = async (row: StaticExportRow) => {
    const [usual, artifact] = await Promise.all([durations.forOne(row), readArtifacts([row])])
    return { ...toStaticExport(row, usual, artifact(row)), ...actionsFor(row) }
  }
  const presentListed = (row: StaticExportRow, usual: UsualDuration | null, artifact: Artifact | null) => ({
    ...toStaticExport(row, usual, artifact),
    ...actionsFor(row),
    ...describeRemoval(row, retentionDays, sparedUntil(row)),
  })
  const get = async (exportId: string) => present(await findListed(db, exportId))
  const getKnown = async (exportId: string) => {
    const row = await findKnown(db, exportId)
    return { ...(await present(row)), ...describeRemoval(row, retentionDays, sparedUntil(row)) }
  }

  const mark = (verb: Mark<string>) => async (exportId: string, by: Actor) => {
    await verb(db, exportId, { at: new Date(now()), by })
    return get(exportId)
  }

  return {
    /**
     * Returns the record of `refused` and `unknown` starts, too. `conflict` carries the exportId of the other export; `forbidden` for a
     * domain outside the scope.
     */
    start: async (request: StartStaticExport, by: Actor, scope: TokenScope) => {
      const { domain, notes } = normaliseDomain(request.domain)
      if (!isWithin(scope.domains, domain))
        throw new AppError('forbidden', `This token may not export ${domain}.`, { field: 'domain' })
      const { connectionId, ...intent } = request
      const here = connections.open(await connections.choose(connectionId, scope, { domain }))
      const started = await here.start({ ...intent, domain, by }, startAnswerMs)
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
    /** Lists a job that was started elsewhere, after reading it. */
    import: async ({ connectionId, jobId, domain: text }: ImportStaticExport, by: Actor, scope: TokenScope) => {
      const { domain, notes } = normaliseDomain(text)
      const here = connections.open(await connections.choose(connectionId, scope, { domain }))
      const exportId = await here.importJob({ jobId, domain, by })
      here.watcher.wake()
      return { export: await get(exportId), domainNotes: notes }
    },
    /** Sets the jobId of an `unknown` export, after reading the job. */
    attach: async (exportId: string, job: { jobId: string; by: Actor }) => {
      const here = connections.open(await findConnection(db, exportId))
      await here.attach(exportId, job)
      here.watcher.wake()
      return get(exportId)
    },
    /** Names the content of the list as it is now; reads one row. */
    current: async () => ({ tag: await currentTag(db, 'static_exports'), now: now() }),
    /** A page. */
    list: async (query: StaticExportListQuery, scope: TokenScope) => {
      const page = await pageOfExports(db, query, narrowScope(scope, query))
      const { items, nextCursor, counts } = page
      const [usual, artifact] = await Promise.all([durations.forRunning(items), readArtifacts(items)])
      const value = { items: items.map((row) => presentListed(row, usual(row), artifact(row))), nextCursor, counts }
      return { value }
    },
    /** All exports that match the filters, in pieces. Rejects before the first piece when a filter is invalid. */
    export: async (query: StaticExportCsvQuery, scope: TokenScope) => {
      const pieces = await allExports(db, { ...query, limit: 50 }, narrowScope(scope, query))
      const present = async (rows: readonly StaticExportRow[]) => {
        const artifact = await readArtifacts(rows)
        return rows.map((row) => presentListed(row, null, artifact(row)))
      }
      return { now: now(), pieces: mapPieces(pieces, present) }
    },
    /** Check times of the exports on a page. */
    checks: async (query: StaticExportListQuery, scope: TokenScope) => {
      const { items } = await rowsOfPage(db, query, narrowScope(scope, query))
      const usual = await durations.forRunning(items)
      const checks = items.map((row) => {
        const { checkFailure, ...check } = toStaticExport(row, usual(row))
        return { ...check, failedAt: checkFailure?.at ?? null }
      })
      return { checks }
    },
    /** Finished exports in numbers, and when these change without a write (milliseconds since the epoch, or null). */
    statistics: (query: StaticExportStatisticsQuery, scope: TokenScope) =>
      summariseExports(db, query, { scope, now: now() }),
    /** Values for the filters of the list. */
    filters: async (scope: TokenScope) => ({ domains: await domainsOfExports(db, scope) }),
    /** Finds the connection of an export. Rejects with `not_found` for one outside the scope, as for an unknown one. */
    ensureInScope: async (exportId: string, { domains, connectionIds }: TokenScope) => {
      const { domain, connectionId } = await findTarget(db, exportId)
      if (!isWithin(domains, domain) || !isWithin(connectionIds, connectionId)) throw notListed()
      return connectionId
    },
    get,
    /** An export, listed or not. `not_found` for an unknown one. */
    getKnown,
    history: (exportId: string) =>
      recordHistory(
        { db, now, retentionDays },
        () => ({ type: 'static_export', exportId }),
        () => findListed(db, exportId),
      ),
    /** Deletes exports that were removed before the retention, with their events. Returns their number. */
    purgeRemoved: async () => {
      const purged = await purgeRemovedRecords(db, removable, { now: now(), days: retentionDays })
      if (purged > 0) await bumpRevision(db, 'static_exports')
      return purged
    },
    /** Removes an export from the list and stops polling it, until `restore`. Idempotent. */
    remove: (exportId: string, by: Actor) => removeExport(deps, exportId, { at: new Date(now()), by }),
    restore: async (exportId: string, by: Actor) => {
      await restoreExport(db, exportId, { at: new Date(now()), by })
      connections.find(await findConnection(db, exportId))?.watcher.wake()
      return get(exportId)
    },
    /** Says that an export needs no attention, until `undoDismissal`. Idempotent. */
    dismiss: mark(exportMarks.dismiss),
    undoDismissal: mark(undoDismissal),
    /** Writes the note of an export; an empty one removes it. */
    note: (exportId: string, { note, by }: { note: string; by: Actor }) =>
      mark((tx, key, act) => exportMarks.note(tx, key, { note, ...act }))(exportId, by),
    /** Reads an export upstream now. A failed read sets `checkFailure`; rejects only while the service asks for a pause. */
    check: async (exportId: string, by: Actor) => {
      const here = connections.open(await findConnection(db, exportId))
      if (!(await here.readNow({ exportId }, by))) {
        await findListed(db, exportId)
        throw new AppError('conflict', 'This export has no job ID, so Docket can’t check it.', {
          exportId,
        })
      }
      here.watcher.wake()
      return get(exportId)
    },
    /** Asks the service to end an export. `conflict` with the reason when that is not possible. */
    cancel: async (exportId: string, by: Actor) => {
      const here = connections.open(await findConnection(db, exportId))
      // A failed call has a read planned.
      await here.cancel(exportId, by).finally(() => here.watcher.wake())
      return get(exportId)
    },
    /** Number of open exports within the scope. */
    countActive: (scope: TokenScope) => countActive(db, scope),
    /** Connection of an export. `not_found` for an unknown one. */
    findConnection: (exportId: string) => findConnection(db, exportId),
    /** Bundle of a completed export. `conflict` for any other. */
    findBundle: (exportId: string) => bundleRecord(db, exportId),
    /** Records a download before it is sent. */
    recordDownload: (exportId: string, download: { by: Actor; how: string }) =>
      recordDownload(db, exportId, { ...download, at: new Date(now()) }),
    /** Records the use of a bundle, with its size and checksum when known. */
    recordBundle: (exportId: string, facts: { sizeBytes?: number; sha256?: string }, use: BundleUse) =>
      recordBundleUse(db, exportId, { facts, use, at: new Date(now()) }),
  }
}

/** Starts static exports, each intent at most once, and reads their last state. `not_found` for an export that is not listed. */
export type StaticExportService = ReturnType<typeof staticExportService>
