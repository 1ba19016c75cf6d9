import type { PublishCheck } from '@docket/api-types/publish-checks'
import { includesRole, onlyReads } from '@docket/api-types/roles'
import type { TokenSite } from '@docket/api-types/grants'
import type { Identity } from './identity.ts'

/** The data of a site that its rights depend on: the connections that feed it. */
export type OwnedSite = { siteId: string; connectionIds: readonly string[] }
export type OwnedChannel = { channelId: string; isProtected: boolean }

const includesAny = (names: readonly string[] | null, some: readonly string[]) =>
  names === null || some.some((name) => names.includes(name))

const coversChannel = (sites: readonly TokenSite[], { siteId }: OwnedSite, channelId: string | null) =>
  sites.some((one) => one.siteId === siteId && (one.channelId === null || one.channelId === channelId))

/** True for a person with the role of an admin. No token has it. */
export const isAdmin = (identity: Identity): boolean => identity?.kind === 'person' && identity.role === 'admin'

/** Sites that a token is limited to. Null for all other callers. A token limited only to domains or projects sees no site. */
const readLimit = (identity: NonNullable<Identity>): readonly TokenSite[] | null => {
  if (identity.kind !== 'token') return null
  if (identity.sites !== null) return identity.sites
  return identity.domains === null && identity.projectIds === null ? null : []
}

/**
 * True when the caller may see a channel: its content, its releases, and their bundles. People and tokens see the sites of their
 * connections; a site grant adds sites, and the limit of a token removes some.
 */
export const maySeeChannel = (identity: Identity, site: OwnedSite, channelId: string): boolean => {
  if (identity === null) return false
  const limit = readLimit(identity)
  if (limit !== null && !coversChannel(limit, site, channelId)) return false
  return (
    (includesRole(identity.role, 'viewer') && includesAny(identity.connectionIds, site.connectionIds)) ||
    coversChannel(identity.siteGrants, site, channelId)
  )
}

/** True when the caller may see at least one channel of the site. */
export const maySeeSite = (identity: Identity, site: OwnedSite): boolean => {
  if (identity === null) return false
  const limit = readLimit(identity)
  const isNamed = (some: readonly TokenSite[]) => some.some(({ siteId }) => siteId === site.siteId)
  if (limit !== null && !isNamed(limit)) return false
  return (
    (includesRole(identity.role, 'viewer') && includesAny(identity.connectionIds, site.connectionIds)) ||
    isNamed(identity.siteGrants)
  )
}

/**
 * True when the caller may publish to a channel, roll it back and pin it. This needs the role of an operator for the site or the channel,
 * or on a connection that feeds the site; in the latter case, a protected channel needs an admin.
 */
export const mayPublish = (identity: Identity, site: OwnedSite, channel: OwnedChannel): boolean => {
  if (identity === null || !maySeeChannel(identity, site, channel.channelId) || onlyReads(identity.role)) return false
  if (identity.kind === 'token' && identity.role !== 'operator') return false
  if (isAdmin(identity)) return true
  const granted = identity.siteGrants.filter(({ role }) => role === 'operator')
  if (coversChannel(granted, site, channel.channelId)) return true
  return (
    !channel.isProtected &&
    includesRole(identity.role, 'operator') &&
    includesAny(identity.operates, site.connectionIds)
  )
}

/**
 * True when the caller may publish although a check failed: admins, and callers who may publish to a protected channel
 * unless `checks` report missing approvals.
 */
export const mayOverride = (
  identity: Identity,
  site: OwnedSite,
  channel: OwnedChannel,
  checks: readonly PublishCheck[] = [],
): boolean =>
  isAdmin(identity) ||
  (!checks.some(({ condition, state }) => condition === 'approvals' && state === 'failed') &&
    mayPublish(identity, site, { ...channel, isProtected: true }))
