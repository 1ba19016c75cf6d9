import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { endTimedOutPrompts } from '#records/agent-jobs/prompts/prompt-outcome.ts'
import type { Database } from '#ground/db/database.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { JobsCtx, JobsHere } from '#records/agent-jobs/jobs-ctx.ts'
import { readJob } from './read-jobs.ts'
import type { Polling } from '#service/polling/polling.ts'
import { createRecordReader } from '#service/polling/reader.ts'
import { createRecordWatcher } from '#service/polling/watcher.ts'
import { listJobEvents, measureJobDuration } from './agent-jobs.history.ts'
import {
  countJobChange,
  isJob,
  type JobKey,
  locateJob,
  jobNotFollowedError,
  recordJobEvents,
  type RequestedJob,
} from './agent-jobs.rows.ts'
import { afterAnswer, afterFailure, selectWritableColumns } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { forgetDismissedAbsence } from './mark-job.ts'
import { storePullRequest, omitPullRequest } from './pull-request.ts'

export const createJobReader = ({ adminApi, ...deps }: { db: Database; adminApi: AdminApi; polling: Polling }) =>
  createRecordReader(
    { ...deps, toKey: ({ connectionId, projectId, id }: JobKey) => ({ connectionId, projectId, id }) },
    {
      table: agentJobs,
      condition: isJob,
      ask: (row) => adminApi.getAgentJob(row),
      afterAnswer,
      afterFailure,
      measureDuration: measureJobDuration,
      onOutcome: async (tx, before, after) => {
        await storePullRequest(tx, before, after)
        await forgetDismissedAbsence(tx, before, after)
      },
      // Since the claim, people may have viewed or marked the job, and code hosts may have been read.
      selectChanges: (row) => {
        const { viewedUntil, settledTrouble, note, noteBy, noteAt, askedBy, prompts, ...changes } =
          selectWritableColumns(row)
        return omitPullRequest(changes)
      },
      countChange: countJobChange,
      listEvents: listJobEvents,
      recordEvents: recordJobEvents,
    },
  )

/** Polls followed jobs, and ends prompts without an answer as `unknown`. */
export const openJobsAt = (
  deps: Ctx & Pick<JobsHere, 'adminApi' | 'polling' | 'readPullRequest' | 'listAllowed'> & { promptsAllowed: boolean },
): JobsHere => {
  const { db, log, adminApi, polling, readPullRequest, listAllowed, promptsAllowed } = deps
  const { connectionId, now, schedule, embedded } = polling
  const { readNow, readClaimed } = createJobReader(deps)
  const watcher = createRecordWatcher({
    name: 'agent jobs',
    db,
    table: agentJobs,
    polling,
    read: readClaimed,
    endTimedOut: (owner) =>
      endTimedOutPrompts(db, { now: now(), schedule }, owner === undefined ? undefined : { owner, connectionId }),
    log,
  })
  const abilities = { embedded, isOpen: true, promptsAllowed }
  return { adminApi, polling, watcher, readNow, readPullRequest, abilities, listAllowed }
}

/** A failed read sets `checkFailure`. Rejects only while the service asks for a pause. */
export const checkJob = async (ctx: JobsCtx, job: RequestedJob, by: Actor) => {
  const key = await locateJob(ctx.db, job)
  const { jobs: here } = ctx.connections.open(key.connectionId)
  if (!(await here.readNow(key, by))) throw jobNotFollowedError()
  await here.readPullRequest(key)
  here.watcher.wake()
  return readJob(ctx, key)
}
