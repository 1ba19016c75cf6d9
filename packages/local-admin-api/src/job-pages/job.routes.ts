import type { Projects } from '@docket/code-hosts/code-host'
import { guardChange, type FindChangeGuard } from '@docket/code-hosts/embedded/change-guard'
import { notFound, page } from '@docket/code-hosts/embedded/pages/layout'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { Prompt, promptRule } from '#agent-jobs/agent-job.ts'
import { isRefusal, type AgentJobs, type Refusal } from '#agent-jobs/agent-jobs.service.ts'
import { agentJobPage } from './agent-job.page.ts'
import { homePage } from './home.page.ts'

/** Pages of the agent jobs, with forms to create, continue and archive them. */
export const jobPages = (agentJobs: AgentJobs, projects: Projects, findGuard: FindChangeGuard) =>
  new Hono()
    .get('/', (c) => {
      const listedProjects = projects.projectIds.map((projectId) => ({
        projectId,
        repositoryUrl: projects.repositoryUrl(projectId) ?? '',
      }))
      return c.html(homePage(listedProjects, agentJobs.list(), agentJobs.model !== 'none'))
    })
    .post('/jobs', guardChange(findGuard, 'create-job'), async (c) => {
      const { prompt, projectId } = await readFields(c)
      if (prompt === null || projectId === null) return promptNeeded(c)
      return answer(c, await agentJobs.create(projectId, prompt))
    })
    .get('/jobs/:projectId/:id', (c) => {
      const job = agentJobs.get(c.req.param('projectId'), c.req.param('id'))
      return job ? c.html(agentJobPage(job, projects.repositoryUrl(job.projectId))) : notFound(c)
    })
    .post('/jobs/:projectId/:id/message', guardChange(findGuard, 'send-message'), async (c) => {
      const { prompt } = await readFields(c)
      if (prompt === null) return promptNeeded(c)
      return answer(c, await agentJobs.send(c.req.param('projectId'), c.req.param('id'), prompt))
    })
    .post('/jobs/:projectId/:id/archive', guardChange(findGuard, 'archive-job'), async (c) => {
      const job = await agentJobs.archive(c.req.param('projectId'), c.req.param('id'))
      return job ? c.redirect(`/jobs/${job.projectId}/${job.id}`, 303) : notFound(c)
    })

const readFields = async (c: Context) => {
  const form = await c.req.parseBody().catch(() => null)
  const prompt = Prompt.safeParse(form?.prompt)
  return {
    prompt: prompt.success ? prompt.data : null,
    projectId: typeof form?.projectId === 'string' ? form.projectId : null,
  }
}

const promptNeeded = (c: Context) =>
  c.html(page('Enter a prompt', html`<p>${promptRule}. Go back to change it.</p>`), 400)

type Answer = Awaited<ReturnType<AgentJobs['create']>>

const answer = (c: Context, job: Answer) =>
  isRefusal(job) ? refuse(c, job) : c.redirect(`/jobs/${job.projectId}/${job.id}`, 303)

const refuse = (c: Context, refusal: Refusal) => {
  if (refusal.kind === 'not-found') return notFound(c)
  if (refusal.kind === 'not-understood')
    return c.html(page('No job was created', html`<p>${refusal.sentence}</p>`), 400)
  if (refusal.kind === 'conflict') return c.html(page('The job didn’t change', html`<p>${refusal.sentence}</p>`), 409)
  c.header('retry-after', String(refusal.retryAfter))
  return c.html(page('Too many requests', html`<p>Try again in ${refusal.retryAfter} s.</p>`), 429)
}
