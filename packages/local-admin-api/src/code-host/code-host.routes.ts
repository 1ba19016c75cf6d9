import { createReadStream } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import type { AgentJobs } from '#agent-jobs/agent-jobs.service.ts'
import { agentJobPage, homePage } from '#code-host/agent-job.pages.ts'
import { page } from '#code-host/layout.ts'
import { pullRequestPage } from '#code-host/pull-request.page.ts'
import { commitsOf, diffOf, pullRequestsOf } from '#code-host/pull-requests.ts'
import type { Repositories, Repository } from '#code-host/repositories.ts'
import { repositoryPage } from '#code-host/repository.page.ts'

const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
})

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
      .use(pageHeaders)
      .get('/', async (c) => c.html(homePage(agentJobs.projectIds, await agentJobs.list())))
      .get('/code-host.css', async (c) =>
        c.body(await readFile(new URL('./code-host.css', import.meta.url)), 200, { 'content-type': 'text/css' }),
      )
      // The pages have no sign-in, so a form of another site must not be able to create jobs.
      .post('/jobs', async (c) => {
        if (c.req.header('origin') !== new URL(c.req.url).origin)
          return c.text('Only the form of this page may do that.', 403)
        const { projectId, prompt } = await c.req.parseBody()
        if (
          typeof projectId !== 'string' ||
          typeof prompt !== 'string' ||
          prompt.trim() === '' ||
          prompt.length > 10_000
        )
          return c.html(
            page(
              'A prompt is needed',
              html`<p>Go back and say what the agent is to do, in 1 to 10,000 characters.</p>`,
            ),
            400,
          )
        const job = await agentJobs.create(projectId, prompt)
        return job ? c.redirect(`/jobs/${encodeURIComponent(job.projectId)}/${job.id}`, 303) : missing(c)
      })
      .get('/jobs/:projectId/:id', async (c) => {
        const job = await agentJobs.get(c.req.param('projectId'), c.req.param('id'))
        return job ? c.html(agentJobPage(job, origin())) : missing(c)
      })
      .get('/docket/:projectId/pulls/:number{[0-9]+}', (c) => {
        const projectId = c.req.param('projectId')
        return found(c, projectId, async (repository) => {
          const pull = (await pullRequestsOf(repository)).find(({ number }) => number === Number(c.req.param('number')))
          if (!pull) return missing(c)
          const [commits, diff] = await Promise.all([commitsOf(repository, pull), diffOf(repository, pull)])
          return c.html(pullRequestPage(projectId, pull, commits, diff))
        })
      })
      .get('/docket/:repository{.+\\.git}/*', (c) => {
        const name = c.req.param('repository')
        const path = new URL(c.req.url).pathname.slice(`/docket/${name}/`.length)
        return found(c, name.slice(0, -'.git'.length), (repository) => gitFile(c, repository, path))
      })
      .get('/docket/:projectId', (c) => {
        const projectId = c.req.param('projectId')
        return found(c, projectId, async (repository) =>
          c.html(repositoryPage(projectId, await pullRequestsOf(repository), origin())),
        )
      })
  )
}

/** Files that a clone over the plain protocol reads; nothing else of a repository is shown. */
const served =
  /^(HEAD|info\/refs|packed-refs|objects\/(info\/packs|[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(pack|idx)))$/

const gitFile = async (c: Context, { gitDir }: Repository, path: string) => {
  if (!served.test(path)) return c.notFound()
  const file = await realpath(join(gitDir, path)).catch(() => null)
  if (!file?.startsWith((await realpath(gitDir)) + sep)) return c.notFound()
  const { size } = await stat(file)
  return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream, 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(size),
  })
}

const missing = (c: Context) => c.html(page('Not found', html`<p>There is nothing at this address.</p>`), 404)
