import { lt, lte, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { daysAgo, deleteInBatches } from '#ground/db/delete-old-rows.ts'
import { recordAudit } from './audit.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { auditEvents, auditSeals } from './audit.table.ts'
import { lockChain } from './seal.ts'

const batch = 10_000

/**
 * Deletes sealed rows older than `retentionDays` in batches, oldest first. Each batch keeps its last hash and writes an `audit.purged`
 * row, from which the chain can be verified. `now` in milliseconds since the epoch. Returns how many rows it deleted.
 */
export const purgeAudit = async (db: Database, now: number, retentionDays: number): Promise<number> => {
  const old = sql`
    with oldest as (
      select audit_id as id, at < ${daysAgo(now, retentionDays)} and hash is not null as deletable, hash
      from ${auditEvents} left join ${auditSeals} using (audit_id) order by audit_id limit ${batch}
    )
    select id::int8 as "throughId", hash as "throughHash", count(*) over () as rows from oldest
    where id < coalesce((select min(id) from oldest where not deletable), id + 1) order by id desc limit 1`
  return deleteInBatches(batch, () =>
    db.transaction(async (tx) => {
      await lockChain(tx)
      const { rows } = await tx.execute<{ throughId: string; throughHash: string; rows: string }>(old)
      if (rows[0] === undefined) return 0
      const purged = { ...rows[0], throughId: Number(rows[0].throughId), rows: Number(rows[0].rows) }
      await tx.execute(sql`set local docket.audit_retention = 'sealed'`)
      await tx.delete(auditEvents).where(lte(auditEvents.auditId, purged.throughId))
      await tx.delete(auditSeals).where(lt(auditSeals.auditId, purged.throughId))
      await recordAudit(tx, docketActor, { action: 'audit.purged', at: new Date(now), details: purged })
      return purged.rows
    }),
  )
}
