import { and, desc, eq, inArray } from 'drizzle-orm'
import type { JobKey } from '#records/agent-jobs/agent-jobs.rows.ts'
import type { Database } from '#ground/db/database.ts'
import { agentPrompts } from './agent-prompts.table.ts'

const toText = ({ connectionId, projectId, id }: JobKey) => `${connectionId} ${projectId} ${id}`

/** Tells the jobs whose latest accepted prompt is a maintenance order, which needs no agent. */
export const readOrders = async (db: Database, keys: readonly JobKey[]): Promise<(key: JobKey) => boolean> => {
  if (keys.length === 0) return () => false
  const { connectionId, projectId, jobId, state, sentAt, maintenance } = agentPrompts
  const rows = await db
    .selectDistinctOn([connectionId, projectId, jobId], { connectionId, projectId, id: jobId, maintenance })
    .from(agentPrompts)
    .where(
      and(
        eq(state, 'accepted'),
        inArray(projectId, [...new Set(keys.map((key) => key.projectId))]),
        inArray(
          jobId,
          keys.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(connectionId, projectId, jobId, desc(sentAt))
  const orders = new Set(rows.flatMap((row) => (row.maintenance === null ? [] : toText({ ...row, id: row.id! }))))
  return (key) => orders.has(toText(key))
}
