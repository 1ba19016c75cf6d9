import { and, isNull } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { recordMarks } from '#records/mark-record.ts'
import { countJobChange, isJob, recordJobEvents } from './agent-jobs.rows.ts'
import type { AgentJobRow } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

export const jobMarks = recordMarks({
  table: agentJobs,
  isRecord: isJob,
  countChange: countJobChange,
  recordEvents: recordJobEvents,
})

/**
 * Forgets that the absence of a job was dismissed once the service finds it again without other trouble, because a finished job keeps its
 * time of trouble.
 */
export const forgetDismissedAbsence = async (tx: Tx, before: AgentJobRow, after: AgentJobRow): Promise<void> => {
  if (before.goneAt === null || after.goneAt !== null) return
  await tx
    .update(agentJobs)
    .set({ settledTrouble: null })
    .where(and(isJob(after), isNull(agentJobs.troubledAt)))
}
