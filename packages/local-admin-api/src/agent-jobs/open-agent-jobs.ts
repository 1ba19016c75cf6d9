import { tmpdir } from 'node:os'
import type { Projects } from '@docket/code-hosts/code-host'
import { commandRunner } from '@docket/doc-agent/runners/command'
import { noAgentRunner } from '@docket/doc-agent/runners/no-agent'
import { testRunner } from '@docket/doc-agent/runners/test-runner'
import { openWorkFolders } from '@docket/doc-agent/work/work-folders'
import { asAgentJob } from '#agent-jobs/agent-job.ts'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { sentinelJobs } from '#agent-jobs/sentinels.ts'
import { jsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
import { maintenanceRoutes } from '#maintenance/maintenance.routes.ts'
import { maintenancePreviews } from '#maintenance/preview.ts'
import type { LocalAdminApiOptions } from '#options.ts'

/** Opens the agent jobs of the service and their app. Settles interrupted work in the background. */
export const openAgentJobs = async (
  options: Pick<LocalAdminApiOptions, 'agent' | 'strict'>,
  around: {
    projects: Projects
    place: (...names: string[]) => string
    origin: () => string
    now: () => Date
    log: Log
  },
) => {
  const { agent = {}, strict = false } = options
  const { projects, place, origin, now, log } = around
  const jobs = jsonFolder(place('agent-jobs'), { parse: asAgentJob, log })
  const { command = null } = agent
  // A command would see those that lie in a system folder.
  const hidden = [place(), tmpdir()]
  const runner = command === null ? (testRunner.current ?? noAgentRunner) : commandRunner({ command, hidden })
  const workFolders = await openWorkFolders(place())
  const agentJobs = await agentJobService({ jobs, projects, runner, workFolders, now, log, limits: agent })
  const maintenance = maintenancePreviews({ projects, workFolders, log })
  const { repositoryUrl } = projects
  return {
    agentJobs,
    maintenance,
    /** False when only maintenance orders can be worked on. */
    hasAgent: runner !== noAgentRunner,
    routes: agentJobRoutes({ agentJobs, sentinels: sentinelJobs(), repositoryUrl, origin, strict }),
    maintenanceRoutes: strict ? null : maintenanceRoutes(maintenance),
  }
}
