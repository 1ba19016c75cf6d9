import type { RecordKey } from '@docket/api-types/activity'
import type { History } from '@docket/api-types/history'
import type { Database } from '#db/database.ts'
import type { Current } from '#http/polled/polled-answers.ts'
import { historyOf, historyTag } from './history-reading.ts'

/** The history of one record, for readers. */
export type RecordHistory = {
  /** Names its content; reads one indexed row. Says nothing about whether the record is listed. */
  current: () => Promise<Current>
  /** Rejects with `not_found` when the record is not listed. */
  read: () => Promise<History>
}

/** `ensureListed` rejects for a record that is not listed. `now`: milliseconds since the epoch. */
export const recordHistory = (
  { db, now, retentionDays }: { db: Database; now: () => number; retentionDays: number },
  key: RecordKey,
  ensureListed: () => Promise<unknown>,
): RecordHistory => ({
  current: async () => ({ tag: await historyTag(db, key, retentionDays), now: now() }),
  read: async () => {
    await ensureListed()
    return historyOf(db, key, retentionDays)
  },
})
