import type { RecordKey } from '@docket/api-types/activity'
import type { History, HistoryKind } from '@docket/api-types/history'
import { and, desc, eq } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
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
