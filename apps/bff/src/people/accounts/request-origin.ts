import type { Context } from 'hono'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** The caller of a request, with the time in milliseconds since the epoch. */
export type RequestOrigin = { by: Actor; userAgent: string | undefined; now: number }

/** A request to sign in: its `Cookie` header, and the session of the browser, which the new one replaces. */
export type SignInRequest = RequestOrigin & { cookie: string | undefined; replaces: string | null }

export type OwnRequest = RequestOrigin & { cookie: string | undefined; person: PersonIdentity }

export const readOrigin = (c: Context<AppEnv>, now: number): RequestOrigin => ({
  by: c.var.actor,
  userAgent: c.req.header('user-agent'),
  now,
})

/** Returns the current session of the browser, which a new sign-in ends. */
export const findReplacedSession = (c: Context<AppEnv>): string | null =>
  c.var.identity?.kind === 'person' ? c.var.identity.sessionId : null

export const readSignInRequest = (c: Context<AppEnv>, now: number): SignInRequest => ({
  ...readOrigin(c, now),
  cookie: c.req.header('cookie'),
  replaces: findReplacedSession(c),
})

/** Returns the signed-in person. The access table protects every route that calls it. */
export const requirePerson = (c: Context<AppEnv>): PersonIdentity => {
  const { identity } = c.var
  if (identity?.kind !== 'person') throw new AppError('not_signed_in', 'Sign in to continue.')
  return identity
}

export const readOwnRequest = (c: Context<AppEnv>, now: number): OwnRequest => ({
  ...readOrigin(c, now),
  cookie: c.req.header('cookie'),
  person: requirePerson(c),
})

/** Returns the origin for links that people share. */
export const findPublicOrigin = (c: Context<AppEnv>, publicUrl: URL | null): string =>
  publicUrl?.origin ?? `http://${c.req.header('host')}`
