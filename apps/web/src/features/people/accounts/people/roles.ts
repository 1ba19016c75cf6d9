import { roleNames, roles, type Role } from '@docket/api-types/roles'

/** Roles to choose from. `canLimit`: there are several connections, or sites, so a user without a role over everything can be granted a narrower one. */
export const offerRoles = (canLimit: boolean) =>
  roleNames
    .filter((role) => canLimit || role !== 'none')
    .map((value) => ({ value, label: roles[value].label, hint: roles[value].hint }))

export const labelRole = (role: Role): string => offerRoles(true).find(({ value }) => value === role)?.label ?? role
