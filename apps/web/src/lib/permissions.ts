import type { Role } from '@docket/api-types/session'
import { createStore } from './store.ts'

/** A permission is the name of a role. */
export type Permission = Role

/** Highest role that the reader has anywhere, or null while unknown. The server enforces it. */
export const permissions = createStore<Role | null>(null)

const rank: Record<Role, number> = { none: 0, viewer: 1, operator: 2, admin: 3 }

/** Each role with its article, for sentences. */
export const aRole: Record<Role, string> = {
  none: 'without a role',
  viewer: 'a viewer',
  operator: 'an operator',
  admin: 'an admin',
}

/** Reason why role `has` is below `needed`; null when allowed or not yet known. */
export const explainRefusal = (has: Role | null, needed: Role): string | null =>
  has === null || rank[has] >= rank[needed]
    ? null
    : `This takes ${aRole[needed]}, and you are ${aRole[has]}. Ask an admin of this Docket.`
