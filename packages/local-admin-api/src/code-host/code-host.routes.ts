import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { jobPages, missing } from '#code-host/job.routes.ts'
import { page, wayBack } from '#code-host/pages/layout.ts'
import { visible } from '#code-host/pages/text.ts'
import { repositoryPages, type RepositoryPageDeps } from '#code-host/repository.routes.ts'
import type { AgentJobs } from '#agent-jobs/agent-jobs.service.ts'
import type { Projects } from '#code-hosts/code-host.ts'

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

const assets = {
  'code-host.css': 'text/css',
  'code-host.js': 'text/javascript',
  'pass.js': 'text/javascript',
  'code-host.svg': 'image/svg+xml',
}

/** What the code host stands on. */
export type CodeHostDeps = RepositoryPageDeps & { agentJobs: AgentJobs; projects: Projects }

/** Pages of the embedded code host, and its repositories for `git clone` (read only, the protocol of plain files). */
export const codeHostRoutes = (deps: CodeHostDeps) =>
  new Hono()
    // Without git, or with a full disk, a reader of these pages is the one who can help.
    .onError((error, c) => {
      const title = c.req.method === 'POST' ? 'That did not work' : 'This page cannot be shown'
      const content = html`<p class="panel problem" role="alert">${visible(error.message)}</p>`
      return c.html(page(title, content, { up: wayBack }), 503)
    })
    .use(pageHeaders)
    .get('/:asset{code-host\\.(css|js|svg)|pass\\.js}', async (c) => {
      const name = c.req.param('asset') as keyof typeof assets
      const file = new URL(`pages/${name}`, import.meta.url)
      return c.body(await readFile(file), 200, { 'content-type': assets[name] })
    })
    .get('/open-docket', (c) => {
      const url = deps.gate()?.docketUrl
      return url === undefined ? missing(c) : c.redirect(`${url}/agent-jobs`, 303)
    })
    .route('/', jobPages(deps.agentJobs, deps.projects, deps.gate))
    .route('/', repositoryPages(deps))
