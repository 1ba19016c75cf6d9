import type { RecordKey } from '@docket/api-types/history'
import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'
import { daysAgo, deleteInBatches } from '#ground/db/delete-old-rows.ts'
import { historyEvents } from './history.table.ts'

/** In days, by the kind of record. */
export type Retention = Readonly<Record<'staticExports' | 'agentJobs', number>>

const types = { staticExports: 'static_export', agentJobs: 'agent_job' } as const satisfies Record<
  keyof Retention,
  RecordKey['type']
>

const batch = 1_000

/** Deletes in small batches, to keep locks short. Safe in several processes. Returns the number of deleted events. */
export const deleteOldHistory = async (tx: Tx, now: number, retention: Retention): Promise<number> => {
  let deleted = 0
  for (const kind of ['staticExports', 'agentJobs'] as const) {
    const cutoff = daysAgo(now, retention[kind])
    const old = sql`select ctid from ${historyEvents} where ${historyEvents.recordType} = ${types[kind]} and ${historyEvents.at} < ${cutoff} order by ${historyEvents.at} limit ${batch} for update skip locked`
    deleted += await deleteInBatches(batch, async () => {
      const { rowCount } = await tx.execute(sql`delete from ${historyEvents} where ctid = any(array(${old}))`)
      return rowCount ?? 0
    })
  }
  return deleted
}

/** Deletes each record with its events. `keyText` is the key in `history_events`. Returns the number of deleted records. */
export const purgeRemovedRecords = (
  tx: Tx,
  records: { type: RecordKey['type']; table: PgTable & Record<'removedAt', PgColumn>; keyText: SQL; spared?: SQL },
  { now, days }: { now: number; days: number },
): Promise<number> => {
  const { type, table, keyText, spared } = records
  const old = sql`select ctid from ${table} where ${table.removedAt} < ${daysAgo(now, days)} ${spared === undefined ? sql`` : sql`and not (${spared})`} order by ${table.removedAt} limit ${batch} for update skip locked`
  return deleteInBatches(batch, async () => {
    const { rows } = await tx.execute<{ purged: number }>(sql`with
      purged as (delete from ${table} where ctid = any(array(${old})) returning ${keyText} as key, connection_id),
      told as (delete from ${historyEvents} using purged where ${historyEvents.recordType} = ${type} and ${historyEvents.recordKey} = purged.key
        and (${historyEvents.connectionId} is null or ${historyEvents.connectionId} = purged.connection_id))
      select count(*)::int as purged from purged`)
    return rows[0]?.purged ?? 0
  })
}

const dayMs = 86_400_000

/** Records are deleted `days` after their removal, but not before `sparedUntil`. Empty for a listed record. */
export const describeRemoval = ({ removedAt }: { removedAt: Date | null }, days: number, sparedUntil?: Date) =>
  removedAt === null
    ? {}
    : {
        removedAt: removedAt.toISOString(),
        deletedAfter: new Date(Math.max(removedAt.getTime() + days * dayMs, sparedUntil?.getTime() ?? 0)).toISOString(),
      }
