import { readFile } from 'node:fs/promises'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { Prompt, promptRule } from '#agent-jobs/agent-job.ts'
import { isRefusal, type AgentJobs, type Refusal } from '#agent-jobs/agent-jobs.service.ts'
import { agentJobPage, homePage } from '#code-host/agent-job.pages.ts'
import { page } from '#code-host/layout.ts'
import { pullRequestPage } from '#code-host/pull-request.page.ts'
import { commitsOf, diffOf, pullRequestsOf } from '#code-host/pull-requests.ts'
import type { Repositories, Repository } from '#code-host/repositories.ts'
import { repositoryFile } from '#code-host/repository-file.ts'
import { repositoryPage } from '#code-host/repository.page.ts'
import { ownPagesOnly } from '#own-host.ts'

const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With `no-referrer` a browser sends `Origin: null` with our own forms, and they would be refused.
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
})

const assets = { 'code-host.css': 'text/css', 'code-host.js': 'text/javascript', 'code-host.svg': 'image/svg+xml' }

/** Pages of the embedded code host, and its repositories for `git clone` (read only, the protocol of plain files). */
export const codeHostRoutes = (agentJobs: AgentJobs, repositories: Repositories, origin: () => string) => {
  const found = async (
    c: Context,
    projectId: string,
    answer: (repository: Repository) => Response | Promise<Response>,
  ) => {
    const repository = await repositories.open(projectId)
    return repository ? answer(repository) : missing(c)
  }
  return (
    new Hono()
      // Without git, or with a full disk, a reader of these pages is the one who can help.
      .onError((error, c) => c.html(page('This page cannot be shown', html`<p>${error.message}</p>`), 503))
      .use(pageHeaders)
      .get('/', (c) => c.html(homePage(agentJobs.projectIds, agentJobs.list())))
      .get('/:asset{code-host\\.(css|js|svg)}', async (c) => {
        const name = c.req.param('asset') as keyof typeof assets
        return c.body(await readFile(new URL(name, import.meta.url)), 200, { 'content-type': assets[name] })
      })
      .post('/jobs', ownPagesOnly, async (c) => {
        const form = await c.req.parseBody().catch(() => null)
        const prompt = Prompt.safeParse(form?.prompt)
        if (!prompt.success || typeof form?.projectId !== 'string')
          return c.html(page('A prompt is needed', html`<p>${promptRule}. Go back to change it.</p>`), 400)
        const job = await agentJobs.create(form.projectId, prompt.data)
        return isRefusal(job) ? refuse(c, job) : c.redirect(`/jobs/${job.projectId}/${job.id}`, 303)
      })
      .get('/jobs/:projectId/:id', (c) => {
        const job = agentJobs.get(c.req.param('projectId'), c.req.param('id'))
        return job ? c.html(agentJobPage(job)) : missing(c)
      })
      .post('/jobs/:projectId/:id/archive', ownPagesOnly, async (c) => {
        const job = await agentJobs.archive(c.req.param('projectId'), c.req.param('id'))
        return job ? c.redirect(`/jobs/${job.projectId}/${job.id}`, 303) : missing(c)
      })
      .get('/docket/:projectId/pulls/:number{[0-9]+}', (c) => {
        const { projectId, number } = c.req.param()
        return found(c, projectId, async (repository) => {
          const pull = (await pullRequestsOf(repository)).find((candidate) => candidate.number === Number(number))
          if (!pull) return missing(c)
          const [commits, diff] = await Promise.all([commitsOf(repository, pull), diffOf(repository, pull)])
          return c.html(pullRequestPage(projectId, pull, commits, diff))
        })
      })
      .get('/docket/:repository{[^/]+\\.git}/*', (c) => {
        const name = c.req.param('repository')
        const path = new URL(c.req.url).pathname.slice(`/docket/${name}/`.length)
        return found(c, name.slice(0, -'.git'.length), (repository) => repositoryFile(c, repository, path))
      })
      .get('/docket/:projectId', (c) => {
        const projectId = c.req.param('projectId')
        return found(c, projectId, async (repository) =>
          c.html(repositoryPage(projectId, await pullRequestsOf(repository), origin())),
        )
      })
  )
}

const missing = (c: Context) => c.html(page('Not found', html`<p>There is nothing at this address.</p>`), 404)

const refuse = (c: Context, refusal: Refusal) => {
  if (refusal.kind === 'not-found') return missing(c)
  if (refusal.kind === 'conflict') return c.html(page('Not possible', html`<p>${refusal.sentence}</p>`), 409)
  c.header('retry-after', String(refusal.retryAfter))
  return c.html(page('Too many requests', html`<p>Try again in ${refusal.retryAfter} s.</p>`), 429)
}
