import type { Identity } from '#identity/identity.ts'

/** Domains and projects whose records the sender may see and change. Null: all; an empty list: none. */
export type TokenScope = {
  /** ASCII names, as records store them. */
  domains: readonly string[] | null
  projectIds: readonly string[] | null
  /** Connections whose records the sender may see, and those where it may start, follow and change records. */
  connectionIds: readonly string[] | null
  operates: readonly string[] | null
}

/** Scope of people, and of tokens without a restriction. */
export const everything: TokenScope = { domains: null, projectIds: null, connectionIds: null, operates: null }

/**
 * Scope of the sender. A token restricted in one kind of records reaches none of the other kind, unless its list names
 * some.
 */
export const readScope = (identity: Identity | undefined): TokenScope => {
  if (identity?.kind !== 'token' || (identity.domains === null && identity.projectIds === null)) return everything
  return { ...everything, domains: identity.domains ?? [], projectIds: identity.projectIds ?? [] }
}

/** The part of a scope at one connection. */
export const narrowScope = (scope: TokenScope, { connection }: { connection?: string | undefined }): TokenScope =>
  connection === undefined
    ? scope
    : { ...scope, connectionIds: isWithin(scope.connectionIds, connection) ? [connection] : [] }

/** True when a scope's list includes the name; null includes every name. */
export const isWithin = (names: readonly string[] | null, name: string): boolean =>
  names === null || names.includes(name)
