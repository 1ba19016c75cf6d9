import type { Site } from '@docket/api-types/sites'
import { isolateText } from '#lib/text/bidi.ts'

export type NamedConnection = { connectionId: string; name: string }

export type RoleSite = Pick<Site, 'siteId' | 'name' | 'feeds'> & {
  channels: readonly Pick<Site['channels'][number], 'channelId' | 'name' | 'isProtected'>[]
}

export type Place =
  | { kind: 'connection'; connectionId: string; name: string }
  | { kind: 'site'; siteId: string; channelId: string | null; name: string }

/** Connections, and sites with their channels, to choose from. A single connection is not offered: a role over everything covers it. */
export const listPlaces = (connections: readonly NamedConnection[], sites: readonly RoleSite[]): Place[] => [
  // Copied field by field, because a connection has its own `kind`.
  ...(connections.length > 1
    ? connections.map(({ connectionId, name }) => ({ kind: 'connection' as const, connectionId, name }))
    : []),
  ...sites.flatMap(({ siteId, name, channels }) => [
    { kind: 'site' as const, siteId, channelId: null, name },
    ...channels.map((channel) => ({
      kind: 'site' as const,
      siteId,
      channelId: channel.channelId,
      name: `${isolateText(channel.name)} of ${isolateText(name)}`,
    })),
  ]),
]

export const nameSitePlace = (
  { siteId, channelId }: { siteId: string; channelId: string | null },
  sites: readonly RoleSite[],
): string => {
  const site = sites.find((one) => one.siteId === siteId)
  if (!site) return 'a removed site'
  if (channelId === null) return isolateText(site.name)
  const channel = site.channels.find((one) => one.channelId === channelId)
  return `${channel ? isolateText(channel.name) : 'a removed channel'} of ${isolateText(site.name)}`
}
