import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { agentJobRoutes } from '#agent-jobs/agent-jobs.routes.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { sentinelJobs } from '#agent-jobs/sentinels.ts'
import { bundleLinks, linkSecret } from '#bundles/bundle-links.ts'
import { bundleStore } from '#bundles/bundle-store.ts'
import { storageRoutes } from '#bundles/storage.routes.ts'
import { codeHostRoutes } from '#code-host/code-host.routes.ts'
import { repositories } from '#code-host/repositories.ts'
import { jsonFolder } from '#files/json-folder.ts'
import { silentLog, type Log } from '#log.ts'
import { listen, serverApp } from '#server.ts'
import type { ExportJob } from '#static-exports/export-job.ts'
import { startExportProcess } from '#static-exports/export-process.ts'
import { exportQueue } from '#static-exports/export-queue.ts'
import { staticExportRoutes } from '#static-exports/static-exports.routes.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** How to run a local Admin API. */
export type LocalAdminApiOptions = {
  /** Everything it keeps; made when missing. One local Admin API at a time. */
  dataDir: string
  /** Folders of Markdown or MDX by the domain they are exported as. The first one also feeds the reserved domains. */
  sites: Readonly<Record<string, string>>
  /** Folders by project id, each the first content of a git repository for agent jobs. Default: `docs`, the first site. */
  projects?: Readonly<Record<string, string>>
  /** Admin API key that calls must carry. */
  key: string
  /** 0 or absent: a free one. */
  port?: number
  log?: Log
  now?: () => Date
  /** Lifetime of a bundle link. Milliseconds; 15 minutes when absent. */
  linkMs?: number
  /** Longest silence of a worker process before its export fails. Milliseconds; a minute when absent. */
  silenceMs?: number
  /** JavaScript heap of a worker process. Megabytes; 512 when absent. */
  memoryMb?: number
  /** Static export answers hold only what Admin API §2.3 shows, as the plainest service would answer. */
  strict?: boolean
  /** Program of the worker process; another one only in tests. */
  workerProgram?: string
}

/** A running local Admin API. `close` stops what runs; it goes on with the next start. */
export type LocalAdminApi = {
  /** Base URL, on loopback. */
  url: string
  domains: string[]
  projectIds: string[]
  codeHostUrl: string
  close(): Promise<void>
}

/** Starts an Admin API that does the real work: exports sites and runs agent jobs. Rejects when a site's folder is missing. */
export const localAdminApi = async (options: LocalAdminApiOptions): Promise<LocalAdminApi> => {
  const { dataDir, sites, key, port = 0, log = silentLog, now = () => new Date(), linkMs = 15 * 60_000 } = options
  const domains = Object.keys(sites)
  for (const folder of Object.values(sites)) await assertFolder(folder)
  await mkdir(dataDir, { recursive: true })
  const place = (...names: string[]) => join(resolve(dataDir), ...names)
  const siteOf = (jobId: string) => place('static-exports', 'sites', jobId)
  const sourceOf = (domain: string) => {
    if (Object.hasOwn(sites, domain)) return resolve(sites[domain]!)
    const [first] = domains
    return exportSentinel(domain) && first !== undefined ? resolve(sites[first]!) : null
  }
  // Known once the server listens, which is before anybody can ask.
  let url = ''
  const origin = () => url

  const bundles = bundleStore({
    folder: place('bundles'),
    links: bundleLinks(await linkSecret(place('link-secret'))),
    origin,
    linkMs,
    now,
  })
  const limits = {
    memoryMb: options.memoryMb ?? 512,
    silenceMs: options.silenceMs ?? 60_000,
    ...(options.workerProgram !== undefined && { program: options.workerProgram }),
  }
  const queue = await exportQueue({
    jobs: jsonFolder<ExportJob>(place('static-exports', 'jobs')),
    now,
    log,
    run: (job, onProgress) => {
      const { jobId, domain, version, paths } = job
      const { pauseMs = 0, failWith = null } = exportSentinel(domain) ?? {}
      const source = sourceOf(domain) ?? ''
      const order = {
        jobId,
        domain,
        version,
        paths,
        source,
        site: siteOf(jobId),
        archive: bundles.archiveOf(jobId),
        pauseMs,
        failWith,
      }
      return startExportProcess(order, limits, onProgress)
    },
  })
  const hosted = repositories(place('code-host'), options.projects ?? (domains[0] ? { docs: sites[domains[0]]! } : {}))
  const agentJobs = await agentJobService({
    jobs: jsonFolder<AgentJobRecord>(place('agent-jobs')),
    repositories: hosted,
    now,
  })

  const app = serverApp({
    key,
    log,
    storage: storageRoutes(bundles),
    staticExports: staticExportRoutes({ queue, bundles, sourceOf, siteOf, now, strict: options.strict ?? false }),
    agentJobs: agentJobRoutes(agentJobs, sentinelJobs(), origin),
    codeHost: codeHostRoutes(agentJobs, hosted, origin),
  })
  const server = await listen(app, port)
  url = server.url
  log.info({ url, domains, projectIds: agentJobs.projectIds }, 'the local Admin API listens')
  return {
    url,
    domains,
    projectIds: [...agentJobs.projectIds],
    codeHostUrl: url,
    close: async () => {
      await server.close()
      await Promise.all([queue.close(), agentJobs.close()])
    },
  }
}

const assertFolder = async (folder: string) => {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new Error(`The site folder ${resolve(folder)} does not exist or is not a folder.`)
}
