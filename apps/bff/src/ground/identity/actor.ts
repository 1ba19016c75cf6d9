import type { ActorKind } from '@docket/api-types/audit'

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
