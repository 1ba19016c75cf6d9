import { and, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { type Database, type Tx, takeTurn } from '#ground/db/database.ts'
import { countChange } from '#ground/db/revision.ts'
import { unwrapDriverError } from '#ground/db/unavailable.ts'
import { type NewEvent, recordEvents } from '#service/history/history.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { staticExports } from './static-exports.table.ts'
import type { StaticExportRow } from './static-exports.state.ts'

export const isExport = (exportId: string): SQL => eq(staticExports.exportId, exportId)

export const hasJobId = isNotNull(staticExports.jobId)

/** Holds the lock until the transaction ends. Call this before any row is locked. */
export const lockDomain = async (tx: Tx, domain: string): Promise<void> => {
  await takeTurn(tx, `static export of ${domain}`)
}

/** Call this last in the transaction. */
export const countExportChange = (tx: Tx, changed: SQL | undefined): Promise<void> =>
  countChange(tx, { name: 'static_exports', table: staticExports }, changed)

/** Call this last in the transaction, after `countExportChange`. */
export const recordExportEvents = (tx: Tx, exportId: string, events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, { type: 'static_export', exportId }, events)

export const isDuplicateJobError = (error: unknown): boolean => {
  const cause = unwrapDriverError(error)
  return cause instanceof DatabaseError && cause.constraint === 'static_exports_job'
}

export const exportNotListedError = () =>
  new AppError('not_found', 'This export isn’t on the list. It may have been removed.')

/** Throws `not_found` when the export is unknown or removed. */
export const findListedExport = async (db: Database, exportId: string): Promise<StaticExportRow> => {
  const [row] = await db
    .select()
    .from(staticExports)
    .where(and(isExport(exportId), isNull(staticExports.removedAt)))
  if (row === undefined) throw exportNotListedError()
  return row
}

/** Includes exports that are not listed. Throws `not_found` for an unknown one. */
export const findKnownExport = async (db: Tx, exportId: string): Promise<StaticExportRow> => {
  const [row] = await db.select().from(staticExports).where(isExport(exportId))
  if (row === undefined) throw exportNotListedError()
  return row
}

/** Includes exports that are not listed. */
export const findExports = (db: Database, exportIds: readonly string[]): Promise<StaticExportRow[]> =>
  exportIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(staticExports)
        .where(inArray(staticExports.exportId, [...exportIds]))

/** Includes exports that are not listed. Throws `not_found` for an unknown one. */
export const findExportConnection = async (db: Database, exportId: string): Promise<string> =>
  (await findKnownExport(db, exportId)).connectionId

type UpstreamJob = { connectionId: string; jobId: string }

/** Throws `conflict` with the exportId when the job is already listed. */
export const refuseTrackedJob = async (tx: Tx, { connectionId, jobId }: UpstreamJob): Promise<void> => {
  const [row] = await tx
    .select({ exportId: staticExports.exportId, domain: staticExports.domain })
    .from(staticExports)
    .where(
      and(
        eq(staticExports.connectionId, connectionId),
        eq(staticExports.jobId, jobId),
        isNull(staticExports.removedAt),
      ),
    )
  if (row !== undefined)
    throw new AppError('conflict', `This job is on the list already, as an export of ${row.domain}.`, {
      exportId: row.exportId,
    })
}

/** Turns the failure of a write that lists a job twice into a `conflict` with the exportId of the first export. */
export const writeUniqueJob = async <T>(db: Database, job: UpstreamJob, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateJobError(error)) await refuseTrackedJob(db, job)
    throw error
  }
}
