import { AppError } from '#ground/errors/app-error.ts'
import type { Tx } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { includesRole } from '@docket/api-types/roles'
import { mayOverride, mayPromote, maySeeChannel, maySeeSite } from '#ground/identity/site-rights.ts'
import { noChannel } from './show-bundle.ts'
import { type ChannelRow, findSite, type KnownSite } from './site-reader.ts'

export type ChannelKey = { siteId: string; channelId: string }
export type FoundChannel = { site: KnownSite; channel: ChannelRow }

/** The `not_found` of a site that does not exist, or that somebody may not see. */
export const noSite = () => new AppError('not_found', 'There is no such site. Reload the page.')

/** True for somebody who sees a whole site, not only some of its channels. */
export const seesWholeSite = (identity: Identity, site: KnownSite): boolean =>
  // Who sees a channel that does not exist sees all of them.
  maySeeChannel(identity, site, 'every channel')

/** True for somebody who may choose among the artifacts of a site: who sees all of it, or promotes to one of its channels. */
export const seesArtifacts = (identity: Identity, site: KnownSite): boolean =>
  seesWholeSite(identity, site) || site.channels.some((channel) => mayPromote(identity, site, channel))

/** True for an operator of every connection that feeds these sites, and for admins. */
export const operatesAll = (identity: Identity, sites: readonly KnownSite[]): boolean =>
  identity !== null &&
  includesRole(identity.role, 'operator') &&
  sites.every(
    (site) =>
      seesWholeSite(identity, site) &&
      site.connectionIds.every((one) => identity.operates === null || identity.operates.includes(one)),
  )

/** True for somebody who may rename a site and change its channels: who operates all of it, also by a grant for the site. */
export const mayChangeSite = (identity: Identity, site: KnownSite): boolean =>
  operatesAll(identity, [site]) ||
  (identity !== null &&
    seesWholeSite(identity, site) &&
    mayOverride(identity, site, { channelId: 'every channel', isProtected: true }))

/** Throws `not_found` for a site that somebody may not see. */
export const findSeenSite = async (db: Tx, siteId: string, identity: Identity): Promise<KnownSite> => {
  const site = await findSite(db, siteId)
  if (site === null || !maySeeSite(identity, site)) throw noSite()
  return site
}

/** Throws `not_found` for a channel that somebody may not see. */
export const findSeenChannel = async (
  db: Tx,
  { siteId, channelId }: ChannelKey,
  identity: Identity,
): Promise<FoundChannel> => {
  const site = await findSeenSite(db, siteId, identity)
  const channel = site.channels.find((one) => one.channelId === channelId)
  if (channel === undefined || !maySeeChannel(identity, site, channelId)) throw noChannel()
  return { site, channel }
}

/** Throws `forbidden` for somebody who may not change a site. */
export const ensureChanges = (identity: Identity, site: KnownSite): void => {
  if (mayChangeSite(identity, site)) return
  throw new AppError(
    'forbidden',
    'Only admins and operators of everything that feeds this site can change it. Ask an admin for access.',
  )
}
