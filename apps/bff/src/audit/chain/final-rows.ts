import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'

const pauseMs = 50

/** Transactions that have written to the audit and are still open. */
const writers = sql`select virtualtransaction as writer from pg_locks
  where relation = 'audit_events'::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`

const readWriters = async (db: Pick<Database, 'execute'>): Promise<Set<string>> =>
  new Set((await db.execute<{ writer: string }>(writers)).rows.map(({ writer }) => writer))

/**
 * The id up to which no further row can appear; gaps below it are rollbacks. An insert locks the table until its transaction ends, and
 * takes its id after that. So every id below the last one is settled once the transactions that held this lock right after have ended.
 * None of them has to wait. Null if one of them takes longer than `waitMs`.
 */
export const findFinalId = async (db: Pick<Database, 'execute'>, waitMs: number): Promise<number | null> => {
  const { rows } = await db.execute<{ id: string }>(sql`select last_value as id from audit_events_audit_id_seq`)
  // In a statement of its own, after the id was read: in one, the list of locks could be the older of the two.
  const open = await readWriters(db)
  const deadline = performance.now() + waitMs
  while (open.size > 0) {
    if (performance.now() > deadline) return null
    await delay(pauseMs)
    const now = await readWriters(db)
    for (const writer of open) if (!now.has(writer)) open.delete(writer)
  }
  return Number(rows[0]!.id)
}
