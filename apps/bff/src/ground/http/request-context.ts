import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Log } from '#ground/log/log.ts'

/** One finished request. `route` is the pattern of its route, never the address. */
export type Answered = { method: string; route: string; status: number; ms: number }

/**
 * Gives every request an id, which the response repeats as `X-Request-Id`, and a log that carries it. Ignores ids from outside. Logs
 * every response at `debug`. While `draining`, closes the connection after the response.
 */
export const setRequestContext = (
  log: Log,
  { onAnswer, draining }: { onAnswer?: (answered: Answered) => void; draining?: () => boolean } = {},
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId, method: c.req.method, path: c.req.path }))
    const startedAt = performance.now()
    await next()
    const ms = performance.now() - startedAt
    // A download bypasses Hono's response.
    const bindings: Partial<AppEnv['Bindings']> | undefined = c.env
    const outgoing = bindings?.outgoing
    const status = outgoing?.headersSent === true ? outgoing.statusCode : c.res.status
    c.var.log.debug({ status, ms: Math.round(ms) }, 'answered')
    onAnswer?.({ method: c.req.method, route: routePath(c), status, ms })
    c.header('X-Request-Id', requestId)
    if (draining?.() === true) c.header('Connection', 'close')
  })
