import type { Context } from 'hono'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'
import type { PersonIdentity } from '#identity/identity.ts'
import type { Visit } from './better-auth.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SignInVisit } from './sign-in/password-sign-in.ts'

/** Who comes with a request, from where, and when. */
export const visitOf = (c: Context<AppEnv>, now: number): Visit => ({
  by: c.var.actor,
  userAgent: c.req.header('user-agent'),
  now,
})

/** The browser's session, which ends when a new one begins. */
export const replacedBy = (c: Context<AppEnv>): string | null =>
  c.var.identity?.kind === 'person' ? c.var.identity.sessionId : null

/** As `visitOf`, with the browser's cookies and the session that a new one replaces. */
export const signInVisit = async (
  c: Context<AppEnv>,
  { cookie, now }: { cookie: SessionCookie; now: () => number },
): Promise<SignInVisit> => {
  const header = c.req.header('cookie')
  return {
    ...visitOf(c, now()),
    cookie: header === undefined ? undefined : await cookie.rewrite(header),
    replaces: replacedBy(c),
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
