import type { Projects } from '@docket/code-hosts/code-host'
import type { Repositories } from '@docket/code-hosts/embedded/repositories'
import { commandRunner } from '@docket/doc-agent/runners/command'
import { noAgentRunner } from '@docket/doc-agent/runners/no-agent'
import { testRunner } from '@docket/doc-agent/runners/test-runner'
import { openWorkFolders } from '@docket/doc-agent/work/work-folders'
import { adoptJobs } from '#agent-jobs/adopt-jobs.ts'
import { agentJobStore } from '#agent-jobs/agent-job-store.ts'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { importAgentJobs } from '#agent-jobs/import-agent-jobs.ts'
import { sentinelJobs } from '#agent-jobs/sentinels.ts'
import { jobLogs } from '#agent-jobs/story/job-logs.ts'
import { readPullRequest } from '#agent-jobs/story/job-story.ts'
import type { Database } from '#database/database.ts'
import type { Queues } from '#database/queues.ts'
import type { Log } from '#log.ts'
import { maintenanceRoutes } from '#maintenance/maintenance.routes.ts'
import { maintenancePreviews } from '#maintenance/preview.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import type { OwnCodeHost } from '#service/service-code-host.ts'

export const openAgentJobs = async (
  options: Pick<LocalAdminApiOptions, 'agent' | 'strict' | 'hasRoom'>,
  around: {
    projects: Projects
    repositories: Repositories
    codeHost: OwnCodeHost | null
    place: (...names: string[]) => string
    db: Database
    queues: () => Queues
    origin: () => string
    now: () => Date
    log: Log
  },
) => {
  const { agent = {}, strict = false, hasRoom } = options
  const { projects, repositories, codeHost, place, db, queues, origin, now, log } = around
  await importAgentJobs(db, { jobs: place('agent-jobs'), logs: place('agent-job-logs') }, codeHost, log)
  const remoteIds = projects.projectIds.filter((id) => !repositories.projectIds.includes(id))
  await adoptJobs(db, { own: codeHost, remoteIds }, log)
  const { command = null } = agent
  const hidden = [place(), ...(agent.hidden ?? [])]
  const runner = command === null ? (testRunner.current ?? noAgentRunner) : commandRunner({ ...agent, command, hidden })
  const workFolders = await openWorkFolders(place())
  const agentJobs = agentJobService({
    store: agentJobStore(db),
    queues,
    projects,
    codeHost,
    runner,
    workFolders,
    logs: jobLogs(db, log),
    now,
    log,
    limits: agent,
    hasRoom,
  })
  const maintenance = maintenancePreviews({ projects, workFolders, log })
  const { repositoryUrl } = projects
  return {
    agentJobs,
    maintenance,
    hasAgent: runner !== noAgentRunner,
    routes: agentJobRoutes({
      agentJobs,
      sentinels: sentinelJobs(),
      repositoryUrl,
      readPullRequest: (job) => readPullRequest(job, repositories),
      origin,
      strict,
    }),
    maintenanceRoutes: strict ? null : maintenanceRoutes(maintenance),
  }
}
