import { and, desc, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#db/database.ts'
import type { WatchedTable } from '#watch/claim.ts'
import { ageEdgesMs, perBucket, type RecordKind } from './ages.ts'
import type { Ending } from './hazards.ts'
import { nothing, type KindLoad } from './policy.ts'
import type { Watched } from './schedule.ts'

/** A table whose records end. */
export type ChangingTable = WatchedTable &
  Record<'changingSince' | 'unfinishedAt' | 'checkedAt' | 'viewedUntil' | 'finishedAt' | 'goneAt', PgColumn>

/** Enough that also ends seen rarely, far apart from the read before, tell how long records run. */
const endingsLearntFrom = 2000

/** Records that are polled until they end. */
export const isChanging = (table: ChangingTable) =>
  and(isNotNull(table.nextCheckAt), isNull(table.finishedAt), isNull(table.goneAt), isNull(table.removedAt))

const loadOf = async (db: Database, table: ChangingTable, nowMs: number): Promise<KindLoad> => {
  const at = new Date(nowMs)
  const ageMs = sql`(extract(epoch from ${at}::timestamptz - ${table.changingSince}) * 1000)::float8`
  const edges = sql.raw(`array[${ageEdgesMs.join(',')}]::float8[]`)
  const rows = await db
    .select({
      bucket: sql<number>`width_bucket(${ageMs}, ${edges})`,
      changing: sql<number>`count(*)::int`,
      viewed: sql<number>`count(*) filter (where ${table.viewedUntil} > ${at})::int`,
    })
    .from(table)
    .where(and(isChanging(table), isNotNull(table.changingSince)))
    .groupBy(sql`1`)
  const changing = perBucket(() => 0)
  const viewed = perBucket(() => 0)
  for (const row of rows) {
    changing[row.bucket] = row.changing
    viewed[row.bucket] = row.viewed
  }
  return { changing, viewed }
}

const endingsOf = (db: Database, table: ChangingTable): Promise<Ending[]> => {
  const age = (column: PgColumn) => sql<number>`(extract(epoch from ${column} - ${table.changingSince}) * 1000)::float8`
  return db
    .select({ fromMs: age(table.unfinishedAt), toMs: age(table.finishedAt) })
    .from(table)
    .where(
      and(
        isNotNull(table.unfinishedAt),
        isNotNull(table.finishedAt),
        // Not true of what a clock that was set back left behind.
        gte(table.unfinishedAt, table.changingSince),
        gte(table.finishedAt, table.unfinishedAt),
      ),
    )
    .orderBy(desc(table.finishedAt))
    .limit(endingsLearntFrom)
}

/** What the database knows of the load: records of all replicas. Two small queries for each table, answered from partial indexes. */
export const watchedRecords = (db: Database, tables: Readonly<Partial<Record<RecordKind, ChangingTable>>>): Watched => {
  const { static_exports: exports, agent_jobs: jobs } = tables
  return {
    load: async (nowMs) => {
      const [ofExports, ofJobs] = await Promise.all([
        exports === undefined ? nothing : loadOf(db, exports, nowMs),
        jobs === undefined ? nothing : loadOf(db, jobs, nowMs),
      ])
      return { static_exports: ofExports, agent_jobs: ofJobs }
    },
    endings: async () => {
      const [ofExports, ofJobs] = await Promise.all([
        exports === undefined ? [] : endingsOf(db, exports),
        jobs === undefined ? [] : endingsOf(db, jobs),
      ])
      return { static_exports: ofExports, agent_jobs: ofJobs }
    },
  }
}
