import { Hono } from 'hono'
import { z } from 'zod'
import { Prompt, promptRule, toWire } from '#agent-jobs/agent-job.ts'
import type { AgentJobs } from '#agent-jobs/agent-jobs.service.ts'
import type { SentinelJobs } from '#agent-jobs/sentinels.ts'

const NewAgentJob = z.object({ prompt: Prompt })

/** `/v2/agent`: read an agent job (Admin API §4.1), and create one as a public service documents it. */
export const agentJobRoutes = (agentJobs: AgentJobs, sentinels: SentinelJobs, origin: () => string) =>
  new Hono()
    .get('/v2/agent/:projectId/job/:id', (c) => {
      const { projectId, id } = c.req.param()
      const sentinel = sentinels(projectId, id)
      if (sentinel) return sentinel
      const job = agentJobs.get(projectId, id)
      return job ? c.json(toWire(job, origin())) : c.json({ error: 'Agent job not found' }, 404)
    })
    .post('/v2/agent/:projectId/job', async (c) => {
      const body = NewAgentJob.safeParse(await c.req.json().catch(() => null))
      if (!body.success) return c.json({ error: promptRule }, 400)
      const job = await agentJobs.create(c.req.param('projectId'), body.data.prompt)
      return job ? c.json(toWire(job, origin()), 201) : c.json({ error: 'Project not found' }, 404)
    })
