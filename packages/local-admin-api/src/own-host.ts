import type { MiddlewareHandler } from 'hono'

const loopbackName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/**
 * Answers only to names of this machine, on whatever port (a tunnel may change it). A page of a foreign name that was pointed at
 * 127.0.0.1 (DNS rebinding) would otherwise read the pages here, and its origin would pass for their own.
 */
export const ownHostOnly: MiddlewareHandler = async (c, next) => {
  // A request line may carry a whole address, which is then what `c.req.url` says; both have to be ours.
  const names = [c.req.header('host') ?? '', new URL(c.req.url).host]
  if (!names.every((name) => loopbackName.test(name)))
    return c.json({ error: 'This service answers to the names of this machine only' }, 403)
  return next()
}
