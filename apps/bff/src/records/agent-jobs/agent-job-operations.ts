import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Database } from '#ground/db/database.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Log } from '#ground/log/log.ts'
import type { Polling } from '#service/polling/polling.ts'
import { agentJobReader, agentJobWatcher } from './agent-jobs.watcher.ts'
import { jobActions } from '#records/agent-jobs/actions/act-on-job.ts'
import { attachJobs, listProjectJobs } from './attach-job.ts'
import type { JobAbilities } from '#records/agent-jobs/actions/job-actions.ts'

/** Follows, reads and watches agent jobs at one connection. */
export const agentJobOperations = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  /** An admin switched the service's own list of jobs on. */
  listAllowed: boolean
  /** An admin allowed prompts. */
  promptsAllowed: boolean
  /** Reads the pull request of a job from its code host, where there is a token for it. */
  readPullRequest: (key: AgentJobKey) => Promise<void>
  log: Log
}) => {
  const { adminApi, polling, promptsAllowed } = deps
  const reader = agentJobReader(deps)
  const abilities: JobAbilities = { embedded: polling.embedded, isOpen: true, promptsAllowed }
  return {
    watcher: agentJobWatcher({ ...deps, reader }),
    readNow: reader.readNow,
    readPullRequest: deps.readPullRequest,
    schedule: deps.polling.schedule,
    list: (page: { projectId: string; skip: number }) => listProjectJobs(deps, page),
    abilities,
    act: jobActions({ ...deps, abilities }),
    readLog: (part: { projectId: string; id: string; offset: number }) =>
      polling.limiter.call(() => adminApi.readAgentJobLog(part), 'readAgentJobLog'),
    follow: (keys: readonly AgentJobKey[], by: Actor) => attachJobs(deps, keys, by),
  }
}

/** What can be done with agent jobs at one connection. */
export type AgentJobOperations = ReturnType<typeof agentJobOperations>
