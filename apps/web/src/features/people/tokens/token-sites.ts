import type { Site } from '@docket/api-types/sites'
import type { TokenSite } from '@docket/api-types/grants'
import { isolateText } from '#lib/text/bidi.ts'

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
  chosen
    .map(({ siteId, channelId }) => {
      const site = sites.find((one) => one.siteId === siteId)
      const name = site ? isolateText(site.name) : 'a removed site'
      if (channelId === null) return name
      const channel = site?.channels.find((one) => one.channelId === channelId)
      return `${channel ? isolateText(channel.name) : 'a removed channel'} of ${name}`
    })
    .join(', ')

export const describeSiteRights = (
  scope: 'read' | 'operate',
  chosen: readonly TokenSite[],
  sites: readonly TokenSiteChoice[],
): string =>
  scope === 'operate'
    ? `Publishes, rolls back, pins and downloads bundles of ${nameSites(chosen, sites)}, as far as you may.`
    : `Reads the releases and downloads the bundles of ${nameSites(chosen, sites)}.`
