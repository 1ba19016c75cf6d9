import type { Role } from '@docket/api-types/session'
import { createMiddleware } from 'hono/factory'
import type { Actor } from '#audit/audit.ts'
import type { AppEnv } from '#http/app-env.ts'

/** A person with a session. */
export type PersonIdentity = {
  kind: 'person'
  userId: string
  sessionId: string
  name: string
  email: string
  role: Role
}

/** A program with an API token. */
export type TokenIdentity = {
  kind: 'token'
  tokenId: string
  name: string
  role: Extract<Role, 'viewer' | 'operator'>
  /** The only domains and projects it may see; null: every one. */
  domains: readonly string[] | null
  projectIds: readonly string[] | null
}

/** Who asks; null is somebody who is not signed in. */
export type Identity = PersonIdentity | TokenIdentity | null

/** What a request says about who asks. */
export type Credentials = { cookie: string | undefined; authorization: string | undefined }

/** Finds out who asks. A bearer token counts alone: a cookie beside it is ignored. Rejects when the database cannot be asked. */
export type Identify = (credentials: Credentials) => Promise<Identity>

const actorOf = (identity: Identity, from: Pick<Actor, 'address' | 'requestId'>): Actor => {
  if (identity === null) return { kind: 'nobody', id: null, name: 'Nobody signed in', ...from }
  const id = identity.kind === 'person' ? identity.userId : identity.tokenId
  return { kind: identity.kind, id, name: identity.name, ...from }
}

/** Gives every request the one who asks (`identity`), and the same one as the history and the audit know them (`actor`). */
export const identity = (identify: Identify) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const found = await identify({ cookie: c.req.header('cookie'), authorization: c.req.header('authorization') })
    c.set('identity', found)
    c.set('actor', actorOf(found, { address: c.var.address, requestId: c.var.requestId }))
    await next()
  })
