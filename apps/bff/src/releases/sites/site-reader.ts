import { defaultPublishChecks } from '@docket/api-types/publish-checks'
import type { SiteFeed } from '@docket/api-types/sites'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { channels, sites } from '#ground/db/sites.table.ts'

export type ChannelRow = typeof channels.$inferSelect

/** The channel that pages call live, or else the first of those that the caller may see. */
export const findMainChannel = <C extends { channelId: string }>(site: {
  channels: readonly C[]
  mainChannelId: string | null
}): C | undefined => site.channels.find(({ channelId }) => channelId === site.mainChannelId) ?? site.channels[0]

/** Approvals that a channel asks for. */
export const countApprovals = ({ publishChecks }: { publishChecks?: ChannelRow['publishChecks'] }): number =>
  (publishChecks ?? defaultPublishChecks).approvals

/** A site that people read, with everything that feeds it. */
export type KnownSite = {
  siteId: string
  /** The domain of the site, unless a person renamed it. */
  name: string
  label: string
  /** The site's own connection and domain first, then those of the sites joined into it. */
  feeds: SiteFeed[]
  connectionIds: string[]
  /** `production` and `latest` first, then by name. */
  channels: ChannelRow[]
  /** Channel that pages call live. */
  mainChannelId: string
}

const rankChannel = ({ name }: Pick<ChannelRow, 'name'>) => (name === 'production' ? 0 : name === 'latest' ? 1 : 2)
const compareChannels = (a: ChannelRow, b: ChannelRow) => rankChannel(a) - rankChannel(b) || (a.name < b.name ? -1 : 1)

const readSites = async (db: Tx, which?: SQL): Promise<KnownSite[]> => {
  const rows = await db
    .select()
    .from(sites)
    .where(and(isNull(sites.joinedInto), which))
  if (rows.length === 0) return []
  const ids = which === undefined ? null : rows.map(({ siteId }) => siteId)
  const ofThese = (column: typeof channels.siteId | typeof sites.joinedInto) =>
    ids === null ? isNotNull(column) : inArray(column, ids)
  const joined = await db.select().from(sites).where(ofThese(sites.joinedInto)).orderBy(sites.createdAt, sites.siteId)
  const listed = await db.select().from(channels).where(ofThese(channels.siteId))
  const joinedBySite = Map.groupBy(joined, ({ joinedInto }) => joinedInto)
  const channelsBySite = Map.groupBy(listed, ({ siteId }) => siteId)
  return rows.flatMap((row) => {
    const ofSite = channelsBySite.get(row.siteId)
    // Somebody removed it.
    if (ofSite === undefined) return []
    const sorted = ofSite.toSorted(compareChannels)
    const feeds = [row, ...(joinedBySite.get(row.siteId) ?? [])].map(({ connectionId, domain }) => ({
      connectionId,
      domain,
    }))
    return {
      siteId: row.siteId,
      name: row.name ?? row.domain,
      label: row.label,
      feeds,
      connectionIds: [...new Set(feeds.map(({ connectionId }) => connectionId))],
      channels: sorted,
      mainChannelId: findMainChannel({ channels: sorted, mainChannelId: row.mainChannelId })!.channelId,
    }
  })
}

/** Also null for a site that was joined into another. */
export const findSite = async (db: Tx, siteId: string): Promise<KnownSite | null> =>
  (await readSites(db, eq(sites.siteId, siteId)))[0] ?? null

/** The site that an export feeds. Null before the first artifact of its domain. */
export const findSiteOfExport = async (db: Tx, exportId: string): Promise<KnownSite | null> => {
  const fed = sql`(select coalesce(f.joined_into, f.site_id) from static_exports e
    join sites f on f.connection_id = e.connection_id and f.domain = e.domain where e.export_id = ${exportId})`
  return (await readSites(db, eq(sites.siteId, fed)))[0] ?? null
}

/** Every site, by name. */
export const findSites = async (db: Tx): Promise<KnownSite[]> => {
  const { compare } = new Intl.Collator('en', { numeric: true })
  return (await readSites(db)).toSorted((a, b) => compare(a.name, b.name))
}
