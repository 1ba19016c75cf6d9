import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { mayPublish, maySeeChannel } from '#ground/identity/site-rights.ts'
import type { ChannelAccess } from '@docket/api-types/sites'
import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { channels, releases, sites } from '#ground/db/sites.table.ts'

type Holder = {
  siteId: string
  connectionIds: string[]
  label: string
  channelId: string
  channel: string
  access: ChannelAccess
}

const holderColumns = {
  siteId: sites.siteId,
  connectionIds: sql<
    string[]
  >`array(select f.connection_id::text from sites f where f.site_id = sites.site_id or f.joined_into = sites.site_id)`,
  label: sites.label,
  channelId: channels.channelId,
  channel: channels.name,
  access: channels.access,
}

/**
 * Finds a channel and the release that it shows by the names in its address. The label of a joined site leads to the site that it was
 * joined into. Undefined for unknown names; `sha256` is null without a release, or when its bundle is missing.
 */
export const findChannel = async (
  db: Database,
  { label, channel }: { label: string; channel: string },
): Promise<(Holder & { sha256: string | null; number: number | null }) | undefined> => {
  const named = alias(sites, 'named')
  const [row] = await db
    .select({ ...holderColumns, sha256: releases.sha256, number: releases.number })
    .from(named)
    .innerJoin(sites, eq(sites.siteId, sql`coalesce(${named.joinedInto}, ${named.siteId})`))
    .innerJoin(channels, and(eq(channels.siteId, sites.siteId), eq(channels.name, channel)))
    .leftJoin(releases, eq(releases.releaseId, channels.currentReleaseId))
    .where(eq(named.label, label))
  return row
}

/** `isHeld`: the bundle is one of the channel's last releases. `isLive`: the channel shows it, or did after `since`. */
const listHolders = (db: Database, sha256: string, since: Date) =>
  db
    .selectDistinct({
      ...holderColumns,
      isHeld: sql<boolean>`${releases.isHeld} or ${releases.releaseId} = ${channels.currentReleaseId}`,
      isLive: sql<boolean>`${releases.releaseId} = ${channels.currentReleaseId} or exists (select from releases n
        where n.channel_id = ${channels.channelId} and n.number = ${releases.number} + 1 and n.released_at > ${since})`,
    })
    .from(releases)
    .innerJoin(channels, eq(channels.channelId, releases.channelId))
    .innerJoin(sites, eq(sites.siteId, channels.siteId))
    .where(eq(releases.sha256, sha256))

/** How long a bundle can still be downloaded after its channel shows another one, so that downloads can finish. Milliseconds. */
const overlapMs = 24 * 3_600_000

/**
 * Decides for every download who may have the bytes of a bundle: people who may see a channel that shows it, operators of a channel that
 * ever showed it, and everyone while a public channel holds it. Null for others. `through`: the channel that grants the access.
 */
export const findDownloadRight = async ({ db, now }: Pick<Ctx, 'db' | 'now'>, identity: Identity, sha256: string) => {
  const holders = await listHolders(db, sha256, new Date(now() - overlapMs))
  const isPublic = holders.some(({ access, isHeld }) => access === 'public' && isHeld)
  const through = holders
    .filter(({ channelId, ...site }) => maySeeChannel(identity, site, channelId))
    .find((one) => one.isLive || mayPublish(identity, one, { ...one, isProtected: false }))
  return isPublic || through !== undefined ? { isPublic, through } : null
}
