import type { AuditVerification } from '@docket/api-types/audit'
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { refusedFieldError } from '#ground/errors/app-error.ts'
import { auditEvents, type AuditRow, auditSeals, toUnsealedEvent } from '#ground/audit/audit.table.ts'
import { firstHash, hashLink, type Seal } from '#ground/audit/seal.ts'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type ClientBase, type ClientConfig, Pool } from 'pg'
import { PostgresClient } from '#ground/db/client.ts'
import { prepareSession, sessionSettings } from '#ground/db/session.ts'

const pieceRows = 1_000

/** Lower than any id that Docket writes. */
const lowest = Number.MIN_SAFE_INTEGER

type Broken = NonNullable<AuditVerification['broken']>
type Purged = NonNullable<AuditVerification['purged']>

/** A sealed row with its time; null for a deleted row. */
type Whole = Seal & { at: string | null }

/** Start of a step: after the row `whole`, with rows above the id `knownRows`. */
type Start = { whole: Whole; purged: Purged | null; knownRows: number }

const toTime = (row: AuditRow | undefined): string | null => {
  const ms = row?.at.getTime() ?? Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

const describeBreak = (auditId: number, row: AuditRow | undefined, problem: Broken['problem']): Broken => ({
  auditId,
  at: toTime(row),
  problem,
})

const matchesSeal = (previousHash: string, row: AuditRow, { hash }: Seal): boolean => {
  try {
    return hashLink(previousHash, toUnsealedEvent(row)) === hash
  } catch {
    // Docket never writes such a value.
    return false
  }
}

/** Finds the `audit.purged` row with the hash from which the chain continues. */
const findPurge = async (tx: Tx, seal: Seal): Promise<Purged | null> => {
  const [row] = await tx
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.action, 'audit.purged'),
        sql`${auditEvents.details} @> ${JSON.stringify({ throughId: seal.auditId, throughHash: seal.hash })}::jsonb`,
      ),
    )
    .orderBy(desc(auditEvents.auditId))
    .limit(1)
  const rows = row?.details['rows']
  return row === undefined || typeof rows !== 'number'
    ? null
    : { throughId: seal.auditId, rows, at: row.at.toISOString() }
}

const readRow = async (tx: Tx, auditId: number): Promise<AuditRow | undefined> =>
  (await tx.select().from(auditEvents).where(eq(auditEvents.auditId, auditId)))[0]

const findStart = async (tx: Tx): Promise<Start | Broken | null> => {
  const [oldest] = await tx.select().from(auditSeals).orderBy(asc(auditSeals.auditId)).limit(1)
  if (oldest === undefined) return null
  if ((await readRow(tx, oldest.auditId)) !== undefined)
    return { whole: { auditId: 0, hash: firstHash, at: null }, purged: null, knownRows: lowest }
  const purged = await findPurge(tx, oldest)
  if (purged === null) return describeBreak(oldest.auditId, undefined, 'removed')
  return { whole: { ...oldest, at: null }, purged, knownRows: lowest }
}

const resumeAtCursor = async (tx: Tx, cursor: string): Promise<Start> => {
  const [, id = '', hash = ''] = /^([1-9]\d{0,14})-([\da-f]{64})$/.exec(cursor) ?? []
  const [seal] = await tx
    .select()
    .from(auditSeals)
    .where(eq(auditSeals.auditId, Number(id)))
  if (seal === undefined || seal.hash !== hash)
    throw refusedFieldError('cursor', 'The audit changed meanwhile. Verify it again.')
  const [oldest] = await tx.select().from(auditSeals).orderBy(asc(auditSeals.auditId)).limit(1)
  const whole = { ...seal, at: toTime(await readRow(tx, seal.auditId)) }
  return { whole, purged: await findPurge(tx, oldest!), knownRows: seal.auditId }
}

/** Compares hashes with their rows. Returns the last row that fits, and the first break. */
const compareWithSeals = (start: Whole, seals: readonly Seal[], rows: readonly AuditRow[]) => {
  let whole = start
  for (const [index, seal] of seals.entries()) {
    const row = rows[index]
    if (row === undefined || row.auditId > seal.auditId)
      return { whole, rows: index, broken: describeBreak(seal.auditId, undefined, 'removed') }
    if (row.auditId < seal.auditId) return { whole, rows: index, broken: describeBreak(row.auditId, row, 'inserted') }
    if (!matchesSeal(whole.hash, row, seal))
      return { whole, rows: index, broken: describeBreak(seal.auditId, row, 'changed') }
    whole = { ...seal, at: toTime(row) }
  }
  const extra = rows[seals.length]
  return {
    whole,
    rows: seals.length,
    broken: extra === undefined ? null : describeBreak(extra.auditId, extra, 'inserted'),
  }
}

const readUnsealed = async (tx: Tx): Promise<AuditVerification['unsealed']> => {
  const { rows } = await tx.execute<{ rows: number; oldest: string | null }>(sql`
    select count(*)::int as rows, min(at) filter (where isfinite(at)) as oldest from ${auditEvents}
    where audit_id > coalesce((select max(audit_id) from ${auditSeals}), 0)`)
  const { rows: count, oldest } = rows[0]!
  return { rows: count, oldestAt: oldest && new Date(oldest).toISOString() }
}

/**
 * Verifies the chain in one snapshot from `cursor`, or its beginning, for about `budgetMs`. Throws `invalid_request` for a stale cursor.
 */
export const verifyAudit = (
  db: Database,
  { cursor, budgetMs }: { cursor?: string | undefined; budgetMs: number },
): Promise<AuditVerification> =>
  db.transaction(
    async (tx) => {
      const deadline = performance.now() + budgetMs
      const start = cursor === undefined ? await findStart(tx) : await resumeAtCursor(tx, cursor)
      const result: AuditVerification = {
        rows: 0,
        purged: null,
        through: null,
        broken: null,
        unsealed: null,
        nextCursor: null,
      }
      if (start === null) return { ...result, unsealed: await readUnsealed(tx) }
      if ('problem' in start) return { ...result, broken: start, unsealed: await readUnsealed(tx) }
      let { whole: through, knownRows } = start
      result.purged = start.purged
      for (;;) {
        const seals = await tx
          .select()
          .from(auditSeals)
          .where(gt(auditSeals.auditId, through.auditId))
          .orderBy(asc(auditSeals.auditId))
          .limit(pieceRows)
        const last = seals.at(-1)
        const rows = await tx
          .select()
          .from(auditEvents)
          .where(and(gt(auditEvents.auditId, knownRows), lte(auditEvents.auditId, last?.auditId ?? through.auditId)))
          .orderBy(asc(auditEvents.auditId))
          .limit(pieceRows)
        const piece = compareWithSeals(through, seals, rows)
        result.rows += piece.rows
        through = piece.whole
        result.broken = piece.broken
        if (piece.broken !== null || last === undefined) break
        knownRows = last.auditId
        if (performance.now() > deadline) return { ...result, through, nextCursor: `${last.auditId}-${last.hash}` }
      }
      return {
        ...result,
        through: through.auditId === 0 ? null : through,
        unsealed: await readUnsealed(tx),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** Verifies the whole chain of a database that is not open here. `knownHash` is its hash for the row `knownId`, or undefined. */
export const verifyAuditOn = async (
  config: ClientConfig,
  knownId?: number,
): Promise<{ verification: AuditVerification; knownHash: Seal['hash'] | undefined }> => {
  const onConnect = (client: ClientBase) => prepareSession(client, sessionSettings, { reads: true }) as unknown as void
  const pool = new Pool({ Client: PostgresClient, ...config, max: 1, connectionTimeoutMillis: 5_000, onConnect })
  pool.on('error', () => {})
  try {
    const db = drizzle(pool)
    const { rows } = await db.execute<{ exists: boolean }>(sql`select to_regclass('audit_seals') is not null as exists`)
    if (rows[0]?.exists !== true) throw new Error('The audit of this database has no chain yet. Start Docket once.')
    const verification = await verifyAudit(db, { budgetMs: Number.POSITIVE_INFINITY })
    const [seal] =
      knownId === undefined ? [] : await db.select().from(auditSeals).where(eq(auditSeals.auditId, knownId))
    return { verification, knownHash: seal?.hash }
  } finally {
    await pool.end()
  }
}
