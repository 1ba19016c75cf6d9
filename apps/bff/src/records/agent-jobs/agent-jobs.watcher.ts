import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { endTimedOutPrompts } from '#records/agent-jobs/prompts/prompt-outcome.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import type { Polling } from '#service/polling/polling.ts'
import { recordReader } from '#service/polling/reader.ts'
import { recordWatcher } from '#service/polling/watcher.ts'
import { listEvents, measureDuration } from './agent-jobs.history.ts'
import { countJobChange, isJob, type JobKey, recordJobEvents } from './agent-jobs.rows.ts'
import { afterAnswer, afterFailure, selectWritable } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { forgetDismissedAbsence } from './mark-job.ts'
import { keepPullRequest, withoutPullRequest } from './pull-request.ts'

/** Reads followed jobs upstream. */
export const agentJobReader = ({ adminApi, ...deps }: { db: Database; adminApi: AdminApi; polling: Polling }) =>
  recordReader(
    { ...deps, toKey: ({ connectionId, projectId, id }: JobKey) => ({ connectionId, projectId, id }) },
    {
      table: agentJobs,
      condition: isJob,
      ask: (row) => adminApi.getAgentJob(row),
      afterAnswer,
      afterFailure,
      measureDuration,
      onOutcome: async (tx, before, after) => {
        await keepPullRequest(tx, before, after)
        await forgetDismissedAbsence(tx, before, after)
      },
      // People may have looked at it or marked it since it was claimed, and code hosts may have been asked.
      selectChanges: (row) => {
        const { viewedUntil, settledTrouble, note, noteBy, noteAt, askedBy, prompts, ...changes } = selectWritable(row)
        return withoutPullRequest(changes)
      },
      countChange: countJobChange,
      listEvents,
      recordEvents: recordJobEvents,
    },
  )

/** Polls followed jobs, and marks prompts without an answer as `unknown`. */
export const agentJobWatcher = (deps: {
  db: Database
  reader: ReturnType<typeof agentJobReader>
  polling: Polling
  log: Log
}) => {
  const { db, reader, polling, log } = deps
  const { connectionId, now, schedule } = polling
  return recordWatcher({
    name: 'agent jobs',
    db,
    table: agentJobs,
    polling,
    read: reader.readClaimed,
    endTimedOut: (owner) =>
      endTimedOutPrompts(db, { now: now(), schedule }, owner === undefined ? undefined : { owner, connectionId }),
    log,
  })
}
