import type { Role } from '@docket/api-types/session'

type RoleOption = { value: Role; label: string; hint: string }

/** Labels of the roles, in ascending order. */
export const roles: readonly RoleOption[] = [
  { value: 'none', label: 'Limited', hint: 'only what roles on connections give' },
  { value: 'viewer', label: 'Viewer', hint: 'looks at everything' },
  { value: 'auditor', label: 'Auditor', hint: 'looks at everything, and reads the audit' },
  { value: 'operator', label: 'Operator', hint: 'also starts, downloads and follows' },
  { value: 'admin', label: 'Admin', hint: 'also manages people, tokens and settings' },
]

/** Roles to choose from. `canLimit`: there are several connections, so that somebody without a role over everything can have one. */
export const offerRoles = (canLimit: boolean): readonly RoleOption[] =>
  roles.filter(({ value }) => canLimit || value !== 'none')
