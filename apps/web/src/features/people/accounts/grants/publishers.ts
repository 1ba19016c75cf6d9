import type { User } from '@docket/api-types/accounts'
import { onlyReads } from '@docket/api-types/roles'
import { isolateText } from '#lib/text/format.ts'
import type { HeldRole, RoleSite } from './places.ts'

/**
 * Names of the people who may publish to `production` of a site, and groups whose members may. Admins, operators of a connection that feeds the
 * site unless the channel is protected, and operators of the site or the channel. The server decides; this is for reading.
 */
export const listPublishers = (site: RoleSite, users: readonly User[], grants: readonly HeldRole[]): string[] => {
  const production = site.channels.find(({ name }) => name === 'production')
  const isProtected = production?.isProtected === true
  const feeds = new Set<string | null>([null, ...site.feeds.map(({ connectionId }) => connectionId)])
  const held = grants.filter((grant) => {
    if ('connectionId' in grant)
      return grant.role === 'admin' || (grant.role === 'operator' && !isProtected && feeds.has(grant.connectionId))
    const isHere = grant.siteId === site.siteId && [null, production?.channelId].includes(grant.channelId)
    return grant.role === 'operator' && isHere
  })
  const may = ({ userId, role, disabledAt }: User) =>
    disabledAt === null &&
    !onlyReads(role) &&
    (role === 'admin' || (role === 'operator' && !isProtected) || held.some((grant) => grant.userId === userId))
  const groups = [...new Set(held.flatMap(({ oidcGroup }) => oidcGroup ?? []))]
  return [
    ...users.filter(may).map(({ name }) => isolateText(name)),
    ...groups.map((group) => `members of ${isolateText(group)}`),
  ]
}
