import type { User } from '@docket/api-types/accounts'
import type { Grant, SiteGrant } from '@docket/api-types/grants'
import { onlyReads } from '@docket/api-types/roles'
import { isolateText } from '#lib/text/bidi.ts'
import type { RoleSite } from './places.ts'

type Held = { users: readonly User[]; grants: readonly Grant[]; siteGrants: readonly SiteGrant[] }

type Subject = { userId: string | null; oidcGroup: string | null }

/**
 * Names of the people who may publish to `production` of a site, and groups whose members may. Admins, operators of a connection that feeds the
 * site unless the channel is protected, and operators of the site or the channel. The server decides; this is for reading.
 */
export const listPublishers = (site: RoleSite, { users, grants, siteGrants }: Held): string[] => {
  const production = site.channels.find(({ name }) => name === 'production')
  const feeds = new Set<string | null>([null, ...site.feeds.map(({ connectionId }) => connectionId)])
  const onConnection = grants.filter(
    ({ role, connectionId }) =>
      role === 'admin' || (role === 'operator' && production?.isProtected !== true && feeds.has(connectionId)),
  )
  const onSite = siteGrants.filter(
    ({ role, siteId, channelId }) =>
      role === 'operator' && siteId === site.siteId && (channelId === null || channelId === production?.channelId),
  )
  const subjects: readonly Subject[] = [...onConnection, ...onSite]
  const may = ({ userId, role, disabledAt }: User) =>
    disabledAt === null &&
    !onlyReads(role) &&
    (role === 'admin' ||
      (role === 'operator' && production?.isProtected !== true) ||
      subjects.some((subject) => subject.userId === userId))
  const groups = [...new Set(subjects.flatMap(({ oidcGroup }) => oidcGroup ?? []))]
  return [
    ...users.filter(may).map(({ name }) => isolateText(name)),
    ...groups.map((group) => `members of ${isolateText(group)}`),
  ]
}
