import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { ConnectionReports } from './connection-reports.ts'
import type { ConnectionSettingsService } from './connection-settings.service.ts'
import type { ProjectService } from './projects.ts'
import type { resumeCalls } from './resume-calls.ts'

const report = apiRoute('GET', '/api/connection', {
  summary: 'Budget, health and next calls of a connection to an Admin API',
  answer: 'Everything Docket knows about its talk with this Admin API.',
})
const resume = apiRoute('POST', '/api/connection/resume', {
  summary: 'End a pause of more than an hour that the service of a connection asked for',
  answer: 'Calls are made again, until the service asks for another pause.',
})
const list = apiRoute('GET', '/api/connections', {
  summary: 'Connections with their settings, without any key',
  answer: 'Every connection that is there or has records.',
})
const add = apiRoute('POST', '/api/connections', {
  summary: 'Add a connection to a service; its key is encrypted and never read back',
  answer: 'The connection.',
  status: 201,
})
const change = apiRoute('PATCH', '/api/connections/{connectionId}', {
  summary: 'Change, pause or resume a connection; a new address or new bundle hosts need the key again',
  answer: 'The connection.',
})
const remove = apiRoute('DELETE', '/api/connections/{connectionId}', {
  summary: 'Remove a connection; its records stay, read-only',
  answer: 'It is gone.',
})
const check = apiRoute('POST', '/api/connections/{connectionId}/check', {
  summary: 'Test the key of a connection with one read of a random id',
  answer: 'What the service made of it.',
})
const move = apiRoute('POST', '/api/connections/{connectionId}/move-records', {
  summary: 'Move the records that belong to no known service to the connection they belong to',
  answer: 'They are moved.',
})
const projects = apiRoute('GET', '/api/projects', {
  summary: 'Projects with the names that people gave them',
  answer: 'Named projects, and those of followed jobs.',
})
const saveProject = apiRoute('POST', '/api/projects', {
  summary: 'Name a project, or make it the default of its connection',
  answer: 'The project.',
})

/** `/api/connection`, `/api/connections` and `/api/projects`. */
export const connectionRoutes = (
  connections: ConnectionSettingsService &
    Pick<ConnectionReports, 'report'> & { resume: ReturnType<typeof resumeCalls> },
  named: ProjectService,
) =>
  apiRoutes()
    .serve(report, (c) => connections.report(c.req.valid('query').connection, readScope(c.var.identity)))
    .serve(resume, (c) => connections.resume(c.req.valid('query').connection, c.var.actor, readScope(c.var.identity)))
    .serve(list, () => connections.list())
    .serve(add, (c) => connections.add(c.req.valid('json'), c.var.actor))
    .serve(change, (c) => connections.change(c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor))
    .serve(remove, (c) => connections.remove(c.req.valid('param').connectionId, c.var.actor))
    .serve(check, (c) => connections.check(c.req.valid('param').connectionId, c.var.actor))
    .serve(move, (c) => connections.move(c.req.valid('param').connectionId, c.req.valid('json').to, c.var.actor))
    .serve(projects, (c) => named.list(readScope(c.var.identity)))
    .serve(saveProject, (c) => named.save(c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
