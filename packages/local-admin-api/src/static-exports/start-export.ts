import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatUnknownPages } from '@docket/site-exporter/export-site'
import { normalizePath, findUnknownPaths } from '@docket/site-exporter/site/page-paths'
import { RepositoryUnavailable } from '@docket/sources/git/remote-git'
import type { SiteSource } from '@docket/sources/site-source'
import type { PinnedSource, SiteSources } from '@docket/sources/site-sources'
import { z } from 'zod'
import { diskProblem, noRoom } from '#files/disk-problem.ts'
import type { Log } from '#log.ts'
import type { ExportQueue } from '#static-exports/export-queue.ts'
import { exportSentinel } from '#static-exports/static-exports.sentinels.ts'
import type { ExportJob, ExportRequest } from './export-store.ts'

/** `retryAfter` is in seconds. */
export type Refusal = { status: 400 | 403 | 424 | 429 | 507; sentence: string; retryAfter?: number }

export type StartExport = (body: unknown) => Promise<{ job: ExportJob } | { refusal: Refusal }>

/** A client gives up on a start after this time. Milliseconds. */
const pathsWithinMs = 6_000
/** Seconds to wait before asking again: for a place in the queue, or for a repository that is still being fetched. */
const retryAfter = { queue: 30, repository: 15 }

/** `refused` lists domains whose plan excludes exports; `workFolder` is for temporary checkouts. */
export const createExportStarter = (deps: {
  queue: ExportQueue
  findSource: (domain: string) => Promise<SiteSource | null>
  sources: SiteSources
  refused: ReadonlySet<string>
  workFolder: string
  hasRoom: () => boolean
  log: Log
}): StartExport => {
  const { queue, findSource, sources, refused, workFolder, hasRoom, log } = deps

  const findUnknown = async (source: SiteSource, pin: PinnedSource | null, paths: readonly string[]) => {
    // The export itself reads the pages of these.
    if (source.kind === 'mirror' || source.kind === 'built') return []
    const copy = join(workFolder, randomUUID())
    try {
      return await findUnknownPaths(await sources.openFolder(source, pin, copy), paths)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  }

  return async (body) => {
    const request = readStartRequest(body)
    if ('problem' in request) return createRefusal(400, request.problem)
    const { domain, version, paths, priority } = request
    const source = await findSource(domain)
    if (source === null) return createRefusal(400, `There is no site with the domain ${domain}`)
    const byPlan = exportSentinel(domain)?.refusal ?? (refused.has(domain) ? planSentence(domain) : undefined)
    if (byPlan !== undefined) return createRefusal(403, byPlan)
    if (await queue.isFull()) return fullQueue
    // 507 would fit, but does not tell a client that nothing was started.
    if (!hasRoom()) return createRefusal(424, noRoom)
    try {
      const pin = await sources.pin(source)
      const unknown =
        paths &&
        (await Promise.race([findUnknown(source, pin, paths), sleep(pathsWithinMs, 'late' as const, { ref: false })]))
      if (unknown === 'late') return createRefusal(424, stillComing, retryAfter.repository)
      if (unknown && unknown.length > 0) return createRefusal(400, formatUnknownPages(unknown))
      const job = await queue.start({ domain, version, paths, priority, pin })
      return job === null ? fullQueue : { job }
    } catch (error) {
      if (error instanceof RepositoryUnavailable) return createRefusal(424, error.message)
      const problem = diskProblem(error)
      if (problem === null) throw error
      log.error({ domain, err: error }, 'a static export could not be started')
      return createRefusal(507, `${problem}, so nothing was started`)
    }
  }
}

const createRefusal = (status: Refusal['status'], sentence: string, after?: number) => ({
  refusal: { status, sentence, ...(after !== undefined && { retryAfter: after }) },
})

const planSentence = (domain: string) =>
  `Static export is not enabled for ${domain}. It requires an Enterprise plan that includes this site.`

const stillComing =
  'The repository of the site is still being fetched, so its pages are not known yet and nothing was started. Start the export again in a moment'

const fullQueue = createRefusal(
  429,
  'Too many exports are waiting, so nothing was started. Try again when one has finished',
  retryAfter.queue,
)

/** Body of a start (Admin API §4.2), with the fields that a public service adds. */
const Body = z.object({
  domain: z.string().min(1).max(253),
  version: z.string().min(1).max(200).nullish(),
  paths: z.array(z.string().min(1).max(1000)).min(1).max(500).nullish(),
  priority: z.enum(['normal', 'low']).nullish(),
})

/** The domain is in lower case. */
export type StartRequest = Pick<ExportRequest, 'domain' | 'version' | 'paths' | 'priority'>

const isHostname = (text: string) => /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i.test(text)

const readStartRequest = (body: unknown): StartRequest | { problem: string } => {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return { problem: explainStartFailure(parsed.error) }
  const { domain, version = null, paths = null, priority } = parsed.data
  if (!isHostname(domain)) return { problem: 'domain must be a hostname: no scheme, port, path or trailing slash' }
  const twice = paths?.find((path, at) => paths.findIndex((other) => normalizePath(other) === normalizePath(path)) < at)
  if (twice !== undefined) return { problem: `paths names the page ${twice} twice` }
  return { domain: domain.toLowerCase(), version, paths, priority: priority ?? 'normal' }
}

const explainStartFailure = (error: z.ZodError) => {
  const [issue] = error.issues
  if (!issue || issue.path.length === 0) return 'The body must be a JSON object with the field domain'
  return `${issue.path.join('.')}: ${issue.message}`
}
