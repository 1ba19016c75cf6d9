import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import type { Database, Tx } from '#ground/db/database.ts'
import { countChange } from '#ground/db/revision.ts'
import { driverError } from '#ground/db/unavailable.ts'
import { type NewEvent, recordEvents } from '#service/history/history.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { staticExports } from './static-exports.table.ts'
import type { StaticExportRow } from './static-exports.state.ts'

export const isExport = (exportId: string): SQL => eq(staticExports.exportId, exportId)

export const hasJobId = isNotNull(staticExports.jobId)

/** Holds the lock until the transaction ends. Call this before any row is locked. */
export const lockDomain = async (tx: Tx, domain: string): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`static export of ${domain}`}, 0))`)
}

/** Call this last in the transaction. */
export const countExportChange = (tx: Tx, changed: SQL | undefined): Promise<void> =>
  countChange(tx, { name: 'static_exports', table: staticExports }, changed)

/** Call this last in the transaction, after `countExportChange`. */
export const recordExportEvents = (tx: Tx, exportId: string, events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, { type: 'static_export', exportId }, events)

export const isTrackedTwice = (error: unknown): boolean => {
  const cause = driverError(error)
  return cause instanceof DatabaseError && cause.constraint === 'static_exports_job'
}

export const notListed = () => new AppError('not_found', 'This export isn’t on the list. It may have been removed.')

/** Throws `not_found` when the export is unknown or removed. */
export const findListed = async (db: Database, exportId: string): Promise<StaticExportRow> => {
  const [row] = await db
    .select()
    .from(staticExports)
    .where(and(isExport(exportId), isNull(staticExports.removedAt)))
  if (row === undefined) throw notListed()
  return row
}

/** Includes exports that are not listed. Throws `not_found` for an unknown one. */
export const findKnown = async (db: Tx, exportId: string): Promise<StaticExportRow> => {
  const [row] = await db.select().from(staticExports).where(isExport(exportId))
  if (row === undefined) throw notListed()
  return row
}

/** Includes exports that are not listed. Throws `not_found` for an unknown one. */
export const findConnection = async (db: Database, exportId: string): Promise<string> =>
  (await findKnown(db, exportId)).connectionId

type UpstreamJob = { connectionId: string; jobId: string }

/** Throws `conflict` with the exportId when the job is already listed. */
export const refuseTracked = async (tx: Tx, { connectionId, jobId }: UpstreamJob): Promise<void> => {
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
export const withoutTwins = async <T>(db: Database, job: UpstreamJob, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (isTrackedTwice(error)) await refuseTracked(db, job)
    throw error
  }
}
