import { type Role, roleNames, roles } from '@docket/api-types/roles'

/** Roles to choose from. `canLimit`: there are several connections, or sites, so that somebody without a role over everything can have one. */
export const offerRoles = (canLimit: boolean) =>
  roleNames
    .filter((role) => canLimit || role !== 'none')
    .map((value) => ({ value, label: roles[value].label, hint: roles[value].hint }))

/** A role that this page does not know keeps its name. */
export const labelRole = (role: Role): string => offerRoles(true).find(({ value }) => value === role)?.label ?? role
