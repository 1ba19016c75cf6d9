import { explainRole, includesRole, roleNames, roles, type Role } from '@docket/api-types/roles'
import { createStore } from '#lib/state/store.ts'

export type Permission = Role

/** Highest role that the reader has anywhere, or null while unknown. The server enforces it. */
export const permissions = createStore<Role | null>(null)

/** True when the reader may send prompts to agents, or null while unknown. The server enforces it. */
export const promptRight = createStore<boolean | null>(null)

export const aRole = Object.fromEntries(roleNames.map((role) => [role, roles[role].article])) as Record<Role, string>

/** Reason why role `has` does not include `needed`; null when allowed or not yet known. */
export const explainRefusal = (has: Role | null, needed: Role): string | null =>
  has === null || includesRole(has, needed) ? null : explainRole(needed)
