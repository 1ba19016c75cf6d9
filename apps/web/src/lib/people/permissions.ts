import type { Role } from '@docket/api-types/session'
import { createStore } from '#lib/state/store.ts'

/** A permission is the name of a role. */
export type Permission = Role

/** Highest role that the reader has anywhere, or null while unknown. The server enforces it. */
export const permissions = createStore<Role | null>(null)

/** True when the reader may send prompts to agents, or null while unknown. The server enforces it. */
export const promptRight = createStore<boolean | null>(null)

/** Roles that include each role, beside itself and `admin`. */
const includedBy: Record<Role, readonly Role[]> = {
  none: ['viewer', 'auditor', 'operator'],
  viewer: ['auditor', 'operator'],
  auditor: [],
  operator: [],
  admin: [],
}

/** Each role with its article, for sentences. */
export const aRole: Record<Role, string> = {
  none: 'without a role',
  viewer: 'a viewer',
  auditor: 'an auditor',
  operator: 'an operator',
  admin: 'an admin',
}

const openTo: Record<Role, string> = {
  none: 'Everyone with an account',
  viewer: 'Only people with a role',
  auditor: 'Only auditors and admins',
  operator: 'Only operators and admins',
  admin: 'Only admins',
}

/** Reason why role `has` does not include `needed`; null when allowed or not yet known. */
export const explainRefusal = (has: Role | null, needed: Role): string | null =>
  has === null || has === needed || has === 'admin' || includedBy[needed].includes(has)
    ? null
    : `${openTo[needed]} can do this. Ask an admin for access.`
