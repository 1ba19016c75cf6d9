import type { Grant, SiteGrant } from '@docket/api-types/grants'
import type { Site } from '@docket/api-types/sites'
import { nameSitePlace, type NamedConnection, type SitePlace } from '#lib/people/named-places.ts'
import { isolateText } from '#lib/text/format.ts'

export type RoleSite = Pick<Site, 'siteId' | 'name' | 'feeds'> & {
  channels: readonly Pick<Site['channels'][number], 'channelId' | 'name' | 'isProtected'>[]
}

export type Places = { connections: readonly NamedConnection[]; sites: readonly RoleSite[] }

/** A role of a person or group on a connection, a site or a channel. */
export type HeldRole = Grant | SiteGrant

export type Place = { kind: 'connection' | 'site'; name: string; on: { connectionId: string } | SitePlace }

/** Connections, and sites with their channels, to choose from. A single connection is not offered: a role over everything covers it. */
export const listPlaces = ({ connections, sites }: Places): Place[] => [
  ...(connections.length > 1
    ? connections.map(({ connectionId, name }) => ({ kind: 'connection' as const, name, on: { connectionId } }))
    : []),
  ...sites.flatMap(({ siteId, name, channels }) => [
    { kind: 'site' as const, name, on: { siteId, channelId: null } },
    ...channels.map((channel) => ({
      kind: 'site' as const,
      name: `${isolateText(channel.name)} of ${isolateText(name)}`,
      on: { siteId, channelId: channel.channelId },
    })),
  ]),
]

export const nameHeldPlace = (held: HeldRole, { connections, sites }: Places): string => {
  if ('siteId' in held) return nameSitePlace(held, sites)
  if (held.connectionId === null) return 'everything'
  const connection = connections.find(({ connectionId }) => connectionId === held.connectionId)
  return isolateText(connection?.name ?? 'a removed connection')
}
