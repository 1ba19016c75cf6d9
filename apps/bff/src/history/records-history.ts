import type { RecordKey } from '@docket/api-types/activity'
import type { History, HistoryKind } from '@docket/api-types/history'
import type { Database, Tx } from '#db/database.ts'
import type { Revision } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { and, desc, eq } from 'drizzle-orm'
import { recordKeyOf } from './history.ts'
import { historyEvents } from './history.table.ts'

/** A history shows this many events at most. */
const mostEvents = 200

// A history that begins with none of these has lost its beginning.
const beginnings: readonly HistoryKind[] = ['requested', 'imported', 'followed', 'created']

const ofRecord = (key: RecordKey) =>
  and(eq(historyEvents.recordType, key.type), eq(historyEvents.recordKey, recordKeyOf(key)))

/** Names the present content of a record's history. Reads one indexed row. */
export const historyTag = async (tx: Tx, key: RecordKey, retentionDays: number): Promise<string> => {
  const [last] = await tx
    .select({ eventId: historyEvents.eventId, at: historyEvents.at })
    .from(historyEvents)
    .where(ofRecord(key))
    .orderBy(desc(historyEvents.eventId))
    .limit(1)
  // The instant too: a database restored from a backup gives the same ids to other events.
  return `h${last?.eventId ?? 0}-${last?.at.getTime() ?? 0}-${retentionDays}`
}

/** The latest 200 events of a record, oldest first: in the order in which Docket learnt of them, whatever its clock did. */
export const historyOf = async (tx: Tx, key: RecordKey, retentionDays: number): Promise<History> => {
  const rows = await tx
    .select()
    .from(historyEvents)
    .where(ofRecord(key))
    .orderBy(desc(historyEvents.eventId))
    .limit(mostEvents + 1)
  const events = rows.slice(0, mostEvents).toReversed()
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
    truncated: rows.length > mostEvents || first === undefined || !beginnings.includes(first.kind),
    retentionDays,
  }
}

/** The history of one record, for readers. */
export type RecordHistory = {
  /** Names its content; reads one indexed row. Says nothing about whether the record is listed. */
  current: () => Promise<Revision>
  /**
   * With when it changes although nothing happens, because its oldest event may be deleted (milliseconds since the epoch, or null).
   * Rejects with `not_found` when the record is not listed.
   */
  read: () => Promise<{ value: History; until: number | null }>
}

const dayMs = 86_400_000

/** `ensureListed` rejects for a record that is not listed. `now`: milliseconds since the epoch. */
export const recordHistory = (
  { db, now, retentionDays }: { db: Database; now: () => number; retentionDays: number },
  key: RecordKey,
  ensureListed: () => Promise<unknown>,
): RecordHistory => ({
  current: coalesce(async () => ({ tag: await historyTag(db, key, retentionDays), now: now() })),
  read: async () => {
    await ensureListed()
    const value = await historyOf(db, key, retentionDays)
    const oldestMs = Math.min(...value.events.map(({ at }) => Date.parse(at)))
    return { value, until: value.events.length === 0 ? null : oldestMs + retentionDays * dayMs }
  },
})
