import { eq } from 'drizzle-orm'
import { AppError } from '#ground/errors/app-error.ts'
import type { Tx } from '#ground/db/database.ts'
import { sites } from '#ground/db/sites.table.ts'
import type { Identity, PersonIdentity } from '#ground/identity/identity.ts'
import { includesRole } from '@docket/api-types/roles'
import { isAdmin, mayOverride, mayPublish, maySeeChannel, maySeeSite } from '#ground/identity/site-rights.ts'
import { noChannelError } from './show-bundle.ts'
import { type ChannelRow, countApprovals, findSite, type KnownSite } from './site-reader.ts'

export type ChannelKey = { siteId: string; channelId: string }
export type FoundChannel = { site: KnownSite; channel: ChannelRow }

/** The `not_found` error for a site that does not exist, or that the current user may not see. */
export const noSiteError = () => new AppError('not_found', 'There is no such site. Reload the page.')

/** True for a user who sees a whole site, not only some of its channels. */
export const seesWholeSite = (identity: Identity, site: KnownSite): boolean =>
  // A user who would see a channel that does not exist sees all channels.
  maySeeChannel(identity, site, 'every channel')

/** True for a user who may choose among the artifacts of a site, because they see all of it or publish to one of its channels. */
export const seesArtifacts = (identity: Identity, site: KnownSite): boolean =>
  seesWholeSite(identity, site) || site.channels.some((channel) => mayPublish(identity, site, channel))

/** True for an operator of every connection that feeds these sites, and for admins. */
export const operatesAllSites = (identity: Identity, sites: readonly KnownSite[]): boolean =>
  identity !== null &&
  includesRole(identity.role, 'operator') &&
  sites.every(
    (site) =>
      seesWholeSite(identity, site) &&
      site.connectionIds.every((one) => identity.operates === null || identity.operates.includes(one)),
  )

/** True for a user who may rename a site and change its channels, because they operate all of it, possibly by a grant for the site. */
export const mayChangeSite = (identity: Identity, site: KnownSite): boolean =>
  operatesAllSites(identity, [site]) ||
  (identity !== null &&
    seesWholeSite(identity, site) &&
    mayOverride(identity, site, { channelId: 'every channel', isProtected: true }))

/** True for a person who operates all of a site. Only admins end roles, protection, approvals, and what the web reads. */
export const mayRemoveSite = (identity: Identity, site: KnownSite, hasGrants: boolean): boolean =>
  identity?.kind === 'person' &&
  operatesAllSites(identity, [site]) &&
  (isAdmin(identity) ||
    (!hasGrants &&
      site.channels.every(
        (channel) =>
          !channel.isProtected &&
          channel.access !== 'public' &&
          channel.hostname === null &&
          countApprovals(channel) === 0,
      )))

export const requirePerson = (identity: Identity, otherwise: string): PersonIdentity => {
  if (identity?.kind !== 'person') throw new AppError('forbidden', otherwise)
  return identity
}

/** Throws `not_found` for a site that the current user may not see. */
export const findSeenSite = async (db: Tx, siteId: string, identity: Identity): Promise<KnownSite> => {
  const site = await findSite(db, siteId)
  if (site === null || !maySeeSite(identity, site)) throw noSiteError()
  return site
}

/** Finds a site, and keeps others from removing, joining or changing it until the transaction ends. Call it after locks of channels. */
export const lockSeenSite = async (tx: Tx, siteId: string, identity: Identity): Promise<KnownSite> => {
  await tx.select({ siteId: sites.siteId }).from(sites).where(eq(sites.siteId, siteId)).for('no key update')
  return findSeenSite(tx, siteId, identity)
}

/** Throws `not_found` for a channel that the current user may not see. */
export const findSeenChannel = async (
  db: Tx,
  { siteId, channelId }: ChannelKey,
  identity: Identity,
): Promise<FoundChannel> => {
  const site = await findSeenSite(db, siteId, identity)
  const channel = site.channels.find((one) => one.channelId === channelId)
  if (channel === undefined || !maySeeChannel(identity, site, channelId)) throw noChannelError()
  return { site, channel }
}

/** Throws `forbidden` if the current user may not change a site. */
export const ensureMayChangeSite = (identity: Identity, site: KnownSite): void => {
  if (mayChangeSite(identity, site)) return
  throw new AppError(
    'forbidden',
    'Only admins and operators of everything that feeds this site can change it. Ask an admin for access.',
  )
}
