import type { Role } from '@docket/api-types/session'

type RoleOption = { value: Role; label: string; hint: string }

/** Labels of the roles, in ascending order. */
export const roles: readonly RoleOption[] = [
  { value: 'none', label: 'Limited', hint: 'only their roles on connections and sites' },
  { value: 'viewer', label: 'Viewer', hint: 'can view everything' },
  { value: 'auditor', label: 'Auditor', hint: 'can view everything and read the audit' },
  { value: 'operator', label: 'Operator', hint: 'can also start and download exports and follow jobs' },
  { value: 'admin', label: 'Admin', hint: 'can also manage people, tokens and settings' },
]

/** Roles to choose from. `canLimit`: there are several connections, or sites, so that somebody without a role over everything can have one. */
export const offerRoles = (canLimit: boolean): readonly RoleOption[] =>
  roles.filter(({ value }) => canLimit || value !== 'none')
