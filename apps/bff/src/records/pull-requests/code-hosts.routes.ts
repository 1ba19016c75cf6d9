import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { CodeHostSettings } from './code-hosts.service.ts'

const add = apiRoute('POST', '/api/connections/{connectionId}/code-hosts', {
  summary: 'Add a code host whose pull requests are read; its token is encrypted and never read back',
  answer: 'The code host.',
  status: 201,
})
const replaceToken = apiRoute('PATCH', '/api/connections/{connectionId}/code-hosts/{codeHostId}', {
  summary: 'Replace the token of a code host',
  answer: 'The code host.',
})
const remove = apiRoute('DELETE', '/api/connections/{connectionId}/code-hosts/{codeHostId}', {
  summary: 'Remove a code host and its token',
  answer: 'It is gone.',
})
const check = apiRoute('POST', '/api/connections/{connectionId}/code-hosts/{codeHostId}/check', {
  summary: 'Test the token of a code host with one call',
  answer: 'What the code host made of it.',
})

/** `/api/connections/{connectionId}/code-hosts`. */
export const codeHostSettingsRoutes = (codeHosts: CodeHostSettings) =>
  apiRoutes()
    .serve(add, (c) => codeHosts.add(c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor))
    .serve(replaceToken, (c) => codeHosts.replaceToken(c.req.valid('param'), c.req.valid('json'), c.var.actor))
    .serve(remove, (c) => codeHosts.remove(c.req.valid('param'), c.var.actor))
    .serve(check, (c) => codeHosts.check(c.req.valid('param'), c.var.actor))
