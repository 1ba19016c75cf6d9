import type { Ending, HistoryKind, RecordKey } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Rows never change, except that they follow a job to another connection. They are deleted after the retention. */
export const historyEvents = pgTable(
  'history_events',
  {
    /** Grows with every event of a record, and with every ending across all records. */
    eventId: bigint('event_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    recordType: text('record_type').$type<RecordKey['type']>().notNull(),
    /** `exportId`, or `projectId` and `id` as a JSON array. */
    recordKey: text('record_key').notNull(),
    /** Connection of a job, whose key is unique only within it. Null for exports, and in events of an earlier version. */
    connectionId: uuid('connection_id'),
    kind: text('kind').$type<HistoryKind>().notNull(),
    at: instant('at').notNull(),
    until: instant('until'),
    field: text('field'),
    from: text('from_value'),
    to: text('to_value'),
    /** The person; null for an observation by Docket. */
    by: text('by'),
    /** Set when other pages show the event as a notice. */
    ending: text('ending').$type<Ending>(),
  },
  (t) => [
    index('history_events_record').on(t.recordType, t.recordKey, t.eventId),
    index('history_events_age').on(t.recordType, t.at),
    index('history_events_endings')
      .on(t.eventId)
      .where(sql`${t.ending} is not null`),
  ],
)
