import { type GrantRole, includesRole, onlyReads, type Role, roleNames, roles } from '@docket/api-types/roles'
import { sql, type SQL } from 'drizzle-orm'

export type Rights = {
  role: Role
  /** Connections whose records the caller may see. Null when they may see all. */
  connectionIds: readonly string[] | null
  /** Connections on which the caller may start, follow and change records. Null when they may do so on all. */
  operates: readonly string[] | null
  /** True when the caller may send prompts in their own words to agents. */
  prompts: boolean
}

/** A role of a person for a site, or for one of its channels. */
export type HeldSiteGrant = { role: GrantRole; siteId: string; channelId: string | null }

export type PersonRights = Rights & { siteGrants: readonly HeldSiteGrant[] }

/** A row of `grants` that applies to a person. `own` is false for a grant of a group. `connectionId` is null for everything. */
export type HeldGrant = { role: string; connectionId: string | null; own: boolean }

/** The source of a person's rights. `mayPrompt` is the flag of an operator. */
export type Held = { grants: readonly HeldGrant[]; siteGrants: readonly HeldSiteGrant[]; mayPrompt: boolean }

/** The role of a grant. A role that this version does not know gives no rights. */
const readRole = ({ role, connectionId, own }: HeldGrant): Role => {
  const known = roleNames.find((one) => one === role) ?? 'none'
  return own && connectionId === null ? known : roles[known].asGrant
}

/**
 * Computes rights from grants; the highest role that covers a record applies. Only a person's own role over everything makes them an admin
 * or an auditor. An auditor cannot change records, whatever other grants allow. `mayPrompt` is the flag of an operator; admins may always
 * prompt.
 */
export const toRights = (grants: readonly HeldGrant[], mayPrompt: boolean): Rights => {
  const held = grants.map((grant) => ({ connectionId: grant.connectionId, role: readRole(grant) }))
  const reader = held.find(({ role }) => onlyReads(role))
  if (reader !== undefined) return { role: reader.role, connectionIds: null, operates: [], prompts: false }
  const findConnections = (needed: Role) => {
    const enough = held.filter(({ role }) => includesRole(role, needed)).map(({ connectionId }) => connectionId)
    return enough.includes(null) ? null : [...new Set(enough.flatMap((one) => one ?? []))].toSorted()
  }
  const role = held.reduce<Role>((highest, one) => (includesRole(one.role, highest) ? one.role : highest), 'none')
  return {
    role,
    connectionIds: findConnections('viewer'),
    operates: findConnections('operator'),
    prompts: role === 'admin' || (role === 'operator' && mayPrompt),
  }
}

export const toPersonRights = ({ grants, siteGrants, mayPrompt }: Held): PersonRights => ({
  ...toRights(grants, mayPrompt),
  siteGrants,
})

/** Intersection of two lists of names. Null stands for all names. */
export const intersectNames = (
  some: readonly string[] | null,
  others: readonly string[] | null,
): readonly string[] | null =>
  some === null ? others : others === null ? some : some.filter((one) => others.includes(one))

/** Rights of a token: those it was given, limited to the current rights of its owner. */
export const limitRights = (
  token: { role: GrantRole; connectionIds: readonly string[] | null; mayPrompt: boolean },
  { role, connectionIds, operates, prompts, siteGrants }: PersonRights,
): PersonRights & { role: 'none' | GrantRole } => ({
  role: includesRole(role, token.role) ? token.role : includesRole(role, 'viewer') ? 'viewer' : 'none',
  connectionIds: intersectNames(token.connectionIds, connectionIds),
  operates: token.role === 'viewer' ? [] : intersectNames(token.connectionIds, operates),
  prompts: token.role === 'operator' && token.mayPrompt && prompts,
  siteGrants: siteGrants.map((grant) => (token.role === 'operator' ? grant : { ...grant, role: 'viewer' as const })),
})

/**
 * Condition that the person in row `u` of users has access: they were neither disabled by an admin nor refused by the identity provider.
 */
export const hasAccess = sql`(u.disabled_at is null and u.refused_at is null)`

/**
 * Selects the source of a person's rights. `userId` names a column with its table. Null for an unknown person and for one without access,
 * so that everything derived from the person gives no rights. Names the tables as text, because sessions and tokens need this within their
 * own query and their tables belong to the area `people`.
 */
export const selectHeld = (userId: SQL): SQL<Held | null> => sql<Held | null>`(
  select json_build_object(
    'mayPrompt', u.may_prompt,
    'grants', (
      select coalesce(json_agg(json_build_object('role', g.role, 'connectionId', g.connection_id, 'own', g.user_id is not null)), '[]')
      from grants g where g.user_id = u.id or g.oidc_group in (select jsonb_array_elements_text(u.oidc_groups))),
    'siteGrants', (
      select coalesce(json_agg(json_build_object('role', g.role, 'siteId', g.site_id, 'channelId', g.channel_id)), '[]')
      from site_grants g where g.user_id = u.id or g.oidc_group in (select jsonb_array_elements_text(u.oidc_groups))))
  from users u where u.id = ${userId} and ${hasAccess})`
