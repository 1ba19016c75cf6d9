import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { Rights } from '#ground/identity/rights.ts'

/** Domains, projects and connections whose records the caller may see and change. Null stands for all, an empty list for none. */
export type TokenScope = Pick<Rights, 'connectionIds' | 'operates'> & {
  /** ASCII names, as records store them. */
  domains: readonly string[] | null
  projectIds: readonly string[] | null
}

/** Scope of people with a role over everything, at least operator, and of their tokens without a restriction. */
export const everything: TokenScope = { domains: null, projectIds: null, connectionIds: null, operates: null }

const nothing: TokenScope = { domains: [], projectIds: [], connectionIds: [], operates: [] }

export const isRestricted = (identity: Identity | undefined): boolean =>
  identity?.kind === 'token' && (identity.domains !== null || identity.projectIds !== null || identity.sites !== null)

/** Scope of the caller. A token restricted to some records of one kind can reach records of the other kind only if they are listed too. */
export const readScope = (identity: Identity | undefined): TokenScope => {
  if (identity === undefined || identity === null) return nothing
  const { connectionIds, operates } = identity
  if (identity.kind === 'token' && isRestricted(identity))
    return { domains: identity.domains ?? [], projectIds: identity.projectIds ?? [], connectionIds, operates }
  return connectionIds === null && operates === null ? everything : { ...everything, connectionIds, operates }
}

export const narrowScope = (scope: TokenScope, { connection }: { connection?: string | undefined }): TokenScope =>
  connection === undefined
    ? scope
    : { ...scope, connectionIds: isWithin(scope.connectionIds, connection) ? [connection] : [] }

export const seesEverything = ({ domains, projectIds, connectionIds }: TokenScope): boolean =>
  domains === null && projectIds === null && connectionIds === null

/** True when a scope's list includes the name; null includes every name. */
export const isWithin = (names: readonly string[] | null, name: string): boolean =>
  names === null || names.includes(name)

/** Throws `forbidden` when the caller may only view a connection. Call it after checking `connectionIds`. */
export const ensureOperates = ({ operates }: TokenScope, connectionId: string): void => {
  if (!isWithin(operates, connectionId))
    throw new AppError(
      'forbidden',
      'Only operators of this connection and admins can do this. Ask an admin for access.',
    )
}
