import { isolateText } from '#lib/text/format.ts'

export type NamedConnection = { connectionId: string; name: string }

export type SitePlace = { siteId: string; channelId: string | null }

type NamedSite = { siteId: string; name: string; channels: readonly { channelId: string; name: string }[] }

/** Names a site, or a channel of it: `production of Docs`. */
export const nameSitePlace = ({ siteId, channelId }: SitePlace, sites: readonly NamedSite[]): string => {
  const site = sites.find((one) => one.siteId === siteId)
  if (!site) return 'a removed site'
  if (channelId === null) return isolateText(site.name)
  const channel = site.channels.find((one) => one.channelId === channelId)
  return `${channel ? isolateText(channel.name) : 'a removed channel'} of ${isolateText(site.name)}`
}
