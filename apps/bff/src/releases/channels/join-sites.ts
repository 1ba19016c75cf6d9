import type { SiteFeed } from '@docket/api-types/sites'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity, Sender } from '#ground/identity/identity.ts'
import { findSeenSite, noSiteError, operatesAllSites } from '#releases/sites/site-access.ts'
import { updateChannel } from '#releases/sites/show-bundle.ts'
import { findSite, type KnownSite } from '#releases/sites/site-reader.ts'
import { channels, releases, sites } from '#ground/db/sites.table.ts'
import { proposals } from '#releases/publish-checks/proposals.table.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { followExports } from './follow-exports.ts'

const joinRefusedError = (sentence: string) => new AppError('conflict', sentence)

/** Throws `forbidden` for somebody who does not operate all connections of these sites. */
export const ensureOperatesAll = (identity: Identity, known: readonly KnownSite[]) => {
  if (operatesAllSites(identity, known)) return
  throw new AppError(
    'forbidden',
    'Only admins and operators of every connection that feeds these sites can do this. Ask an admin for access.',
  )
}

/** Locks the channels of sites until the transaction ends, before any other lock, always in the same order. */
export const lockChannels = (tx: Tx, siteIds: readonly string[]) =>
  tx
    .select()
    .from(channels)
    .where(inArray(channels.siteId, [...siteIds]))
    .orderBy(channels.channelId)
    .for('update')

/** Clears the channels of a joined site, which were only ever moved by rules. */
const clearChannels = async ({ now }: ReleasesCtx, tx: Tx, joined: KnownSite) => {
  for (const channel of joined.channels) {
    if (channel.currentReleaseId !== null) await updateChannel(tx, channel, { currentReleaseId: null })
    const { channelId } = channel
    await tx.update(releases).set({ isHeld: false }).where(eq(releases.channelId, channelId))
    await tx
      .update(proposals)
      .set({ endedAt: new Date(now()), outcome: 'withdrawn' })
      .where(and(eq(proposals.channelId, channelId), isNull(proposals.endedAt)))
  }
}

const refuseUnlessJoinable = (target: KnownSite, joined: KnownSite) => {
  if (joined.feeds.length > 1)
    throw joinRefusedError(
      `Other exports feed ${joined.name} already. Separate them from it first, or join the other way.`,
    )
  const shown = joined.channels.find(
    ({ currentReleaseId, followsExports, pinnedAt }) =>
      currentReleaseId !== null && (!followsExports || pinnedAt !== null),
  )
  if (shown !== undefined)
    throw joinRefusedError(
      `The channel ${shown.name} of ${joined.name} shows a release to its readers, and would disappear. Join ${target.name} into ${joined.name} instead, or delete that channel or resume its updates.`,
    )
}

/** Joins a site into another one, which takes over its artifacts and accepted causes. */
export const joinSites = async (
  ctx: ReleasesCtx,
  siteId: string,
  joinedId: string,
  { identity, actor }: Sender,
): Promise<void> => {
  if (siteId === joinedId) throw joinRefusedError('A site can’t be joined into itself. Choose another one.')
  const target = await findSeenSite(ctx.db, siteId, identity)
  const [row] = await ctx.db.select().from(sites).where(eq(sites.siteId, joinedId))
  if (row !== undefined && row.joinedInto !== null) {
    const into = await findSeenSite(ctx.db, row.joinedInto, identity)
    throw joinRefusedError(`${row.name ?? row.domain} feeds ${into.name} already. Separate it there first.`)
  }
  ensureOperatesAll(identity, [target, await findSeenSite(ctx.db, joinedId, identity)])
  await ctx.artifacts.prepareMove([joinedId, siteId])
  await ctx.db.transaction(async (tx) => {
    await lockChannels(tx, [siteId, joinedId])
    await tx
      .select({ siteId: sites.siteId })
      .from(sites)
      .where(inArray(sites.siteId, [siteId, joinedId]))
      .orderBy(sites.siteId)
      .for('no key update')
    // One of the sites may have been joined meanwhile.
    const [into, joined] = [await findSite(tx, siteId), await findSite(tx, joinedId)]
    if (into === null || joined === null) throw noSiteError()
    refuseUnlessJoinable(into, joined)
    await clearChannels(ctx, tx, joined)
    await tx.update(sites).set({ joinedInto: siteId }).where(eq(sites.siteId, joinedId))
    await recordAudit(tx, actor, {
      action: 'site.joined',
      at: new Date(ctx.now()),
      target: { type: 'site', id: siteId, name: into.label },
      details: { joined: joined.label, domain: joined.feeds[0]!.domain },
    })
    await ctx.artifacts.move(tx, { from: joinedId, to: siteId, feed: null })
  })
  ctx.artifacts.compareAgain(siteId)
  await followExports(ctx, siteId)
}

/** Separates the exports of a feed into their own site again. */
export const separateSite = async (
  ctx: ReleasesCtx,
  siteId: string,
  feed: SiteFeed,
  { identity, actor }: Sender,
): Promise<void> => {
  const site = await findSeenSite(ctx.db, siteId, identity)
  ensureOperatesAll(identity, [site])
  const isFeed = and(eq(sites.connectionId, feed.connectionId), eq(sites.domain, feed.domain))
  const [own] = await ctx.db.select().from(sites).where(isFeed)
  if (own?.siteId === siteId) throw joinRefusedError(`${feed.domain} is the site’s own. Separate the others from it.`)
  if (own === undefined || own.joinedInto !== siteId) throw joinRefusedError(`${feed.domain} does not feed this site.`)
  await ctx.artifacts.prepareMove([siteId])
  await ctx.db.transaction(async (tx) => {
    const locked = await lockChannels(tx, [siteId, own.siteId])
    const [still] = await tx
      .update(sites)
      .set({ joinedInto: null })
      .where(and(eq(sites.siteId, own.siteId), eq(sites.joinedInto, siteId)))
      .returning({ siteId: sites.siteId })
    if (still === undefined) throw joinRefusedError(`${feed.domain} does not feed this site any more. Reload the page.`)
    const ofFeed = sql`${releases.exportId} in (select e.export_id from static_exports e
      where e.connection_id = ${feed.connectionId} and e.domain = ${feed.domain})`
    const shown = await tx
      .select({ channelId: releases.channelId, releaseId: releases.releaseId })
      .from(releases)
      .where(
        and(
          inArray(
            releases.channelId,
            locked.map(({ channelId }) => channelId),
          ),
          ofFeed,
        ),
      )
    const showing = locked.find(
      ({ currentReleaseId, followsExports, pinnedAt }) =>
        (!followsExports || pinnedAt !== null) && shown.some(({ releaseId }) => releaseId === currentReleaseId),
    )
    if (showing !== undefined)
      throw joinRefusedError(
        `The channel ${showing.name} shows an export of ${feed.domain}. Publish one of another feed first.`,
      )
    if (shown.length > 0)
      await tx
        .update(releases)
        .set({ isHeld: false })
        .where(
          inArray(
            releases.releaseId,
            shown.map(({ releaseId }) => releaseId),
          ),
        )
    await recordAudit(tx, actor, {
      action: 'site.separated',
      at: new Date(ctx.now()),
      target: { type: 'site', id: siteId, name: site.label },
      details: { separated: own.label, domain: feed.domain },
    })
    await ctx.artifacts.move(tx, { from: siteId, to: own.siteId, feed })
  })
  for (const one of [siteId, own.siteId]) {
    ctx.artifacts.compareAgain(one)
    await followExports(ctx, one)
  }
}
