import { mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createEmbeddedCodeHost } from '@docket/code-hosts/embedded/embedded-code-host'
import { openProjects, type OpenProjects } from '@docket/code-hosts/projects'
import { describeOrder } from '@docket/doc-agent/recipes/order'
import { parseSource } from '@docket/sources/site-source'
import { openAgentJobs } from '#agent-jobs/open-agent-jobs.ts'
import { openQueues, type Queues } from '#database/queues.ts'
import { silentLog } from '#log.ts'
import { openExports, type ServiceOptions, type Surroundings } from '#open-exports.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { forgetProcesses, joinProcesses, type Processes, readWorkload } from '#processes/processes.ts'
import { listenOnLoopback, createServerApp } from '#server.ts'
import { claimOwnCodeHost, type OwnCodeHost, claimStore } from '#service/claims.ts'

/** How long work that is stopped may take to end. Milliseconds. */
const stopMs = 10_000

/** Rejects with nothing left running, such as for an occupied port (`EADDRINUSE`). `close` interrupts work; the next start resumes it. */
export const localAdminApi = async (options: ServiceOptions) => {
  const { sites, key, port = 0, serves = true, alone = false, log = silentLog, now = () => new Date() } = options
  const domains = Object.keys(sites)
  const agents = options.agent?.atOnce ?? 2
  const firstSite = Object.values(sites).find((text) => parseSource(text).kind === 'folder')
  const projects = options.projects ?? (firstSite === undefined || !serves ? {} : { docs: firstSite })
  for (const text of [...Object.values(sites), ...Object.values(projects)]) await assertSource(text)
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })

  // Set once the server listens, before the first request.
  let url = ''
  let docketUrl: string | null = null
  let queues: Queues | undefined
  let processes: Processes | undefined
  const around: Surroundings = {
    place: (...names) => join(dataDir, ...names),
    origin: () => url,
    db: options.database,
    queues: () => queues!,
    now,
    log,
  }
  const isChosen = options.projects !== undefined
  const open = (sources: Readonly<Record<string, string>>) =>
    // The first site's folder was not chosen as a project, so the repository around it is not imported.
    openProjects({ ...around, sources, codeHosts: options.codeHosts, keepHistory: isChosen })
  let opened = open(projects)
  let code: Awaited<ReturnType<typeof openCodeHost>> | undefined
  const otherProcessesExport = async () => (await processes!.listOthers()).some((other) => other.exports > 0)
  const exports = await openExports(options, {
    ...around,
    repositories: () => opened.repositories,
    otherProcessesExport,
  })
  const stopWork = async () => {
    await queues?.close(stopMs)
    await Promise.all([exports.close(), code?.close()])
    await processes?.close().catch((error: unknown) => log.debug({ err: error }, 'this process could not sign off'))
  }
  try {
    const pool = options.database.$client
    const runSql = (text: string, values?: unknown[]) => pool.query(text, values)
    if (alone) await forgetProcesses(options.database)
    const role = { serves, exports: exports.atOnce, agents, exporter: exports.exporter }
    const { store } = exports
    processes = await joinProcesses(options.database, { host: hostname(), ...role, store }, log)
    await claimStore({ db: options.database, store, listOthers: processes.listOthers, log })
    const { projectIds: hosted } = opened.repositories
    const claim = {
      folder: around.place('code-host'),
      projectIds: hosted,
      isChosen,
      claim: processes.claimCodeHost,
      log,
    }
    const isNeeded = hosted.length > 0 && (serves || agents > 0)
    const own = isNeeded ? await claimOwnCodeHost(claim) : null
    if (isNeeded && own === null) opened = open({})
    code = await openCodeHost(opened, options, { ...around, own, docketUrl: () => docketUrl ?? url })
    queues = await openQueues({ runSql, queues: [...exports.queues, ...code.queues], alone, log })
    await exports.resume()
    await code.resume()
    const server = serves ? await listenOnLoopback(createServerApp({ key, log, ...exports, ...code }), port) : null
    url = server?.url ?? ''
    const { projectIds, codeHost, calls } = code
    log.info({ url, domains, projectIds, ...role }, serves ? 'the local Admin API listens' : 'the worker is ready')
    return {
      /** Base URL, on loopback. Empty for a worker. */
      url,
      domains,
      projectIds,
      /** Maintenance orders can always run. */
      agent: { configured: code.hasAgent },
      maintenance: { describe: describeOrder, preview: code.maintenance.preview },
      agentJobs: calls,
      /** File of a job's bundle on this machine. Null when it is stored remotely or was removed. */
      findBundle: exports.findBundle,
      readWorkload: () => readWorkload(options.database, now),
      codeHost,
      /** Sets the address of Docket, which shows the pages of the code host that jobs link to. */
      setDocketUrl: (origin: string) => {
        docketUrl = origin
      },
      close: async () => {
        await server?.close()
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
  around: Surroundings & { own: OwnCodeHost | null; docketUrl: () => string },
) => {
  const { agentJobs, routes, maintenanceRoutes, maintenance, hasAgent } = await openAgentJobs(options, {
    ...around,
    origin: around.docketUrl,
    projects,
    repositories,
    codeHost: around.own,
  })
  if (maintenanceRoutes !== null) routes.route('/', maintenanceRoutes)
  return {
    maintenance,
    hasAgent,
    projectIds: [...agentJobs.projectIds],
    calls: { changes: agentJobs.changes },
    agentJobs: routes,
    codeHost: createEmbeddedCodeHost({ repositories, findJob: agentJobs.findByBranch, now: around.now }),
    queues: agentJobs.queues,
    resume: agentJobs.resume,
    close: () => Promise.all([agentJobs.close(), maintenance.close()]),
  }
}

const assertSource = async (text: string) => {
  const source = parseSource(text)
  if (source.kind !== 'folder') return
  const found = await stat(source.folder).catch(() => null)
  if (!found?.isDirectory()) throw new Error(`The folder ${source.folder} does not exist or is not a folder.`)
}
