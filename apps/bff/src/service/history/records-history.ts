import type { History, HistoryKind, RecordKey } from '@docket/api-types/history'
import type { Database, Tx } from '#ground/db/database.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { printRecordKey } from './history.ts'
import { historyEvents } from './history.table.ts'

const maxEvents = 200

// A history whose first event is not one of these is truncated.
const beginnings: readonly HistoryKind[] = ['requested', 'imported', 'followed', 'created', 'uploaded']

const belongsToRecord = (key: RecordKey) =>
  and(
    eq(historyEvents.recordType, key.type),
    eq(historyEvents.recordKey, printRecordKey(key)),
    // Events of an earlier version have no connection.
    key.type === 'agent_job' && key.connectionId !== undefined
      ? or(isNull(historyEvents.connectionId), eq(historyEvents.connectionId, key.connectionId))
      : undefined,
  )

/** Who began each record, by its printed key. Reads one indexed row a record; omits records whose first event is deleted. */
export const findBeginners = async (
  tx: Tx,
  type: RecordKey['type'],
  keys: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await tx.execute<{ key: string; by: string }>(sql`
    select k.key, e."by" from unnest(${sql.param([...keys])}::text[]) as k(key) cross join lateral (
      select h.kind, h."by" from ${historyEvents} h
      where h.record_type = ${type} and h.record_key = k.key order by h.event_id limit 1) e
    where e."by" is not null and e.kind = any(${sql.param([...beginnings])}::text[])`)
  return new Map(rows.map(({ key, by }) => [key, by]))
}

/** Reads one indexed row. */
export const readHistoryTag = async (tx: Tx, key: RecordKey, retentionDays: number): Promise<string> => {
  const [last] = await tx
    .select({ eventId: historyEvents.eventId, at: historyEvents.at })
    .from(historyEvents)
    .where(belongsToRecord(key))
    .orderBy(desc(historyEvents.eventId))
    .limit(1)
  // Includes the time, because a database restored from a backup reuses ids for other events.
  return `h${last?.eventId ?? 0}-${last?.at.getTime() ?? 0}-${retentionDays}`
}

/** Returns the latest 200 events, oldest first by id, independent of the clock. */
export const readHistory = async (tx: Tx, key: RecordKey, retentionDays: number): Promise<History> => {
  const rows = await tx
    .select()
    .from(historyEvents)
    .where(belongsToRecord(key))
    .orderBy(desc(historyEvents.eventId))
    .limit(maxEvents + 1)
  const events = rows.slice(0, maxEvents).toReversed()
  const first = events[0]
  return {
    events: events.map(({ eventId, kind, at, until, field, from, to, by }) => ({
      eventId,
      kind,
      at: at.toISOString(),
      until: until?.toISOString() ?? null,
      field,
      from,
      to,
      by,
    })),
    truncated: rows.length > maxEvents || first === undefined || !beginnings.includes(first.kind),
    retentionDays,
  }
}

const dayMs = 86_400_000

/** `ensureListed` rejects for an unlisted record. `now` in milliseconds since the epoch. */
export const openRecordHistory = <Key extends RecordKey>(
  { db, now, retentionDays }: { db: Database; now: () => number; retentionDays: number },
  findKey: () => Key | Promise<Key>,
  ensureListed: (key: Key) => Promise<unknown>,
) => ({
  /** Works even for an unlisted record. Reads one indexed row. */
  current: shareReads(async () => ({ tag: await readHistoryTag(db, await findKey(), retentionDays), now: now() })),
  /** `until`: when the oldest event may be deleted, in milliseconds since the epoch, or null. Rejects with `not_found` if unlisted. */
  read: async () => {
    const key = await findKey()
    await ensureListed(key)
    const value = await readHistory(db, key, retentionDays)
    const oldestMs = Math.min(...value.events.map(({ at }) => Date.parse(at)))
    return { value, until: value.events.length === 0 ? null : oldestMs + retentionDays * dayMs }
  },
})
