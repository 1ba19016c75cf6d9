import type { Role } from '@docket/api-types/session'

/** Which group of the provider gives which role. Null: none does. `*` for `viewer`: everybody the provider signs in. */
export type RoleGroups = Readonly<Record<Role, string | null>>

/** The single sign-on as the operator configured it. */
export type OidcSettings = {
  issuer: URL
  clientId: string
  /** A function, so that nothing that prints the configuration prints it. */
  clientSecret: () => string
  /** What its button says. */
  name: string
  scopes: readonly string[]
  groupsClaim: string
  groups: RoleGroups
  /** For each request to the provider. Milliseconds; 10,000 when not set. */
  timeoutMs?: number
}

/** The role somebody with these groups has; null: none, so they may not come in. */
export const roleOf = (groups: readonly string[], { admin, operator, viewer }: RoleGroups): Role | null => {
  const isIn = (group: string | null) => group !== null && groups.includes(group)
  if (isIn(admin)) return 'admin'
  if (isIn(operator)) return 'operator'
  return viewer === '*' || isIn(viewer) ? 'viewer' : null
}

/** Whether groups decide the role at every sign-in. Where only viewers have a group, admins of Docket give the others their role. */
export const groupsDecide = ({ admin, operator }: RoleGroups): boolean => admin !== null || operator !== null
