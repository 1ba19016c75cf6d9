import type { Sender } from '#ground/identity/identity.ts'
import type { Release, ReleaseList, ReleasesQuery, SiteReleaseList, SiteReleasesQuery } from '@docket/api-types/sites'
import { and, desc, inArray, lt, eq, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { output } from 'zod'
import type { Ctx } from '#ground/ctx.ts'
import { maySeeChannel } from '#ground/identity/site-rights.ts'
import { type ChannelKey, findSeenChannel, findSeenSite } from './site-access.ts'
import type { ChannelRow } from './site-reader.ts'
import { releases } from '#ground/db/sites.table.ts'

type ReleaseRow = typeof releases.$inferSelect

/** A release with data about its bundle from the list of exports and from the store. `isThere`: the store in use has the bundle. */
export type KnownRelease = ReleaseRow & {
  isListed: boolean
  sizeBytes: number
  isThere: boolean
  rolledBackTo: number | null
}

// Reads tables of other areas, because a release outlives its export and its bundle, and the list needs all of them in one query.
const facts = {
  isListed: sql<boolean>`exists (select from static_exports e where e.export_id = releases.export_id and e.removed_at is null)`,
  sizeBytes: sql<number>`coalesce((select b.size_bytes from stored_bundles b where b.sha256 = releases.sum),
    (select e.bundle_size_bytes from static_exports e where e.export_id = releases.export_id), 0)::float8`,
  isThere: sql<boolean>`exists (select from stored_bundles b where b.sha256 = releases.sha256 and b.state = 'stored'
    and not exists (select from stores s where s.seen_at = (select max(seen_at) from stores) and s.store <> b.store))`,
  rolledBackTo: sql<number | null>`case when releases.kind = 'rollback' then (select max(o.number) from releases o
    where o.channel_id = releases.channel_id and o.number < releases.number and o.sum = releases.sum and o.kind <> 'rollback') end`,
}

const readReleases = async (
  db: Tx,
  which: SQL | undefined,
  limit: number,
  order: readonly SQL[] = [desc(releases.number)],
): Promise<KnownRelease[]> => {
  const rows = await db
    .select({ release: releases, ...facts })
    .from(releases)
    .where(which)
    .orderBy(...order)
    .limit(limit)
  return rows.map(({ release, ...known }) => ({ ...release, ...known }))
}

export const findReleases = async (
  db: Tx,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, KnownRelease>> => {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const found = await readReleases(db, inArray(releases.releaseId, wanted), wanted.length)
  return new Map(found.map((release) => [release.releaseId, release]))
}

/** The release that a channel shows. Null before the first one. */
export const findCurrent = async (
  db: Tx,
  { currentReleaseId }: Pick<ChannelRow, 'currentReleaseId'>,
): Promise<KnownRelease | null> =>
  (currentReleaseId !== null && (await findReleases(db, [currentReleaseId])).get(currentReleaseId)) || null

/** Like `findCurrent`, but throws `conflict` before the first release. */
export const getCurrent = async (
  db: Tx,
  channel: Pick<ChannelRow, 'name' | 'currentReleaseId'>,
): Promise<KnownRelease> => {
  const current = await findCurrent(db, channel)
  if (current !== null) return current
  throw new AppError('conflict', `The channel ${channel.name} shows nothing yet. Publish a bundle first.`)
}

/** Releases of a channel, the newest first. `before`: only those with a smaller number. */
export const selectReleases = (
  db: Tx,
  channelId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<KnownRelease[]> =>
  readReleases(
    db,
    and(eq(releases.channelId, channelId), before === undefined ? undefined : lt(releases.number, before)),
    limit,
  )

export const toRelease = ({ sum, at, byName, isHeld, isThere, ...known }: KnownRelease): Release => ({
  ...known,
  sha256: sum,
  at: at.toISOString(),
  by: byName,
  isHeld: isHeld && isThere,
  isMissing: isHeld && !isThere,
})

export const listReleases = async (
  { db }: Ctx,
  key: ChannelKey,
  { before, limit }: output<typeof ReleasesQuery>,
  { identity }: Sender,
): Promise<ReleaseList> => {
  const { channel } = await findSeenChannel(db, key, identity)
  const found = await selectReleases(db, channel.channelId, { before, limit: limit + 1 })
  return { releases: found.slice(0, limit).map(toRelease), hasMore: found.length > limit }
}

export const listSiteReleases = async (
  { db }: Ctx,
  siteId: string,
  { before, limit }: output<typeof SiteReleasesQuery>,
  { identity }: Sender,
): Promise<SiteReleaseList> => {
  const site = await findSeenSite(db, siteId, identity)
  const seen = site.channels.flatMap(({ channelId }) => (maySeeChannel(identity, site, channelId) ? [channelId] : []))
  const isBefore =
    before &&
    sql`(released_at, release_id) < (select o.released_at, o.release_id from releases o
    where o.release_id = ${before})`
  const found = await readReleases(db, and(inArray(releases.channelId, seen), isBefore || undefined), limit + 1, [
    desc(releases.at),
    desc(releases.releaseId),
  ])
  return {
    releases: found.slice(0, limit).map((release) => ({ ...toRelease(release), channelId: release.channelId })),
    hasMore: found.length > limit,
  }
}
