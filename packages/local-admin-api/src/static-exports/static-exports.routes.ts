import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { BundleGone, type BundleStore } from '#bundles/bundle-store.ts'
import { diskProblem } from '#files/disk-problem.ts'
import { closeConnection } from '#server.ts'
import { cancelledReason, type ExportQueue } from '#static-exports/export-queue.ts'
import type { ExportJob, ExportStore } from '#static-exports/export-store.ts'
import type { Retention } from '#static-exports/retention.ts'
import type { StartExport } from '#static-exports/start-export.ts'
import { exportSentinel, type ExportSentinel } from '#static-exports/static-exports.sentinels.ts'

/** Admin API §4.2 to §4.4, with the reserved domains; unless `strict`, also the end of an export on request. */
export const createStaticExportRoutes = (deps: {
  startExport: StartExport
  queue: Pick<ExportQueue, 'cancel'>
  store: Pick<ExportStore, 'find' | 'lend'>
  bundles: BundleStore
  retention: Retention
  now: () => Date
  /** Reduces a job to the fields of Admin API §2.3. */
  strict: boolean
}) => {
  const { startExport, queue, store, bundles, retention, now, strict } = deps
  const find = async (jobId: string) => {
    const job = await store.find(jobId)
    return job === null || retention.isOver(job) ? null : job
  }
  const app = new Hono<{ Bindings: HttpBindings }>()
    .post('/', async (c) => {
      const started = await startExport(await c.req.json().catch(() => null))
      if ('refusal' in started) {
        const { status, sentence, retryAfter } = started.refusal
        return c.json({ error: sentence }, status, retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` })
      }
      const sentinel = exportSentinel(started.job.domain) ?? {}
      if (sentinel.losesStartAnswer) return closeConnection(c)
      return c.json(strict ? { jobId: started.job.jobId } : toStatus(started.job, sentinel, false), 202)
    })
    .get('/:jobId', async (c) => {
      const job = await find(c.req.param('jobId'))
      if (!job) return notFound(c)
      const sentinel = exportSentinel(job.domain) ?? {}
      const ageMs = now().getTime() - job.createdAt.getTime()
      if (ageMs >= (sentinel.vanishesAfterMs ?? Infinity)) return notFound(c)
      if (ageMs < (sentinel.limitedForMs ?? 0)) {
        return c.json({ error: 'Too many requests' }, 429, { 'retry-after': '5' })
      }
      return c.json(toStatus(job, sentinel, strict))
    })
    .post('/:jobId/bundle', async (c) => {
      const job = await find(c.req.param('jobId'))
      if (!job) return notFound(c)
      if (job.status !== 'completed') {
        return c.json({ error: `The export is ${job.status}; a bundle needs a completed one` }, 409)
      }
      try {
        const minted = await bundles.mint(job.jobId, exportSentinel(job.domain)?.firstLink)
        await store.lend(job.jobId, new Date(minted.expiresAt))
        return c.json(strict ? { bundleUrl: minted.bundleUrl } : minted)
      } catch (error) {
        if (error instanceof BundleGone) return c.json({ error: error.message }, 410)
        const problem = diskProblem(error)
        if (problem === null) throw error
        return c.json({ error: `${problem}, so there is no bundle link` }, 507)
      }
    })
  if (strict) return app
  return app.delete('/:jobId', async (c) => {
    const job = await find(c.req.param('jobId'))
    if (!job) return notFound(c)
    const cancelled = await queue.cancel(job.jobId)
    if (cancelled === null) return c.json({ error: explainOver(job) }, 409)
    return c.json(toStatus(cancelled, exportSentinel(job.domain) ?? {}, strict))
  })
}

const explainOver = ({ status, error }: ExportJob) =>
  status === 'failed' && error === cancelledReason
    ? 'The export is cancelled already'
    : `The export is ${status}, so there is nothing to cancel`

/** Unless `strict`, the whole job, with fields as a public service documents them (§4.2 and §4.3 show some). */
const toStatus = (job: ExportJob, sentinel: ExportSentinel, strict: boolean) => {
  const { jobId, domain, version, paths, progress, pageCount, error } = job
  const status = job.status === 'running' ? (sentinel.runningWord ?? job.status) : job.status
  const live = sentinel.shape?.({ progress, pageCount }) ?? { progress, pageCount }
  if (strict) return { status, ...(job.status === 'running' && live) }
  const exporter = job.exporter?.slice(0, 12) ?? null
  const times = { createdAt: job.createdAt.toISOString(), updatedAt: job.updatedAt.toISOString() }
  return { jobId, domain, version, paths, error, exporter, ...times, status, ...live }
}

const notFound = (c: Context) => c.json({ error: 'Static export job not found' }, 404)
