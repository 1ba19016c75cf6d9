import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ChangeGuard, FindChangeGuard } from '@docket/code-hosts/embedded/change-guard'
import { openProjects, type OpenProjects } from '@docket/code-hosts/projects'
import { describeOrder } from '@docket/doc-agent/recipes/order'
import { parseSource } from '@docket/sources/site-source'
import { openAgentJobs } from '#agent-jobs/open-agent-jobs.ts'
import { codeHostRoutes } from '#job-pages/code-host.routes.ts'
import { silentLog } from '#log.ts'
import { openExports, type Surroundings } from '#open-exports.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { listen, serverApp } from '#server.ts'

/**
 * Starts an Admin API that exports sites and runs agent jobs. Rejects, with nothing left running, when a folder is missing, a project id or
 * the code host's address is invalid, or the port is taken (`EADDRINUSE`). `close` interrupts work; the next start resumes
 * it.
 */
export const localAdminApi = async (options: LocalAdminApiOptions) => {
  const { sites, key, port = 0, log = silentLog, now = () => new Date() } = options
  const domains = Object.keys(sites)
  const firstSite = Object.values(sites).find((text) => parseSource(text).kind === 'folder')
  const projects = options.projects ?? (firstSite === undefined ? {} : { docs: firstSite })
  for (const text of [...Object.values(sites), ...Object.values(projects)]) await assertSource(text)
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })

  // Set once the server listens, before the first request.
  let url = ''
  let guard: ChangeGuard | null = null
  const around: Surroundings = { place: (...names) => join(dataDir, ...names), origin: () => url, now, log }
  const opened = openProjects({ ...around, sources: projects, codeHost: options.codeHost })
  const exports = await openExports(options, around)
  const code = await openCodeHost(opened, options, around, () => guard)
  const stopWork = () => Promise.all([exports.close(), code.close()])
  try {
    const server = await listen(serverApp({ key, log, ...exports, ...code }), port)
    url = server.url
    log.info({ url, domains, projectIds: code.projectIds }, 'the local Admin API listens')
    return {
      /** Base URL, on loopback. */
      url,
      domains,
      projectIds: code.projectIds,
      codeHostUrl: url,
      /** Whether prompts can be worked on; maintenance orders always can. */
      agent: { configured: code.hasAgent },
      /** Maintenance orders in words, and what they would do, without a job. */
      maintenance: { describe: describeOrder, preview: code.maintenance.preview },
      /** Lets people with a pass make changes on the code host's pages. Null refuses every change, as before the first call. */
      admitPeople: (nextGuard: ChangeGuard | null) => {
        guard = nextGuard
      },
      close: async () => {
        await server.close()
        await stopWork()
      },
    }
  } catch (error) {
    // The caller may retry on another port with the same data.
    await stopWork()
    throw error
  }
}

const openCodeHost = async (
  { projects, repositories }: OpenProjects,
  options: LocalAdminApiOptions,
  around: Surroundings,
  guard: FindChangeGuard,
) => {
  const { agentJobs, routes, maintenanceRoutes, maintenance, hasAgent } = await openAgentJobs(options, {
    ...around,
    projects,
  })
  if (maintenanceRoutes !== null) routes.route('/', maintenanceRoutes)
  return {
    maintenance,
    hasAgent,
    projectIds: [...agentJobs.projectIds],
    agentJobs: routes,
    codeHost: codeHostRoutes({
      agentJobs,
      projects,
      repositories,
      origin: around.origin,
      now: around.now,
      findGuard: guard,
    }),
    close: () => Promise.all([agentJobs.close(), maintenance.close()]),
  }
}

const assertSource = async (text: string) => {
  const source = parseSource(text)
  if (source.kind !== 'folder') return
  const found = await stat(source.folder).catch(() => null)
  if (!found?.isDirectory()) throw new Error(`The folder ${source.folder} does not exist or is not a folder.`)
}
