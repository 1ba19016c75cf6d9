import type { Role } from '@docket/api-types/session'
import type { RoleGroups } from '#config/oidc.ts'

/** The role somebody with these groups has; null: none, so they may not come in. */
export const roleOf = (groups: readonly string[], { admin, operator, viewer }: RoleGroups): Role | null => {
  const isIn = (group: string | null) => group !== null && groups.includes(group)
  if (isIn(admin)) return 'admin'
  if (isIn(operator)) return 'operator'
  return viewer === '*' || isIn(viewer) ? 'viewer' : null
}

/** Whether groups decide the role at every sign-in. Where only viewers have a group, admins of Docket give the others their role. */
export const groupsDecide = ({ admin, operator }: RoleGroups): boolean => admin !== null || operator !== null
