import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Database } from '#db/database.ts'
import type { Actor } from '#identity/actor.ts'
import type { Log } from '#log/log.ts'
import type { Polling } from '#polling/polling.ts'
import { agentJobReader, agentJobWatcher } from './agent-jobs.watcher.ts'
import { attachJobs } from './attach-job.ts'

/** Follows, reads and watches agent jobs at one connection. */
export const agentJobOperations = (deps: { db: Database; adminApi: AdminApi; polling: Polling; log: Log }) => {
  const reader = agentJobReader(deps)
  return {
    watcher: agentJobWatcher({ ...deps, reader }),
    readNow: reader.readNow,
    schedule: deps.polling.schedule,
    follow: (keys: readonly AgentJobKey[], by: Actor) => attachJobs(deps, keys, by),
  }
}

/** What can be done with agent jobs at one connection. */
export type AgentJobOperations = ReturnType<typeof agentJobOperations>
