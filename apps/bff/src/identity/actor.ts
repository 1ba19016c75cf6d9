import type { ActorKind } from '@docket/api-types/audit'

/** A person, a token or Docket itself, as the history and the audit name the one who acts. */
export type Actor = {
  kind: ActorKind
  /** User id or token id. */
  id: string | null
  name: string
  /** Network address. Null for Docket itself. */
  address: string | null
  requestId: string | null
}

/** Docket itself, for an act without a request. */
export const docketActor: Actor = { kind: 'docket', id: null, name: 'Docket', address: null, requestId: null }
