import type { TokenSite } from '@docket/api-types/grants'
import type { Site } from '@docket/api-types/sites'
import { nameSitePlace } from '#lib/people/named-places.ts'

export type TokenSiteChoice = Pick<Site, 'siteId' | 'name'> & {
  channels: readonly Pick<Site['channels'][number], 'channelId' | 'name'>[]
}

const isSameSite = (one: TokenSite, other: TokenSite) =>
  one.siteId === other.siteId && one.channelId === other.channelId

export const isChosenSite = (chosen: readonly TokenSite[], place: TokenSite): boolean =>
  chosen.some((one) => isSameSite(one, place) || isSameSite(one, { ...place, channelId: null }))

/** Selects or deselects a site or channel. A whole site replaces its single channels. */
export const toggleSite = (chosen: readonly TokenSite[], place: TokenSite): TokenSite[] => {
  if (chosen.some((one) => isSameSite(one, place))) return chosen.filter((one) => !isSameSite(one, place))
  return [...chosen.filter(({ siteId }) => place.channelId !== null || siteId !== place.siteId), place]
}

/** Names sites and channels in words: `Handbook, and production of Docs`. */
export const nameSites = (chosen: readonly TokenSite[], sites: readonly TokenSiteChoice[]): string =>
  chosen.map((one) => nameSitePlace(one, sites)).join(', ')

export const describeSiteRights = (
  scope: 'read' | 'operate',
  chosen: readonly TokenSite[],
  sites: readonly TokenSiteChoice[],
): string =>
  scope === 'operate'
    ? `Publishes and downloads bundles of ${nameSites(chosen, sites)}, rolls back and holds updates, as far as you may.`
    : `Reads the releases and downloads the bundles of ${nameSites(chosen, sites)}.`
