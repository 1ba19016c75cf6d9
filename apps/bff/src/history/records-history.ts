import type { RecordKey } from '@docket/api-types/activity'
import type { History } from '@docket/api-types/history'
import type { Database } from '#db/database.ts'
import type { Revision } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { historyOf, historyTag } from './history-reading.ts'

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
