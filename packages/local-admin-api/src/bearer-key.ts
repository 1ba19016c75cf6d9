import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Lets only calls with `Authorization: Bearer <key>` through (Admin API §5); anything else is a 401. Compared in constant time. */
export const bearerKey = (key: string): MiddlewareHandler => {
  const expected = digest(key)
  return async (c, next) => {
    const [, token = ''] = /^Bearer ([^\s]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    if (!timingSafeEqual(digest(token), expected)) {
      return c.json({ error: 'Missing or invalid API key' }, 401, { 'www-authenticate': 'Bearer' })
    }
    return next()
  }
}
