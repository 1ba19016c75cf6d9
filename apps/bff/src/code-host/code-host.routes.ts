import { apiRoute, apiRoutes } from '#http/api-routes.ts'
import type { CodeHostService } from './code-host.service.ts'

const open = apiRoute('GET', '/api/code-host/open', {
  summary: 'Go to a page of the embedded code host, with a pass to make changes there',
  responses: { 303: { description: 'To the page, or to Docket for somebody who is not signed in.' } },
})

/** `/api/code-host`: leads to pages of the embedded code host. The web app links to it and never fetches it. */
export const codeHostRoutes = (codeHost: CodeHostService) =>
  apiRoutes().serve(open, async (c) => {
    const { identity, actor: by } = c.var
    // A person sees this response, and JSON would tell them nothing.
    if (identity === null) return c.redirect('/agent-jobs', 303)
    const site = c.req.header('sec-fetch-site') ?? 'none'
    const fromElsewhere = site !== 'same-origin' && site !== 'none'
    return c.redirect(await codeHost.open(c.req.valid('query').to, { identity, by, fromElsewhere }), 303)
  })
