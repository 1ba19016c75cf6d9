import { Hono } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import { mayMoveHere, type OwnHosts } from './own-hosts.ts'

/**
 * `/here`: answers a page under 127.0.0.1 or localhost, and so proves that its browser can reach Docket under its own
 * name.
 */
export const here = (hosts: OwnHosts) =>
  new Hono<AppEnv>().get('/here', (c) => {
    const origin = c.req.header('origin')
    c.header('Vary', 'Origin')
    if (origin !== undefined && mayMoveHere(origin, c.req.header('host') ?? '', hosts))
      c.header('Access-Control-Allow-Origin', origin)
    return c.body(null, 204)
  })
