import { sql } from 'drizzle-orm'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Tx } from '#db/database.ts'
import { agentPrompts } from './agent-prompts.table.ts'

/**
 * Deletes prompts that are older than `days` and belong to nothing: no job is kept that they are about, and nobody has to decide about
 * them. One of the last 30 days stays, because its `requestId` must go on to keep a repeated request from being sent again. `now` in
 * milliseconds since the epoch. Answers with how many.
 */
export const purgePrompts = async (tx: Tx, { now, days }: { now: number; days: number }): Promise<number> => {
  // Never by a clock that is ahead of the database's.
  const old = sql`least(${new Date(now).toISOString()}::timestamptz, clock_timestamp()) - ${Math.max(days, 30)} * interval '1 day'`
  const job = sql`select from ${agentJobs} where ${agentJobs.projectId} = ${agentPrompts.projectId} and ${agentJobs.id} = ${agentPrompts.jobId}`
  const open = sql`${agentPrompts.state} in ('sending', 'unknown') and ${agentPrompts.jobId} is null and ${agentPrompts.forgottenAt} is null and ${agentPrompts.replacedBy} is null`
  const { rowCount } = await tx.execute(
    sql`delete from ${agentPrompts} where ${agentPrompts.sentAt} < ${old} and not (${open}) and not exists (${job})`,
  )
  return rowCount ?? 0
}
