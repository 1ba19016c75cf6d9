import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isUpload } from '#ground/http/server/body-limit.ts'
import { isOwnHost, listOwnOrigins, type OwnHosts, mayMoveHere } from './own-hosts.ts'
import { Hono } from 'hono'

/**
 * `/here`: answers a page under 127.0.0.1 or localhost, and so proves that its browser can reach Docket under its own
 * name.
 */
export const serveHere = (hosts: OwnHosts) =>
  new Hono<AppEnv>().get('/here', (c) => {
    const origin = c.req.header('origin')
    c.header('Vary', 'Origin')
    if (origin !== undefined && mayMoveHere(origin, c.req.header('host') ?? '', hosts))
      c.header('Access-Control-Allow-Origin', origin)
    return c.body(null, 204)
  })

/** Refuses requests under a foreign host name, which protects against DNS rebinding. */
export const requireOwnHost = (hosts: OwnHosts) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!isOwnHost(c.req.header('host'), hosts))
      throw new AppError(
        'forbidden',
        'This address isn’t Docket’s. Open the address it printed when it started, or set PUBLIC_URL to the one people use.',
      )
    await next()
  })

const isJson = /^application\/json(\s*;.*)?$/i

/**
 * Accepts a change only from Docket's own page: `Sec-Fetch-Site: same-origin` or an equal `Origin` (at least one present, neither
 * contradicting), the header `X-Docket: 1`, which no foreign form can send, and JSON. A request without a body needs no content type.
 * Requests with an API token need only JSON, because no browser adds the token by itself.
 */
export const requireSameOrigin = (hosts: OwnHosts) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    const own = listOwnOrigins(c.req.header('host') ?? '', hosts)
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const proven =
      (origin !== undefined || site !== undefined) &&
      (origin === undefined || own.includes(origin.toLowerCase())) &&
      (site === undefined || site === 'same-origin')
    if (c.var.identity?.kind !== 'token' && (!proven || c.req.header('x-docket') !== '1'))
      throw new AppError('forbidden', 'Docket only accepts changes from its own pages. Reload the page and try again.')
    const type = c.req.header('content-type')
    const hasBody = c.req.header('transfer-encoding') !== undefined || (c.req.header('content-length') ?? '0') !== '0'
    // Foreign forms cannot send this type either.
    if (isUpload(c.req.method, c.req.path) && type === 'application/octet-stream') return next()
    if (type === undefined ? hasBody : !isJson.test(type))
      throw new AppError('invalid_request', 'Send the request as JSON, with the content type application/json.')
    return next()
  })
