import type { StartStaticExport } from '@docket/api-types/static-exports'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { countExportChange, isExport, recordExportEvents } from '#static-exports/static-exports.rows.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { StaticExportRow } from '#static-exports/static-exports.view.ts'
import type { Permit } from '#rate-limit/limiter.ts'

/** A start whose domain is normalised. */
export type Intent = Omit<StartStaticExport, 'domain'> & { domain: string }

const findSameRequest = async (tx: Tx, { requestId, domain }: Intent): Promise<StaticExportRow | undefined> => {
  const [row] = await tx.select().from(staticExports).where(eq(staticExports.requestId, requestId))
  if (row !== undefined && row.domain !== domain)
    throw new AppError('invalid_request', 'This request was already made for another domain. Reload the page.', {
      field: 'requestId',
    })
  return row
}

const checkReplaces = async (tx: Tx, { replaces, domain }: Intent): Promise<void> => {
  if (replaces === undefined) return
  const [old] = await tx.select().from(staticExports).where(isExport(replaces)).for('update')
  if (old === undefined || old.removedAt !== null || old.domain !== domain)
    throw new AppError('invalid_request', 'The export to start again is not in the list.', { field: 'replaces' })
  if (old.replacedBy !== null)
    throw new AppError('conflict', 'This export was already started again.', { exportId: old.replacedBy })
  if (old.state !== 'unknown')
    throw new AppError('conflict', 'What became of this export is known by now, so it is not started again.', {
      exportId: old.exportId,
    })
}

const said = { starting: 'is being started', accepted: 'is running', unknown: 'may be running' } as const

const refuseSecond = async (tx: Tx, { domain, replaces }: Intent): Promise<void> => {
  const rows = await tx
    .select({ exportId: staticExports.exportId, state: staticExports.state })
    .from(staticExports)
    .where(
      and(
        eq(staticExports.domain, domain),
        inArray(staticExports.state, ['starting', 'accepted', 'unknown']),
        isNull(staticExports.removedAt),
        isNull(staticExports.replacedBy),
        isNull(staticExports.goneAt),
      ),
    )
    .orderBy(desc(staticExports.startedAt))
    .limit(2)
  const other = rows.find(({ exportId }) => exportId !== replaces)
  if (other === undefined) return
  const what = said[other.state as keyof typeof said]
  throw new AppError('conflict', `An export of ${domain} ${what} already. Confirm to start a second one.`, {
    exportId: other.exportId,
  })
}

/**
 * Writes the intent of a start, committed before any call is made. Starts of one domain wait for each other here, so of two at
 * the same instant one passes. `permit` is null when the same request wrote its intent before: then the call is somebody else's. When
 * `takePermit` refuses, nothing was written.
 */
export const writeIntent = (
  db: Database,
  intent: Intent & { by: Actor },
  {
    takePermit,
    ...first
  }: Pick<StaticExportRow, 'exportId' | 'startedAt'> & {
    leaseOwner: string
    leaseUntil: Date
    takePermit: (tx: Tx) => Promise<Permit>
  },
): Promise<{ row: StaticExportRow; permit: Permit | null }> =>
  db.transaction(async (tx) => {
    const { requestId, domain, version, paths, confirmed, replaces, by } = intent
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`static export of ${domain}`}, 0))`)
    const seen = await findSameRequest(tx, intent)
    if (seen !== undefined) return { row: seen, permit: null }
    await checkReplaces(tx, intent)
    if (confirmed !== true) await refuseSecond(tx, intent)
    const [row] = await tx
      .insert(staticExports)
      .values({
        ...first,
        requestId,
        domain,
        version: version ?? null,
        paths: paths ?? null,
        state: 'starting',
        // From then on the watcher takes the answer for lost.
        nextCheckAt: first.leaseUntil,
      })
      .onConflictDoNothing({ target: staticExports.requestId })
      .returning()
    // The same request id at the same instant for another domain, which no lock keeps away.
    if (row === undefined) return { row: (await findSameRequest(tx, intent))!, permit: null }
    if (replaces !== undefined)
      await tx.update(staticExports).set({ replacedBy: row.exportId }).where(isExport(replaces))
    await countExportChange(
      tx,
      inArray(staticExports.exportId, replaces === undefined ? [row.exportId] : [row.exportId, replaces]),
    )
    const at = row.startedAt
    if (replaces !== undefined)
      await recordExportEvents(tx, replaces, [{ kind: 'started_again', at, by, to: row.exportId }])
    await recordExportEvents(tx, row.exportId, [{ kind: 'requested', at, by }])
    // Last, because everybody who makes a call waits for the budget.
    return { row, permit: await takePermit(tx) }
  })
