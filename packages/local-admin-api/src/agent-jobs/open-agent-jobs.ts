import type { Projects } from '@docket/code-hosts/code-host'
import { builtInRunner } from '@docket/doc-agent/runners/built-in'
import { commandRunner } from '@docket/doc-agent/runners/command'
import { openWorkFolders } from '@docket/doc-agent/work/work-folders'
import { asAgentJob } from '#agent-jobs/agent-job.ts'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { sentinelJobs } from '#agent-jobs/sentinels.ts'
import { jsonFolder } from '#files/json-folder.ts'
import type { Log } from '#log.ts'
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
  const hidden = [place(), ...(agent.hidden ?? [])]
  const runner = command === null ? builtInRunner() : commandRunner({ ...agent, command, hidden })
  const workFolders = await openWorkFolders(place())
  const agentJobs = await agentJobService({ jobs, projects, runner, workFolders, now, log, limits: agent })
  const { repositoryUrl } = projects
  return {
    agentJobs,
    routes: agentJobRoutes({ agentJobs, sentinels: sentinelJobs(), repositoryUrl, origin, strict }),
  }
}
