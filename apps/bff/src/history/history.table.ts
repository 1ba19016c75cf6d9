import type { RecordKey } from '@docket/api-types/activity'
import type { HistoryKind } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#db/watch-columns.ts'

/** What was observed of records and what people did to them. Rows are added and, after the retention, deleted; never changed. */
export const historyEvents = pgTable(
  'history_events',
  {
    eventId: bigint('event_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    recordType: text('record_type').$type<RecordKey['type']>().notNull(),
    /** `exportId`, or `projectId` and `id` as a JSON array. */
    recordKey: text('record_key').notNull(),
    kind: text('kind').$type<HistoryKind>().notNull(),
    at: instant('at').notNull(),
    until: instant('until'),
    field: text('field'),
    from: text('from_value'),
    to: text('to_value'),
    /** Who did it; null for what Docket observed by itself. */
    by: text('by'),
  },
  (t) => [
    index('history_events_record').on(t.recordType, t.recordKey, t.at, t.eventId),
    index('history_events_age').on(t.recordType, t.at),
    index('history_events_endings')
      .on(t.eventId.desc())
      .where(sql`${t.kind} in ('completed', 'failed', 'refused', 'answer_lost', 'pull_request_reported', 'gone')`),
  ],
)
