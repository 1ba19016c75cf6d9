import { sql } from 'drizzle-orm'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { daysAgo } from '#ground/db/delete-old-rows.ts'
import { agentPrompts } from './agent-prompts.table.ts'

/**
 * Deletes prompts older than `days` whose job is deleted and that need no decision. Spares those of the last 30 days,
 * because their `requestId` keeps a repeated request from being sent again. `now` in milliseconds since the epoch.
 * Returns the number of deleted prompts.
 */
export const purgePrompts = async (tx: Tx, { now, days }: { now: number; days: number }): Promise<number> => {
  const job = sql`select from ${agentJobs} where ${agentJobs.connectionId} = ${agentPrompts.connectionId} and ${agentJobs.projectId} = ${agentPrompts.projectId} and ${agentJobs.id} = ${agentPrompts.jobId}`
  const open = sql`${agentPrompts.state} in ('sending', 'unknown') and ${agentPrompts.jobId} is null and ${agentPrompts.forgottenAt} is null and ${agentPrompts.replacedBy} is null`
  const { rowCount } = await tx.execute(
    sql`delete from ${agentPrompts} where ${agentPrompts.sentAt} < ${daysAgo(now, Math.max(days, 30))} and not (${open}) and not exists (${job})`,
  )
  return rowCount ?? 0
}
