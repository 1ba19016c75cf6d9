import type { RecordKey } from '@docket/api-types/activity'
import { sql } from 'drizzle-orm'
import { redactProse } from '#log/redact.ts'
import type { Tx } from '#db/database.ts'
import { auditEvents } from './audited-events.ts'
import { historyEvents } from './history.table.ts'
import type { NewEvent } from './new-event.ts'

/** A key as `history_events` holds it. */
export const recordKeyOf = (key: RecordKey): string =>
  key.type === 'static_export' ? key.exportId : JSON.stringify([key.projectId, key.id])

const longest = 500

// Signed links are secrets, wherever a service puts them; of any address only the part before the query is kept.
const kept = (value: string | null | undefined): string | null =>
  value === null || value === undefined ? null : redactProse(value, []).slice(0, longest).toWellFormed()

/**
 * Writes what happened to a record, in the transaction that makes it happen, and last in it, after `countChange`: whoever writes events
 * of the same record, or an ending of any, waits for its end. So ids of one record's events are in the order in which they become
 * visible, and those of endings are so over all lists: a reader who saw one has seen all before it. Texts are cut at 500 characters,
 * and links lose their query. What somebody did is written into the audit too.
 */
export const recordEvents = async (tx: Tx, key: RecordKey, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  await auditEvents(tx, key, events)
  const numbered = [`docket events of ${key.type} ${recordKeyOf(key)}`]
  if (events.some(({ ending }) => ending !== undefined)) numbered.push('docket endings')
  const locks = numbered.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  await tx.execute(sql`select ${sql.join(locks, sql`, `)}`)
  await tx.insert(historyEvents).values(
    events.map(({ kind, at, until, field, from, to, by, ending }) => ({
      recordType: key.type,
      recordKey: recordKeyOf(key),
      kind,
      at,
      until: until ?? null,
      field: field ?? null,
      from: kept(from),
      to: kept(to),
      by: kept(by?.name),
      ending: ending ?? null,
    })),
  )
}
