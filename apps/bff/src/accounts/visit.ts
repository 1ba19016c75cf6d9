import type { Context } from 'hono'
import { parse } from 'hono/utils/cookie'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#http/app-error.ts'
import type { PersonIdentity } from '#http/access/identity.ts'
import type { Visit } from './better-auth.ts'
import type { SignInVisit } from './sign-in/password-sign-in.ts'

/** Who comes with a request, from where, and when. */
export const visitOf = (c: Context<AppEnv>, now: number): Visit => ({
  by: c.var.actor,
  userAgent: c.req.header('user-agent'),
  now,
})

/**
 * The cookies of a request as Docket reads them, written so that better-auth reads the same: of two of one name, or one with half a pair of
 * quotes, it could take another, and would then act for somebody else than the one who was let in.
 */
const cookiesAsRead = (header: string | undefined): string | undefined =>
  header &&
  Object.entries(parse(header))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')

/** As `visitOf`, with what a sign-in looks at: the browser's cookies, and the session that ends when a new one begins. */
export const signInVisit = (c: Context<AppEnv>, now: number): SignInVisit => {
  const { identity } = c.var
  return {
    ...visitOf(c, now),
    cookie: cookiesAsRead(c.req.header('cookie')),
    replaces: identity?.kind === 'person' ? identity.sessionId : null,
  }
}

/** The person who asks. The table of access lets nobody else reach the routes that need one. */
export const personOf = (c: Context<AppEnv>): PersonIdentity => {
  const { identity } = c.var
  if (identity?.kind !== 'person') throw new AppError('not_signed_in', 'Sign in to go on.')
  return identity
}

/** The address people use, for links they pass on. */
export const originOf = (c: Context<AppEnv>, publicUrl: URL | null): string =>
  publicUrl?.origin ?? `http://${c.req.header('host')}`
