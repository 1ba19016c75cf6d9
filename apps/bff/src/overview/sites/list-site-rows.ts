import type { Sender } from '#ground/identity/identity.ts'
import type { SiteRow, SiteRows, SiteRowsQuery } from '@docket/api-types/site-rows'
import type { Site } from '@docket/api-types/sites'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { output } from 'zod'
import { narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { maySeeChannel, maySeeSite } from '#ground/identity/site-rights.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import { presentExports } from '#records/static-exports/read-exports.ts'
import { listNewestExports, type NewestExport } from '#records/static-exports/static-exports.list.ts'
import { findMainChannel, findSites, type KnownSite } from '#releases/sites/site-reader.ts'
import { describeSites } from '#releases/sites/sites.ts'
import type { RecordName } from '#service/polling/viewers.ts'

/** A row before its details are read. `site` is null for a domain that was only exported. */
type Line = Pick<NewestExport, 'connectionId' | 'domain'> & {
  name: string
  site: KnownSite | null
  newest: NewestExport | null
}

const toKey = ({ connectionId, domain }: Pick<Line, 'connectionId' | 'domain'>) => `${connectionId} ${domain}`

const compareNames = new Intl.Collator('en', { numeric: true }).compare

const findLatest = (exports: readonly NewestExport[]): NewestExport | null =>
  exports.reduce<NewestExport | null>((latest, one) => (one.startedAt > (latest?.startedAt ?? -1) ? one : latest), null)

const listLines = (sites: readonly KnownSite[], exports: readonly NewestExport[]): Line[] => {
  const byFeed = new Map(exports.map((one) => [toKey(one), one]))
  const fed = new Set(sites.flatMap(({ feeds }) => feeds.map(toKey)))
  const known = sites.map((site) => ({
    ...site.feeds[0]!,
    name: site.name,
    site,
    newest: findLatest(site.feeds.flatMap((feed) => byFeed.get(toKey(feed)) ?? [])),
  }))
  const others = exports.filter((one) => !fed.has(toKey(one)))
  return [...known, ...others.map((newest) => ({ ...newest, name: newest.domain, site: null, newest }))].toSorted(
    (a, b) => compareNames(a.name, b.name) || compareNames(toKey(a), toKey(b)),
  )
}

const toRow = (
  { connectionId, domain, name }: Line,
  site: Site | undefined,
  newest: StaticExport | undefined,
): SiteRow => {
  const channel = site && findMainChannel(site)
  const current = channel?.current ?? null
  return {
    siteId: site?.siteId ?? null,
    name: name === domain ? (newest?.domainUnicode ?? name) : name,
    connectionId,
    domain,
    channelId: channel?.channelId ?? null,
    live: current,
    newest: newest ?? null,
    mayPublish: channel !== undefined && channel.mayPublish && !channel.followsExports,
    mayRollBack: channel?.mayPublish ?? false,
  }
}

/** Reads the details of one page only. */
export const listSiteRows = async (
  { db, exports, sites }: OverviewCtx,
  { connection, q, skip, limit }: output<typeof SiteRowsQuery>,
  { scope, sender }: { scope: TokenScope; sender: Sender },
): Promise<SiteRows> => {
  const [known, newest] = await Promise.all([findSites(db), listNewestExports(db, narrowScope(scope, { connection }))])
  const { identity } = sender
  const seen = known.filter(
    (site) => maySeeSite(identity, site) && (connection === undefined || site.connectionIds.includes(connection)),
  )
  const all = listLines(seen, newest)
  const text = q?.toLowerCase() ?? ''
  const matching = all.filter(({ name, domain }) => name.toLowerCase().includes(text) || domain.includes(text))
  const page = matching.slice(skip, skip + limit)
  const [described, presented] = await Promise.all([
    describeSites(
      sites,
      page.flatMap(({ site }) => site ?? []),
      sender,
    ),
    presentExports(
      exports,
      page.flatMap(({ newest: one }) => one?.exportId ?? []),
    ),
  ])
  const siteById = new Map(described.map((site) => [site.siteId, site]))
  const exportById = new Map(presented.map((one) => [one.exportId, one]))
  return {
    rows: page.map((line) =>
      toRow(line, siteById.get(line.site?.siteId ?? ''), exportById.get(line.newest?.exportId ?? '')),
    ),
    total: matching.length,
    next: skip + limit < matching.length ? skip + limit : null,
    isEmpty: all.length === 0,
    hasLive: seen.some((site) => {
      const visible = site.channels.filter(({ channelId }) => maySeeChannel(identity, site, channelId))
      const main = findMainChannel({ ...site, channels: visible })
      return main !== undefined && main.currentReleaseId !== null
    }),
  }
}

/** Running exports of the rows, which somebody looks at. */
export const listViewedExports = ({ rows }: SiteRows): RecordName[] =>
  rows.flatMap(({ newest }) =>
    newest !== null && newest.state === 'accepted' && newest.goneAt === null ? [[newest.exportId]] : [],
  )
