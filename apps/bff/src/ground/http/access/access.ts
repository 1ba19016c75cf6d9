import { explainRole, includesRole } from '@docket/api-types/roles'
import type { Access, Route } from '@docket/api-types/route'
import { otherRoutes, routes } from '@docket/api-types/routes'
import type { Hono, Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { isRestricted } from './token-scope.ts'

const promptRefusedError = (identity: Identity) =>
  new AppError(
    'forbidden',
    identity?.kind === 'token'
      ? 'This token may not send prompts to agents. Use one that may, made by somebody who may.'
      : 'Only people who may prompt agents can do this. Ask an admin to allow it.',
  )

export const ensureMayPrompt = (identity: Identity | undefined): void => {
  if (identity?.prompts !== true) throw promptRefusedError(identity ?? null)
}

/** Access to every route, by method and pattern. Docket does not start when the contract's table and the served routes differ. */
export const access: Readonly<Record<string, Access>> = Object.fromEntries(
  Object.entries<Route>({ ...routes, ...otherRoutes }).map(([route, { access: rule }]) => [
    route.replaceAll(/\{(\w+)\}/g, ':$1'),
    rule,
  ]),
)

const isOpenTo = ({ tokens }: Access, identity: Identity): boolean => {
  if (identity?.kind !== 'token') return true
  return tokens === 'whole' ? !isRestricted(identity) : tokens !== 'none'
}

/** True when the identity may use the route. Unknown routes are refused for everybody. */
export const mayUse = (identity: Identity, route: string): boolean => {
  const rule = access[route]
  if (rule === undefined || !isOpenTo(rule, identity)) return false
  if (rule.role === 'anyone') return true
  return identity !== null && includesRole(identity.role, rule.role) && (rule.prompts !== true || identity.prompts)
}

const accessRefusedError = (identity: Identity, rule: Access | undefined): AppError => {
  if (identity === null) return new AppError('not_signed_in', 'Sign in to continue.')
  if (rule === undefined) return new AppError('forbidden', 'Nobody can do this.')
  if (rule.role !== 'anyone' && isOpenTo(rule, identity) && includesRole(identity.role, rule.role))
    return promptRefusedError(identity)
  if (identity.kind === 'token') {
    if (rule.tokens === 'none') return new AppError('forbidden', 'API tokens can’t do this. Sign in as a person.')
    if (!isOpenTo(rule, identity))
      return new AppError(
        'forbidden',
        'This token is limited to some domains, projects or sites, and this request concerns all of them.',
      )
    if (identity.role === 'none')
      return new AppError('forbidden', 'This token can’t do anything, because its owner no longer has a role.')
    return new AppError('forbidden', 'This token can only read. Use one with the scope operate, owned by an operator.')
  }
  if (rule.role === 'anyone') return new AppError('forbidden', 'Nobody can do this.')
  return new AppError('forbidden', explainRole(rule.role))
}

/** Returns the key in `access` of the first route that matches a request. */
export const findRoute = (c: Context): string | undefined => {
  const found = matchedRoutes(c).find(({ method, path }) => method !== 'ALL' && path !== '*' && path !== '/*')
  return found && `${found.method} ${found.path}`
}

export const ensureMayUse = (c: Context<AppEnv>, identity: Identity): void => {
  const route = findRoute(c)
  if (route !== undefined && !mayUse(identity, route)) throw accessRefusedError(identity, access[route])
}

/** Refuses requests that `access` does not allow. A request without a route passes on to its 404. */
export const accessControl = createMiddleware<AppEnv>(async (c, next) => {
  ensureMayUse(c, c.var.identity)
  await next()
})

/** Throws unless the app serves exactly the routes of the table. */
export const checkAccess = (app: Pick<Hono<AppEnv>, 'routes'>): void => {
  const served = new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '*')
      .map(({ method, path }) => `${method} ${path}`),
  )
  const unlisted = [...served].filter((route) => !(route in access))
  const missing = Object.keys(access).filter((route) => !served.has(route))
  if (unlisted.length > 0)
    throw new Error(`Nobody wrote down who may use ${unlisted.join(', ')} (packages/api-types/src/routes.ts).`)
  if (missing.length > 0)
    throw new Error(`packages/api-types/src/routes.ts names routes that do not exist: ${missing.join(', ')}.`)
}
