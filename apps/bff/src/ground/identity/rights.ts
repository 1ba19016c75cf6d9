import type { Role } from '@docket/api-types/session'
import { sql, type SQL } from 'drizzle-orm'

const included: Readonly<Record<Role, readonly Role[]>> = {
  none: ['none'],
  viewer: ['none', 'viewer'],
  auditor: ['none', 'viewer', 'auditor'],
  operator: ['none', 'viewer', 'operator'],
  admin: ['none', 'viewer', 'auditor', 'operator', 'admin'],
}

/** True when `role` may do whatever `needed` may do. Neither auditor nor operator includes the other. */
export const includesRole = (role: Role, needed: Role): boolean => included[role].includes(needed)

/** What somebody may do, and on which connections. */
export type Rights = {
  /** The highest role anywhere. */
  role: Role
  /** Connections whose records they may see. Null: all. */
  connectionIds: readonly string[] | null
  /** Connections where they may start, follow and change records. Null: all. */
  operates: readonly string[] | null
  /** They may send prompts of their own words to agents. */
  prompts: boolean
}

/** A role that somebody has for a site, or for one channel of it. */
export type HeldSiteGrant = { role: 'viewer' | 'operator'; siteId: string; channelId: string | null }

/** Rights of a person, with their roles for single sites. */
export type PersonRights = Rights & { siteGrants: readonly HeldSiteGrant[] }

/** A row of `grants` that covers somebody. `own`: their own, not one of a group. `connectionId` null: everything. */
export type HeldGrant = { role: string; connectionId: string | null; own: boolean }

/** What gives a person their rights. `mayPrompt`: the flag of an operator. */
export type Held = { grants: readonly HeldGrant[]; siteGrants: readonly HeldSiteGrant[]; mayPrompt: boolean }

const ranks = ['none', 'viewer', 'operator', 'admin'] as const
const operatorRank = ranks.indexOf('operator')

// A role that this version does not know gives nothing.
const rankRole = (role: string): number => Math.max(0, ranks.indexOf(role as (typeof ranks)[number]))

const isAuditor = ({ role, connectionId, own }: HeldGrant): boolean =>
  own && connectionId === null && role === 'auditor'

/**
 * Computes rights from grants; the highest that covers a record counts. Only a person's own role over everything makes an admin, or an
 * auditor, who changes no record whatever other grants say. `mayPrompt`: the flag of an operator; admins always may.
 */
export const toRights = (grants: readonly HeldGrant[], mayPrompt: boolean): Rights => {
  if (grants.some(isAuditor)) return { role: 'auditor', connectionIds: null, operates: [], prompts: false }
  const held = grants.map(({ role, connectionId, own }) => {
    const rank = rankRole(role)
    return { connectionId, rank: own && connectionId === null ? rank : Math.min(rank, operatorRank) }
  })
  const findConnections = (needed: number) =>
    held.some(({ connectionId, rank }) => connectionId === null && rank >= needed)
      ? null
      : [...new Set(held.flatMap(({ connectionId, rank }) => (rank >= needed ? (connectionId ?? []) : [])))].toSorted()
  const role = ranks[Math.max(0, ...held.map(({ rank }) => rank))] ?? 'none'
  return {
    role,
    connectionIds: findConnections(ranks.indexOf('viewer')),
    operates: findConnections(operatorRank),
    prompts: role === 'admin' || (role === 'operator' && mayPrompt),
  }
}

/** Computes what a person may do now. */
export const toPersonRights = ({ grants, siteGrants, mayPrompt }: Held): PersonRights => ({
  ...toRights(grants, mayPrompt),
  siteGrants,
})

/** Names in both lists; null is every name. */
export const intersect = (some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null =>
  some === null ? others : others === null ? some : some.filter((one) => others.includes(one))

/** Rights of a token: those it was given, and never more than its owner has. */
export const limitRights = (
  token: { role: 'viewer' | 'operator'; connectionIds: readonly string[] | null; mayPrompt: boolean },
  { role, connectionIds, operates, prompts, siteGrants }: PersonRights,
): PersonRights & { role: 'none' | 'viewer' | 'operator' } => ({
  role: includesRole(role, token.role) ? token.role : includesRole(role, 'viewer') ? 'viewer' : 'none',
  connectionIds: intersect(token.connectionIds, connectionIds),
  operates: token.role === 'viewer' ? [] : intersect(token.connectionIds, operates),
  prompts: token.role === 'operator' && token.mayPrompt && prompts,
  siteGrants: siteGrants.map((grant) => (token.role === 'operator' ? grant : { ...grant, role: 'viewer' as const })),
})

/**
 * Condition for a person, as the row `u` of users, who has an account that is in use: neither disabled by an admin nor refused by the
 * identity provider.
 */
export const hasAccess = sql`(u.disabled_at is null and u.refused_at is null)`

/**
 * Selects what gives a person their rights. `userId` names a column with its table. Null without such a person, and for one without access:
 * whatever derives rights from a person then gives none. Reads the tables by name, because sessions and tokens need it in one query, and
 * their tables lie in people.
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
