import { AgentJobKey } from '@docket/api-types/agent-jobs'
import { includesRole } from '@docket/api-types/roles'
import { z } from '@hono/zod-openapi'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { access, findRoute } from './access.ts'
import { ensureOperates, readScope, seesEverything, type TokenScope } from './token-scope.ts'

/**
 * Both find the connection of a record, removed ones included, and throw `not_found` for a record outside a scope, as for an unknown one.
 * `job` throws `conflict` for a key in several connections of the scope.
 */
export type EnsureInScope = {
  export: (exportId: string, scope: TokenScope) => Promise<string>
  job: (job: AgentJobKey & { connection?: string | undefined }, scope: TokenScope) => Promise<string>
}

// An id that does not parse belongs to another route, or the route itself refuses it.
const parseOrIgnore = <T>(schema: z.ZodType<T>, value: unknown): T | undefined => schema.safeParse(value).data

/**
 * Guards every route for a single record: a record outside the caller's scope gets a 404, and only an operator of its connection may change
 * it. Sets `connectionId`, because the keys of agent jobs are unique only within a connection.
 */
export const guardRecordsWithinScope = (ensure: EnsureInScope) => {
  const findConnection = async (c: Context<AppEnv>, scope: TokenScope, changes: boolean) => {
    const exportId = parseOrIgnore(z.uuid(), c.req.param('exportId'))
    const isLimited = !seesEverything(scope) || (changes && scope.operates !== null)
    if (!isLimited) return undefined
    if (exportId !== undefined) return ensure.export(exportId, scope)
    const key = parseOrIgnore(AgentJobKey, c.req.param())
    return key && ensure.job({ ...key, connection: parseOrIgnore(z.uuid(), c.req.query('connection')) }, scope)
  }
  const guard = createMiddleware<AppEnv>(async (c, next) => {
    const scope = readScope(c.var.identity)
    const role = access[findRoute(c) ?? '']?.role
    const changes = role !== undefined && role !== 'anyone' && includesRole(role, 'operator')
    const connectionId = await findConnection(c, scope, changes)
    if (connectionId !== undefined && changes) ensureOperates(scope, connectionId)
    c.set('connectionId', connectionId)
    await next()
  })
  const guards = new Hono<AppEnv>()
  const paths = Object.keys(access).flatMap((route) =>
    /\/:exportId|\/:projectId\/:id/.test(route) ? (route.split(' ')[1] ?? []) : [],
  )
  for (const path of new Set(paths)) guards.use(path, guard)
  return guards
}
