import type { Identity } from '#identity/identity.ts'

/** Whose exports and jobs somebody may see and change. Of each kind: null stands for every one, and nobody's when the list is empty. */
export type TokenScope = {
  /** In ASCII, as records keep them. */
  domains: readonly string[] | null
  projectIds: readonly string[] | null
}

/** Scope of people and of tokens without a restriction. */
export const everything: TokenScope = { domains: null, projectIds: null }

/** What somebody reaches. A token that is restricted in one kind of records reaches none of the other, unless that one is listed too. */
export const readScope = (identity: Identity | undefined): TokenScope => {
  if (identity?.kind !== 'token' || (identity.domains === null && identity.projectIds === null)) return everything
  return { domains: identity.domains ?? [], projectIds: identity.projectIds ?? [] }
}

/** True when a scope's list includes the name; null includes every name. */
export const isWithin = (names: readonly string[] | null, name: string): boolean =>
  names === null || names.includes(name)
