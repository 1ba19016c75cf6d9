import { describeOrder } from '@docket/doc-agent/recipes/order'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { Prompt, promptRule, toListEntry, toWire, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { isRefusal, type AgentJobs, type Refusal } from '#agent-jobs/agent-jobs.service.ts'
import { sentinelList, sentinelPrompt, type SentinelJobs } from '#agent-jobs/sentinels.ts'
import { hangUp } from '#hang-up.ts'
import { MaintenanceOrder, orderRule } from '#maintenance/order.ts'

const Message = z.object({ prompt: Prompt })
const Maintenance = z.object({ maintenance: MaintenanceOrder })

const Page = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  take: z.coerce.number().int().min(1).max(100).default(12),
})
const pageRule = 'skip must be a whole number from 0, and take one from 1 to 100'

const notFound = 'Agent job not found'
const noProject = 'Project not found'

/**
 * `/v2/agent`: read an agent job (Admin API §4.1); unless `strict`, list those of a project, create
 * one and send it messages, as a public service documents it.
 * `repositoryUrl` returns the address of a project's repository, or null when the project is gone.
 */
export const agentJobRoutes = (deps: {
  agentJobs: AgentJobs
  sentinels: SentinelJobs
  repositoryUrl: (projectId: string) => string | null
  origin: () => string
  /** Serves only the reads that the Admin API describes. */
  strict?: boolean
}) => {
  const { agentJobs, sentinels, repositoryUrl, origin, strict = false } = deps

  const wire = (job: AgentJobRecord) =>
    toWire(job, repositoryUrl(job.projectId) ?? `/docket/${encodeURIComponent(job.projectId)}`, origin())
  const answer = (c: Context, job: AgentJobRecord | Refusal, status: 200 | 201, missing: string) =>
    isRefusal(job) ? refuse(c, job, missing) : c.json(wire(job), status)

  const sentinelAnswer = (c: Context<{ Bindings: HttpBindings }>, ...prompt: Parameters<typeof sentinelPrompt>) => {
    const found = sentinelPrompt(...prompt)
    return found === 'lost' ? hangUp(c) : found
  }

  const app = new Hono<{ Bindings: HttpBindings }>().get('/v2/agent/:projectId/job/:id', (c) => {
    const { projectId, id } = c.req.param()
    const sentinel = sentinels(projectId, id)
    if (sentinel) return sentinel
    const job = agentJobs.get(projectId, id)
    return job ? c.json(wire(job)) : c.json({ error: notFound }, 404)
  })
  if (strict) return app
  return app
    .get('/v1/agent/:projectId/jobs', (c) => {
      const page = Page.safeParse(c.req.query())
      if (!page.success) return c.json({ error: pageRule }, 400)
      const { skip, take } = page.data
      const projectId = c.req.param('projectId')
      const jobs = sentinelList(projectId) ?? agentJobs.listProject(projectId)?.map(toListEntry)
      return jobs ? c.json({ jobs: jobs.slice(skip, skip + take) }) : c.json({ error: noProject }, 404)
    })
    .post('/v2/agent/:projectId/job', async (c) => {
      const json: unknown = await c.req.json().catch(() => null)
      const projectId = c.req.param('projectId')
      if (isMaintenance(json)) {
        const ordered = Maintenance.safeParse(json)
        if (!ordered.success) return c.json({ error: orderRule }, 400)
        const { maintenance } = ordered.data
        return answer(c, await agentJobs.create(projectId, describeOrder(maintenance), maintenance), 201, noProject)
      }
      const body = Message.safeParse(json)
      if (!body.success) return c.json({ error: promptRule }, 400)
      const { prompt } = body.data
      return (
        sentinelAnswer(c, projectId, null, prompt) ??
        answer(c, await agentJobs.create(projectId, prompt), 201, noProject)
      )
    })
    .post('/v2/agent/:projectId/job/:id/message', async (c) => {
      const { projectId, id } = c.req.param()
      const body = Message.safeParse(await c.req.json().catch(() => null))
      if (!body.success) return c.json({ error: promptRule }, 400)
      const { prompt } = body.data
      return (
        sentinelAnswer(c, projectId, id, prompt) ??
        answer(c, await agentJobs.send(projectId, id, prompt), 200, notFound)
      )
    })
}

const isMaintenance = (json: unknown) =>
  typeof json === 'object' && json !== null && 'maintenance' in json && json.maintenance !== null

const refuse = (c: Context, refusal: Refusal, missing: string) => {
  if (refusal.kind === 'not-found') return c.json({ error: missing }, 404)
  if (refusal.kind === 'conflict') return c.json({ error: refusal.sentence }, 409)
  if (refusal.kind === 'not-understood') return c.json({ error: refusal.sentence }, 400)
  c.header('retry-after', String(refusal.retryAfter))
  return c.json({ error: `Too many requests for this project: try again in ${refusal.retryAfter} s` }, 429)
}
