import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { endTimedOutPrompts } from '#agent-jobs/prompts/timed-out-prompts.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import type { WatchLoop } from '#polling/loop.ts'
import type { Polling } from '#polling/polling.ts'
import { recordReader, type RecordReader } from '#polling/reader.ts'
import { recordWatcher } from '#polling/watcher.ts'
import { listEvents, measureDuration } from './agent-jobs.history.ts'
import { countJobChange, isJob, recordJobEvents } from './agent-jobs.rows.ts'
import { afterAnswer, afterFailure, type AgentJobRow, selectWritable } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

/** Reads followed jobs upstream. */
export const agentJobReader = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
}): RecordReader<AgentJobRow, AgentJobKey> => {
  const { db, adminApi, polling } = deps
  const runningSince = polling.now()
  const toMoment = (now: number) => ({ now, runningSince, held: polling.limiter.lastPause() })
  const toKey = ({ projectId, id }: AgentJobKey) => ({ projectId, id })
  return recordReader(
    { db, polling, toKey },
    {
      table: agentJobs,
      condition: isJob,
      ask: (row) => adminApi.getAgentJob(row),
      afterAnswer: (row, answer, clock) => measureDuration(row, afterAnswer(row, answer, clock), toMoment(clock.now)),
      afterFailure,
      // A person may have opened the job's page since the claim.
      selectChanges: (row) => {
        const { viewedUntil, ...changes } = selectWritable(row)
        return changes
      },
      countChange: countJobChange,
      toEvents: (before, after) => listEvents(before, after, toMoment(polling.now())),
      recordEvents: recordJobEvents,
    },
  )
}

/** Polls followed jobs, and marks prompts without an answer as `unknown`. */
export const agentJobWatcher = (deps: {
  db: Database
  reader: Pick<RecordReader<AgentJobRow, AgentJobKey>, 'readClaimed'>
  polling: Polling
  log: Log
}): WatchLoop => {
  const { db, reader, polling, log } = deps
  const { now, schedule } = polling
  let recovered = false
  return recordWatcher({
    name: 'agent jobs',
    db,
    table: agentJobs,
    polling,
    read: reader.readClaimed,
    beforeClaim: async () => {
      const orphanOwner = recovered || !polling.alone ? undefined : polling.lease.owner
      await endTimedOutPrompts(db, { now: now(), schedule }, orphanOwner)
      recovered = true
    },
    log,
  })
}
