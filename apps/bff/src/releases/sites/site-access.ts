import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { includesRole } from '@docket/api-types/roles'
import { mayOverride, mayPromote, maySeeChannel, maySeeSite } from '#ground/identity/site-rights.ts'
import { noChannel } from './show-bundle.ts'
import type { ChannelRow, KnownSite, SiteReader } from './site-reader.ts'

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

/** Finds a site for somebody. `not_found` for one that they may not see. */
export const findSeenSite = async (
  reader: Pick<SiteReader, 'find'>,
  siteId: string,
  identity: Identity,
): Promise<KnownSite> => {
  const site = await reader.find(siteId)
  if (site === null || !maySeeSite(identity, site)) throw noSite()
  return site
}

/** Finds a channel for somebody, with its site. `not_found` for one that they may not see. */
export const findSeenChannel = async (
  reader: Pick<SiteReader, 'find'>,
  { siteId, channelId }: { siteId: string; channelId: string },
  identity: Identity,
): Promise<{ site: KnownSite; channel: ChannelRow }> => {
  const site = await findSeenSite(reader, siteId, identity)
  const channel = site.channels.find((one) => one.channelId === channelId)
  if (channel === undefined || !maySeeChannel(identity, site, channelId)) throw noChannel()
  return { site, channel }
}

/** Throws `forbidden` for somebody who may not promote to a channel. */
export const ensurePromotes = (identity: Identity, site: KnownSite, channel: ChannelRow): void => {
  if (mayPromote(identity, site, channel)) return
  throw new AppError(
    'forbidden',
    channel.isProtected
      ? `The channel ${channel.name} is protected: only admins and operators of this channel change what it shows. Ask an admin.`
      : 'Only operators of this site change what its channels show. Ask an admin for access.',
  )
}

/** Throws `forbidden` for somebody who may not change a site. */
export const ensureChanges = (identity: Identity, site: KnownSite): void => {
  if (mayChangeSite(identity, site)) return
  throw new AppError(
    'forbidden',
    'Only admins and operators of everything that feeds this site can change it. Ask an admin for access.',
  )
}
