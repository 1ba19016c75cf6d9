import { inArray } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { listRevisions } from '#ground/db/revision.ts'

/** Number of listed records by connection; leaves out connections without any. */
export type RecordCounts = ReadonlyMap<string, { staticExports: number; agentJobs: number }>

/** Reads the counts that triggers keep. */
export const countRecords = async (tx: Tx): Promise<RecordCounts> => {
  const rows = await tx
    .select({ list: listRevisions.list, counts: listRevisions.connectionCounts })
    .from(listRevisions)
    .where(inArray(listRevisions.list, ['static_exports', 'agent_jobs']))
  const found = new Map<string, { staticExports: number; agentJobs: number }>()
  for (const { list, counts } of rows)
    for (const [key, count] of Object.entries(counts)) {
      const [connectionId = ''] = key.split('/')
      const sums = found.get(connectionId) ?? { staticExports: 0, agentJobs: 0 }
      sums[list === 'static_exports' ? 'staticExports' : 'agentJobs'] += count
      found.set(connectionId, sums)
    }
  return found
}
