import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Actor, Credentials, Identify, Identity } from '#ground/identity/identity.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'

const toActor = (identity: Identity, from: Pick<Actor, 'address' | 'requestId'>): Actor => {
  if (identity === null) return { kind: 'nobody', id: null, name: 'Nobody signed in', ...from }
  const id = identity.kind === 'person' ? identity.userId : identity.tokenId
  const email = identity.kind === 'person' ? { email: identity.email } : {}
  return { kind: identity.kind, id, name: identity.name, ...email, ...from }
}

/** Reads the bearer token, malformed ones included. Undefined for other schemes, such as a proxy's password. */
export const readBearer = (authorization: string | undefined): string | undefined => {
  const found = /^Bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? '')
  return found === null ? undefined : (found[1] ?? '')
}

const readHeaders = (c: Context<AppEnv>): Credentials => ({
  cookie: c.req.header('cookie'),
  authorization: c.req.header('authorization'),
})

/**
 * Sets `identity`, and `actor` for the history and the audit, on every request. Refuses an unknown bearer token on every route.
 */
export const identifyCaller = (identify: Identify, readCredentials = readHeaders) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const credentials = readCredentials(c)
    const { authorization } = credentials
    const found = await identify(credentials)
    c.set('identity', found)
    c.set('identifyAgain', () => identify(credentials))
    c.set('actor', toActor(found, { address: c.var.address, requestId: c.var.requestId }))
    if (found === null && readBearer(authorization) !== undefined)
      throw new AppError('not_signed_in', 'This API token doesn’t work. It may have expired or been revoked.')
    await next()
  })
