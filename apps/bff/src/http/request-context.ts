import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#http/app-env.ts'
import type { Log } from '#log.ts'

/** Gives every request an id (also in the answer's `X-Request-Id`) and a log that carries it. An id from outside is ignored. */
export const requestContext = (log: Log) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId, method: c.req.method, path: c.req.path }))
    const startedAt = performance.now()
    await next()
    c.var.log.debug({ status: c.res.status, ms: Math.round(performance.now() - startedAt) }, 'answered')
    c.header('X-Request-Id', requestId)
  })
