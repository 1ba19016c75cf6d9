import type { CheckFailure } from '@docket/api-types/api-error'
import { bigint, integer, jsonb, text, timestamp } from 'drizzle-orm/pg-core'

/** An instant with milliseconds, always read back as a `Date`. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Columns of every record that a watcher reads from the Admin API again and again. */
export const watchColumns = {
  /** When the record is due for the next read. Null when Docket has stopped polling it. */
  nextCheckAt: instant('next_check_at'),
  /** Process that is reading the record. It may write the result only while it still has the lease. */
  leaseOwner: text('lease_owner'),
  leaseUntil: instant('lease_until'),
  failures: integer('failures').notNull().default(0),
  /** Start of the change; the age of the record counts from here. Null until the first answer. */
  changingSince: instant('changing_since'),
  /** When a read last found the record still changing. */
  unfinishedAt: instant('unfinished_at'),
  /** Until then, the record counts as displayed to a person, so it is read before others. */
  viewedUntil: instant('viewed_until'),
  checkedAt: instant('checked_at'),
  checkFailure: jsonb('check_failure').$type<CheckFailure>(),
  /** Time of the first successful read. Null before it, and for a record that only an earlier build has read. */
  foundAt: instant('found_at'),
  /** Time of the first 404 since the last successful read, and number of them. Invalid when `checkedAt` is later. */
  missingSince: instant('missing_since'),
  missingReads: integer('missing_reads').notNull().default(0),
  /** The list's revision that last changed this row. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
  /** Set when a person removes the record from the list, and cleared when they undo that. */
  removedAt: instant('removed_at'),
}
