import type { Projects } from '@docket/code-hosts/code-host'
import { assetRoutes } from '@docket/code-hosts/embedded/pages/assets.routes'
import { notFound, page, wayBack } from '@docket/code-hosts/embedded/pages/layout'
import { reveal } from '@docket/code-hosts/embedded/pages/text'
import { repositoryPages, type RepositoryPageDeps } from '@docket/code-hosts/embedded/repository.routes'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { toBranch } from '#agent-jobs/agent-job.ts'
import type { AgentJobs } from '#agent-jobs/agent-jobs.service.ts'
import { jobPages } from './job.routes.ts'

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
  // With `no-referrer`, a browser would send `Origin: null` with our own forms, and the server would refuse them.
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
})

/** Dependencies of the pages. */
export type CodeHostDeps = Omit<RepositoryPageDeps, 'findJobId'> & { agentJobs: AgentJobs; projects: Projects }

/** Pages of the embedded code host, and its repositories for `git clone` (read only, the protocol of plain files). */
export const codeHostRoutes = (deps: CodeHostDeps) => {
  const { agentJobs, projects, findGuard } = deps
  const findJobId = (projectId: string, branch: string) =>
    agentJobs.list().find((job) => job.projectId === projectId && toBranch(job) === branch)?.id ?? null
  return (
    new Hono()
      // Shown to the reader, because without git or with a full disk only they can help.
      .onError((error, c) => {
        const title = c.req.method === 'POST' ? 'That didn’t work' : 'Docket can’t show this page'
        const content = html`<p class="panel problem" role="alert">${reveal(error.message)}</p>`
        return c.html(page(title, content, { up: wayBack }), 503)
      })
      .use(pageHeaders)
      .route('/', assetRoutes)
      .get('/open-docket', (c) => {
        const url = findGuard()?.docketUrl
        return url === undefined ? notFound(c) : c.redirect(`${url}/agent-jobs`, 303)
      })
      .route('/', jobPages(agentJobs, projects, findGuard))
      .route('/', repositoryPages({ ...deps, findJobId }))
  )
}
