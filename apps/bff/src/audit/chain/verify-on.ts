import type { AuditVerification } from '@docket/api-types/audit'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool, type ClientConfig } from 'pg'
import { auditSeals } from '#audit/audit.table.ts'
import type { Seal } from './seal.ts'
import { verifyAudit } from './verify.ts'

/**
 * Verifies the whole chain of a database that no Docket of this process has open. `knownHash` is the database's hash for the
 * row `knownId`; undefined if there is none.
 */
export const verifyAuditOn = async (
  config: ClientConfig,
  knownId?: number,
): Promise<{ verification: AuditVerification; knownHash: Seal['hash'] | undefined }> => {
  const pool = new Pool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
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
