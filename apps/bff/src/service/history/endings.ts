import type { Activity } from '@docket/api-types/activity'
import type { RecordKey } from '@docket/api-types/history'
import { and, desc, isNotNull, lt } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { printRecordKey } from './history.ts'
import { historyEvents } from './history.table.ts'

type Ending = Activity['endings'][number]

export type Titles = {
  type: RecordKey['type']
  /** Keys are the names that `nameRecord` returns. Omits records that are not listed. */
  find: (keys: readonly RecordKey[]) => Promise<ReadonlyMap<string, { title: string; connectionId: string }>>
}

/** The name of a job includes its connection, if that is known. */
export const nameRecord = (key: RecordKey): string =>
  key.type === 'agent_job' ? `${printRecordKey(key)} ${key.connectionId ?? ''}` : printRecordKey(key)

// Removed records have no title, so the search may read several batches.
const batch = 50
const maxBatches = 10

const toRecordKey = ({
  recordType: type,
  recordKey,
  connectionId,
}: Pick<typeof historyEvents.$inferSelect, 'recordType' | 'recordKey' | 'connectionId'>): RecordKey => {
  if (type === 'static_export') return { type, exportId: recordKey }
  const [projectId = '', id = ''] = JSON.parse(recordKey) as string[]
  return { type, ...(connectionId !== null && { connectionId }), projectId, id }
}

const findTitles = async (keys: readonly RecordKey[], titles: readonly Titles[]) => {
  const known = await Promise.all(titles.map(({ type, find }) => find(keys.filter((key) => key.type === type))))
  const byType = new Map(titles.map(({ type }, place) => [type, known[place]]))
  return (key: RecordKey) => byType.get(key.type)?.get(nameRecord(key))
}

/** Newest first. `nextBefore` continues the list, even if this part has few endings or none; it is null at the end. */
export const listLatestEndings = async (
  tx: Tx,
  titles: readonly Titles[],
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<{ endings: Ending[]; nextBefore: number | null }> => {
  const endings: Ending[] = []
  let last = before
  for (let batches = 0; batches < maxBatches; batches += 1) {
    const rows = await tx
      .select()
      .from(historyEvents)
      .where(and(isNotNull(historyEvents.ending), last === undefined ? undefined : lt(historyEvents.eventId, last)))
      .orderBy(desc(historyEvents.eventId))
      .limit(batch)
    const keys = rows.map(toRecordKey)
    const findTitled = await findTitles(keys, titles)
    for (const [place, { eventId, at, ending }] of rows.entries()) {
      const key = keys[place]!
      const titled = findTitled(key)
      if (titled === undefined || ending === null) continue
      if (endings.length === limit) return { endings, nextBefore: endings.at(-1)!.eventId }
      endings.push({ eventId, at: at.toISOString(), key, ...titled, ending })
    }
    if (rows.length < batch) return { endings, nextBefore: null }
    last = rows.at(-1)!.eventId
    if (endings.length === limit) break
  }
  return { endings, nextBefore: last ?? null }
}
