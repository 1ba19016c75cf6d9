import { describeOrder } from '@docket/doc-agent/recipes/order'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { Prompt, promptRule, RequestedBy, toListEntry, toWire, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { isRefusal, type AgentJobs, type Refusal } from '#agent-jobs/agent-jobs.service.ts'
import { sentinelAction, sentinelList, sentinelLog, sentinelPrompt, type SentinelJobs } from '#agent-jobs/sentinels.ts'
import { type PullRequestFacts, toDetails } from '#agent-jobs/job-details.ts'
import { closeConnection } from '#server.ts'
import { MaintenanceOrder, orderRule } from '#maintenance/order.ts'

// An unusable name is not a reason to refuse the prompt.
const requester = { requestedBy: RequestedBy.nullish().catch(null) }
const Message = z.object({ prompt: Prompt, ...requester })
const Maintenance = z.object({ maintenance: MaintenanceOrder, ...requester })

const readAsked = async (c: Context) => {
  const json: unknown = await c.req.json().catch(() => null)
  if (!isMaintenance(json)) {
    const { data } = Message.safeParse(json)
    return data ? { requestedBy: null, ...data, maintenance: null } : promptRule
  }
  const { data } = Maintenance.safeParse(json)
  return data ? { requestedBy: null, ...data, prompt: describeOrder(data.maintenance) } : orderRule
}

const Page = z.object({
  skip: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  take: z.coerce.number().int().min(1).max(100).default(12),
})
const pageRule = 'skip must be a whole number from 0, and take one from 1 to 100'

const Offset = z.object({ offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) })
const offsetRule = 'offset must be a whole number from 0'

const notFound = 'Agent job not found'
const noProject = 'Project not found'

/** Admin API §4.1; unless `strict`, with all that a public service documents. `repositoryUrl` is null for a removed project. */
export const createAgentJobRoutes = (deps: {
  agentJobs: AgentJobs
  sentinels: SentinelJobs
  repositoryUrl: (projectId: string) => string | null
  readPullRequest: (job: AgentJobRecord) => Promise<PullRequestFacts | null>
  origin: () => string
  strict?: boolean
}) => {
  const { agentJobs, sentinels, repositoryUrl, readPullRequest, origin, strict = false } = deps

  const wire = async (job: AgentJobRecord) => {
    const url = repositoryUrl(job.projectId) ?? `/code/${encodeURIComponent(job.projectId)}`
    const answered = toWire(job, url, origin())
    return strict ? answered : { ...answered, ...toDetails(job, await readPullRequest(job), await agentJobs.live(job)) }
  }
  const answer = async (c: Context, job: AgentJobRecord | Refusal, status: 200 | 201, missing: string) =>
    isRefusal(job) ? respondRefusal(c, job, missing) : c.json(await wire(job), status)

  /** `id` is null for a new job. */
  const receive = async (c: Context<{ Bindings: HttpBindings }>, projectId: string, id: string | null) => {
    const asked = await readAsked(c)
    if (typeof asked === 'string') return c.json({ error: asked }, 400)
    const { prompt, requestedBy, maintenance } = asked
    const sentinel = sentinelPrompt(projectId, id, prompt)
    if (sentinel !== null) return sentinel === 'lost' ? closeConnection(c) : sentinel
    return id === null
      ? answer(c, await agentJobs.create(projectId, prompt, requestedBy, maintenance), 201, noProject)
      : answer(c, await agentJobs.send(projectId, id, prompt, requestedBy, maintenance), 200, notFound)
  }

  const app = new Hono<{ Bindings: HttpBindings }>().get('/v2/agent/:projectId/job/:id', async (c) => {
    const { projectId, id } = c.req.param()
    const sentinel = sentinels(projectId, id, strict)
    if (sentinel) return sentinel
    const job = await agentJobs.get(projectId, id)
    return job ? c.json(await wire(job)) : c.json({ error: notFound }, 404)
  })
  if (strict) return app
  return app
    .get('/v1/agent/:projectId/jobs', async (c) => {
      const page = Page.safeParse(c.req.query())
      if (!page.success) return c.json({ error: pageRule }, 400)
      const { skip, take } = page.data
      const projectId = c.req.param('projectId')
      const reserved = sentinelList(projectId)?.slice(skip, skip + take)
      const jobs = reserved ?? (await agentJobs.listProject(projectId, page.data))?.map(toListEntry)
      return jobs ? c.json({ jobs }) : c.json({ error: noProject }, 404)
    })
    .post('/v2/agent/:projectId/job', (c) => receive(c, c.req.param('projectId'), null))
    .post('/v2/agent/:projectId/job/:id/message', (c) => receive(c, c.req.param('projectId'), c.req.param('id')))
    .post('/v2/agent/:projectId/job/:id/cancel', async (c) => {
      const { projectId, id } = c.req.param()
      return sentinelAction(projectId, id, 'cancel') ?? answer(c, await agentJobs.cancel(projectId, id), 200, notFound)
    })
    .post('/v2/agent/:projectId/job/:id/archive', async (c) => {
      const { projectId, id } = c.req.param()
      const sentinel = sentinelAction(projectId, id, 'archive')
      if (sentinel) return sentinel
      const job = (await agentJobs.archive(projectId, id)) ?? { kind: 'not-found' as const }
      const isActive = !isRefusal(job) && job.status === 'active'
      return answer(c, isActive ? { kind: 'conflict', sentence: stillActive } : job, 200, notFound)
    })
    .get('/v2/agent/:projectId/job/:id/log', async (c) => {
      const { projectId, id } = c.req.param()
      const query = Offset.safeParse(c.req.query())
      if (!query.success) return c.json({ error: offsetRule }, 400)
      const sentinel = sentinelLog(projectId, id, query.data.offset)
      if (sentinel) return sentinel
      const job = await agentJobs.get(projectId, id)
      return job ? c.json(await agentJobs.readLog(job, query.data.offset)) : c.json({ error: notFound }, 404)
    })
}

const stillActive = 'The job is still active. Cancel it, or wait until it ends, before you archive it.'

const isMaintenance = (json: unknown) =>
  typeof json === 'object' && json !== null && 'maintenance' in json && json.maintenance !== null

const respondRefusal = (c: Context, refusal: Refusal, missing: string) => {
  if (refusal.kind === 'not-found') return c.json({ error: missing }, 404)
  if (refusal.kind === 'conflict') return c.json({ error: refusal.sentence }, 409)
  if (refusal.kind === 'no-room') return c.json({ error: refusal.sentence }, 424)
  if (refusal.kind === 'not-understood') return c.json({ error: refusal.sentence }, 400)
  const { retryAfter, sentence } = refusal
  c.header('retry-after', String(retryAfter))
  return c.json({ error: sentence ?? `Too many requests for this project: try again in ${retryAfter} s` }, 429)
}
