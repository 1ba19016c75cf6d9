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

/** Lets a form through only when a page of this very origin sent it: the pages have no sign-in and no other protection. */
export const ownPagesOnly: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('sec-fetch-site') ?? 'same-origin'
  if (c.req.header('origin') !== `http://${c.req.header('host')}` || site !== 'same-origin')
    return c.text('Only the forms of these pages may do that.', 403)
  return next()
}
