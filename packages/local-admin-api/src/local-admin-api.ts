import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { sentinelJobs } from '#agent-jobs/sentinels.ts'
import { codeHostRoutes } from '#code-host/code-host.routes.ts'
import { repositories } from '#code-host/repositories.ts'
import { jsonFolder } from '#files/json-folder.ts'
import { silentLog } from '#log.ts'
import { openExports, type Surroundings } from '#open-exports.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { listen, serverApp } from '#server.ts'

/** A running local Admin API. `close` stops what runs; it goes on with the next start. */
export type LocalAdminApi = {
  /** Base URL, on loopback. */
  url: string
  domains: string[]
  projectIds: string[]
  codeHostUrl: string
  close(): Promise<void>
}

/**
 * Starts an Admin API that does the real work: exports sites and runs agent jobs. Rejects when a folder is missing, a project id
 * is no plain name, or the port is taken (`EADDRINUSE`); nothing is left running then.
 */
export const localAdminApi = async (options: LocalAdminApiOptions): Promise<LocalAdminApi> => {
  const { sites, key, port = 0, log = silentLog, now = () => new Date() } = options
  const domains = Object.keys(sites)
  const [firstSite] = Object.values(sites)
  const projects = options.projects ?? (firstSite === undefined ? {} : { docs: firstSite })
  for (const folder of [...Object.values(sites), ...Object.values(projects)]) await assertFolder(folder)
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })

  // Known once the server listens, which is before anybody can ask.
  let url = ''
  const around: Surroundings = { place: (...names) => join(dataDir, ...names), origin: () => url, now, log }
  const exports = await openExports(options, around)
  const code = await openCodeHost(projects, dataDir, around)
  const stopWork = () => Promise.all([exports.close(), code.close()])
  try {
    const server = await listen(serverApp({ key, log, ...exports, ...code }), port)
    url = server.url
    log.info({ url, domains, projectIds: code.projectIds }, 'the local Admin API listens')
    return {
      url,
      domains,
      projectIds: code.projectIds,
      codeHostUrl: url,
      close: async () => {
        await server.close()
        await stopWork()
      },
    }
  } catch (error) {
    // Somebody may try again on another port, with the same data.
    await stopWork()
    throw error
  }
}

const openCodeHost = async (projects: Readonly<Record<string, string>>, dataDir: string, around: Surroundings) => {
  const { place, origin, now, log } = around
  const hosted = repositories(place('code-host'), projects, dataDir)
  const jobs = jsonFolder<AgentJobRecord>(place('agent-jobs'))
  const agentJobs = await agentJobService({ jobs, repositories: hosted, now, log })
  return {
    projectIds: [...agentJobs.projectIds],
    agentJobs: agentJobRoutes(agentJobs, sentinelJobs(), origin),
    codeHost: codeHostRoutes(agentJobs, hosted, origin),
    close: () => agentJobs.close(),
  }
}

const assertFolder = async (folder: string) => {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new Error(`The folder ${resolve(folder)} does not exist or is not a folder.`)
}
