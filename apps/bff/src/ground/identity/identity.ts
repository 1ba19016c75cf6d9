import type { TokenSite } from '@docket/api-types/grants'
import type { GrantRole } from '@docket/api-types/roles'
import type { PersonRights } from './rights.ts'
import type { ActorKind } from '@docket/api-types/audit'

export type PersonIdentity = PersonRights & {
  kind: 'person'
  userId: string
  sessionId: string
  name: string
  email: string
}

/** A program with an API token. Its rights never exceed those that its owner has now. */
export type TokenIdentity = PersonRights & {
  /** Sites and channels that the token is limited to. Null without such a limit. */
  sites: readonly TokenSite[] | null
  kind: 'token'
  tokenId: string
  /** The person who made the token. `userId` is null after their account was deleted. */
  owner: { userId: string | null; name: string }
  name: string
  role: 'none' | GrantRole
  /** Domains and projects that the token may see. Null when it may see all. */
  domains: readonly string[] | null
  projectIds: readonly string[] | null
}

/** The caller of a request. Null when nobody is signed in. */
export type Identity = PersonIdentity | TokenIdentity | null

export type Credentials = { cookie: string | undefined; authorization: string | undefined }

/** Identifies the caller. With a bearer token, a cookie is ignored. Rejects when the database is unavailable, and for a paused token. */
export type Identify = (credentials: Credentials) => Promise<Identity>

/** The author of an action in the history and the audit: a person, a token, or Docket itself. */
export type Actor = {
  kind: ActorKind
  id: string | null
  name: string
  /** E-mail address of a person. Never written to the history or the audit. */
  email?: string
  /** Network address. Null when Docket itself acts. */
  address: string | null
  requestId: string | null
}

/** Docket itself, for actions without a request. */
export const docketActor: Actor = { kind: 'docket', id: null, name: 'Docket', address: null, requestId: null }

/** Who sends a request, and to which host of Docket: the address of a hosted channel may have its port. */
export type Sender = { identity: Identity; actor: Actor; host: string }
