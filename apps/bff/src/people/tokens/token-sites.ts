import type { TokenSite } from '@docket/api-types/site-grants'
import { and, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { channels, sites } from '#ground/db/sites.table.ts'

/** Each site and channel once. A channel of a site that is named as a whole adds nothing. */
export const uniqueSites = (some: readonly TokenSite[] | null): TokenSite[] | null => {
  if (some === null) return null
  const whole = new Set(some.flatMap(({ siteId, channelId }) => (channelId === null ? siteId.toLowerCase() : [])))
  const known = new Map<string, TokenSite>()
  for (const one of some) {
    const siteId = one.siteId.toLowerCase()
    const channelId = whole.has(siteId) ? null : (one.channelId?.toLowerCase() ?? null)
    known.set(`${siteId} ${channelId}`, { siteId, channelId })
  }
  return [...known.values()]
}

/** Names sites and channels for the audit, such as `docs-example-com handbook/staging`. Throws `invalid_request` for an unknown one. */
export const nameSites = async (tx: Tx, some: readonly TokenSite[]): Promise<string> => {
  const siteIds = some.map(({ siteId }) => siteId)
  const found = await tx
    .select({ siteId: sites.siteId, label: sites.label })
    .from(sites)
    .where(and(inArray(sites.siteId, siteIds), isNull(sites.joinedInto)))
  const labels = new Map(found.map(({ siteId, label }) => [siteId, label]))
  const rows = await tx
    .select({ channelId: channels.channelId, siteId: channels.siteId, name: channels.name })
    .from(channels)
    .where(inArray(channels.siteId, siteIds))
  const names = some.map(({ siteId, channelId }) => {
    const label = labels.get(siteId)
    const channel = rows.find((row) => row.channelId === channelId && row.siteId === siteId)
    if (label === undefined)
      throw new AppError('invalid_request', 'One of the sites no longer exists. Choose again.', { field: 'sites' })
    if (channelId !== null && channel === undefined)
      throw new AppError('invalid_request', `The site ${label} no longer has one of the channels. Choose again.`, {
        field: 'sites',
      })
    return channel === undefined ? label : `${label}/${channel.name}`
  })
  return names.join(' ')
}
