import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { and, eq, type SQL } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { selectWritable, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { listEvents, measureDuration } from '#agent-jobs/agent-jobs.events.ts'
import { afterAnswer, afterFailure } from '#agent-jobs/agent-jobs.outcome.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database, Tx } from '#db/database.ts'
import { countChange } from '#db/revision.ts'
import { recordEvents } from '#history/history.ts'
import type { NewEvent } from '#history/new-event.ts'
import type { Polling } from '#polling/polling.ts'
import { recordReader, type RecordReader } from '#polling/reader.ts'

/** The condition that names one job. */
export const isJob = ({ projectId, id }: AgentJobKey): SQL | undefined =>
  and(eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))

/** Counts the change of a job, last in the transaction that made it. */
export const countJobChange = (tx: Tx, key: AgentJobKey): Promise<void> =>
  countChange(tx, { name: 'agent_jobs', table: agentJobs }, isJob(key))

/** Writes what happened to a job into its history; last in the transaction, after `countJobChange`. */
export const recordJobEvents = (tx: Tx, { projectId, id }: AgentJobKey, events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, { type: 'agent_job', projectId, id }, events)

/** Reads followed jobs upstream. */
export const agentJobReader = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
}): RecordReader<AgentJobRow, AgentJobKey> => {
  const { db, adminApi, polling } = deps
  const runningSince = polling.now()
  const momentOf = (now: number) => ({ now, runningSince, held: polling.limiter.lastPause() })
  const keyOf = ({ projectId, id }: AgentJobKey) => ({ projectId, id })
  return recordReader(
    { db, polling, keyOf },
    {
      table: agentJobs,
      named: isJob,
      ask: (row) => adminApi.getAgentJob(row),
      afterAnswer: (row, answer, clock) => measureDuration(row, afterAnswer(row, answer, clock), momentOf(clock.now)),
      afterFailure,
      // Readers may have looked at it since it was claimed.
      changesOf: (row) => {
        const { viewedUntil, ...changes } = selectWritable(row)
        return changes
      },
      countChange: countJobChange,
      recordHistory: (tx, key, { change, click }) =>
        recordJobEvents(tx, key, [
          ...(click === null ? [] : [{ kind: 'checked', ...click } as const]),
          ...(change === null ? [] : listEvents(change.before, change.after, momentOf(polling.now()))),
        ]),
    },
  )
}
