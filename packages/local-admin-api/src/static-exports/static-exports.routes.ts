import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { BundleStore } from '#bundles/bundle-store.ts'
import { unknownPaths } from '#source/page-paths.ts'
import type { SiteSource } from '#sources/site-source.ts'
import type { SiteSources } from '#sources/site-sources.ts'
import { toWire, type ExportJob } from '#static-exports/export-job.ts'
import type { ExportQueue } from '#static-exports/export-queue.ts'
import { exportSentinel, type ExportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** What the routes stand on. `sourceOf` gives the source of a domain, `siteOf` the written pages of a job. */
export type StaticExportRoutesDeps = {
  queue: ExportQueue
  bundles: BundleStore
  sourceOf: (domain: string) => SiteSource | null
  sources: SiteSources
  siteOf: (jobId: string) => string
  now: () => Date
  /** Answers hold only what Admin API §2.3 shows. */
  strict: boolean
}

const StartRequest = z.object({
  domain: z.string().min(1).max(253),
  version: z.string().min(1).max(200).nullish(),
  paths: z.array(z.string().min(1).max(1000)).min(1).max(500).nullish(),
})

const isHostname = (text: string) => /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i.test(text)

/** Start, status and bundle of static exports (Admin API §4.2 to §4.4), and what the reserved domains make of them. */
export const staticExportRoutes = (deps: StaticExportRoutesDeps) => {
  const { queue, bundles, sourceOf, sources, siteOf, now, strict } = deps
  return new Hono<{ Bindings: HttpBindings }>()
    .post(
      '/',
      bodyLimit({ maxSize: 256 * 1024, onError: (c) => c.json({ error: 'The request is too large' }, 413) }),
      async (c) => {
        const body = StartRequest.safeParse(await c.req.json().catch(() => null))
        if (!body.success) return c.json({ error: explain(body.error) }, 400)
        if (!isHostname(body.data.domain)) {
          return c.json({ error: 'domain must be a hostname: no scheme, port, path or trailing slash' }, 400)
        }
        const domain = body.data.domain.toLowerCase()
        const source = sourceOf(domain)
        if (source === null) return c.json({ error: `There is no site with the domain ${domain}` }, 400)
        const sentinel = exportSentinel(domain)
        if (sentinel?.refusal) return c.json({ error: sentinel.refusal }, 403)
        const paths = body.data.paths ?? null
        const [unknown] = paths && source.kind === 'folder' ? await unknownPaths(source.folder, paths) : []
        if (unknown !== undefined) return c.json({ error: `The site has no page ${unknown}` }, 400)
        const pin = await sources.pin(source)
        const job = await queue.start({ domain, version: body.data.version ?? null, paths, pin })
        if (sentinel?.losesStartAnswer) return hangUp(c)
        return c.json(strict ? { jobId: job.jobId } : statusOf(job, sentinel ?? {}, false), 202)
      },
    )
    .get('/:jobId', (c) => {
      const job = queue.get(c.req.param('jobId'))
      if (!job) return notFound(c)
      const sentinel = exportSentinel(job.domain) ?? {}
      const ageMs = now().getTime() - Date.parse(job.createdAt)
      if (ageMs >= (sentinel.vanishesAfterMs ?? Infinity)) return notFound(c)
      if (ageMs < (sentinel.limitedForMs ?? 0)) {
        return c.json({ error: 'Too many requests' }, 429, { 'retry-after': '5' })
      }
      return c.json(statusOf(job, sentinel, strict))
    })
    .post('/:jobId/bundle', async (c) => {
      const job = queue.get(c.req.param('jobId'))
      if (!job) return notFound(c)
      if (job.status !== 'completed') {
        return c.json({ error: `The export is ${job.status}; a bundle needs a completed one` }, 409)
      }
      const minted = await bundles.mint(job.jobId, siteOf(job.jobId), exportSentinel(job.domain)?.firstLink)
      return c.json(strict ? { bundleUrl: minted.bundleUrl } : minted)
    })
}

const statusOf = (job: ExportJob, sentinel: ExportSentinel, strict: boolean) => {
  const { progress, pageCount, ...rest } = toWire(job)
  const status = job.status === 'running' ? (sentinel.runningWord ?? job.status) : job.status
  const live = sentinel.shape?.({ progress, pageCount }) ?? { progress, pageCount }
  if (strict) return { status, ...(job.status === 'running' && live) }
  return { ...rest, status, ...live }
}

const explain = (error: z.ZodError) => {
  const [issue] = error.issues
  if (!issue || issue.path.length === 0) return 'The body must be a JSON object with the field domain'
  return `${issue.path.join('.')}: ${issue.message}`
}

const notFound = (c: Context) => c.json({ error: 'Static export job not found' }, 404)

/** The job goes on; only the answer is lost. */
const hangUp = (c: Context<{ Bindings: HttpBindings }>) => {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
