import type { Role } from '@docket/api-types/session'
import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#http/app-error.ts'
import type { Identity } from '#http/identity.ts'

/** Who may use a route: the least role, or `anyone`; and whether an API token of that role may, or only a person. */
type Rule = { role: Role | 'anyone'; tokens: boolean }

const anyone: Rule = { role: 'anyone', tokens: true }
const viewer: Rule = { role: 'viewer', tokens: true }
const operator: Rule = { role: 'operator', tokens: true }
/** About the person's own account and sessions. */
const person: Rule = { role: 'viewer', tokens: false }
const admin: Rule = { role: 'admin', tokens: false }

/** Every route of the API, and who may use it. A route that is not here, or is here and does not exist, stops Docket at its start. */
export const access: Readonly<Record<string, Rule>> = {
  'GET /livez': anyone,
  'GET /readyz': anyone,
  'GET /api/openapi.json': viewer,
  'GET /api/session': anyone,
  'DELETE /api/session': anyone,
  'POST /api/setup': anyone,
  'GET /api/status': viewer,
  'GET /api/connection': viewer,
  'GET /api/activity': viewer,
  'GET /api/static-exports': viewer,
  'GET /api/static-exports/filters': viewer,
  'POST /api/static-exports': operator,
  'POST /api/static-exports/import': operator,
  'GET /api/static-exports/:exportId': viewer,
  'GET /api/static-exports/:exportId/history': viewer,
  'DELETE /api/static-exports/:exportId': operator,
  'POST /api/static-exports/:exportId/restore': operator,
  'POST /api/static-exports/:exportId/attach': operator,
  'POST /api/static-exports/:exportId/check': operator,
  'POST /api/static-exports/:exportId/bundle': operator,
  'POST /api/static-exports/:exportId/bundle/prepare': operator,
  'GET /api/static-exports/:exportId/download': operator,
  'GET /api/agent-jobs': viewer,
  'GET /api/agent-jobs/filters': viewer,
  'POST /api/agent-jobs': operator,
  'GET /api/agent-jobs/:projectId/:id': viewer,
  'GET /api/agent-jobs/:projectId/:id/history': viewer,
  'DELETE /api/agent-jobs/:projectId/:id': operator,
  'POST /api/agent-jobs/:projectId/:id/restore': operator,
  'POST /api/agent-jobs/:projectId/:id/check': operator,
}

const rank: Record<Rule['role'], number> = { anyone: 0, viewer: 1, operator: 2, admin: 3 }

/** Whether somebody may use a route; an unknown one nobody may. */
export const mayUse = (identity: Identity, route: string): boolean => {
  const rule = access[route]
  if (rule === undefined) return false
  if (rule.role === 'anyone') return true
  if (identity === null || (identity.kind === 'token' && !rule.tokens)) return false
  return rank[identity.role] >= rank[rule.role]
}

const article: Record<Role, string> = { viewer: 'a viewer', operator: 'an operator', admin: 'an admin' }

const refusal = (identity: Identity, rule: Rule | undefined): AppError => {
  if (identity === null) return new AppError('not_signed_in', 'Sign in to go on.')
  if (rule === undefined || rule.role === 'anyone') return new AppError('forbidden', 'Nobody may do this.')
  if (identity.kind === 'token')
    return rule.tokens
      ? new AppError('forbidden', `This token may not do this: it needs the scope operate.`)
      : new AppError('forbidden', 'API tokens may not do this. Sign in as a person.')
  return new AppError(
    'forbidden',
    `This takes ${article[rule.role]}, and you are ${article[identity.role]}. Ask an admin of this Docket.`,
  )
}

/** The route that answers a request, as it is written in `access`; undefined where none does. */
const routeOf = (routes: ReturnType<typeof matchedRoutes>): string | undefined => {
  const found = routes.findLast(({ method, path }) => method !== 'ALL' && path !== '*' && path !== '/*')
  return found && `${found.method} ${found.path}`
}

/** Lets a request reach its route only when `access` says so; what no route answers goes on to its 404. */
export const accessControl = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(matchedRoutes(c))
  if (route !== undefined && !mayUse(c.var.identity, route)) throw refusal(c.var.identity, access[route])
  await next()
})

/** Throws unless the routes of the app and the table are the same, so that nothing is ever served by forgetting. */
export const checkAccess = (app: Pick<Hono<AppEnv>, 'routes'>): void => {
  const served = new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '*')
      .map(({ method, path }) => `${method} ${path}`),
  )
  const unlisted = [...served].filter((route) => !(route in access))
  const missing = Object.keys(access).filter((route) => !served.has(route))
  if (unlisted.length > 0) throw new Error(`Nobody wrote down who may use ${unlisted.join(', ')} (http/access.ts).`)
  if (missing.length > 0) throw new Error(`http/access.ts names routes that do not exist: ${missing.join(', ')}.`)
}
