import type { SiteFeed } from '@docket/api-types/sites'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { Sender } from './ports.ts'
import { changeChannel } from './show-bundle.ts'
import { findSeenSite, noSite, operatesAll } from './site-access.ts'
import { type KnownSite, siteReader, type SiteReader } from './site-reader.ts'
import { channels, releases, sites } from '#ground/db/sites.table.ts'
import { proposals } from './proposals.table.ts'

const refuse = (sentence: string) => new AppError('conflict', sentence)

const ensureOperatesAll = (identity: Identity, known: readonly KnownSite[]) => {
  if (operatesAll(identity, known)) return
  throw new AppError(
    'forbidden',
    'Only admins and operators of every connection that feeds these sites can do this. Ask an admin for access.',
  )
}

/** Locks the channels of sites until the transaction ends, before any other lock, always in the same order. */
const lockChannels = (tx: Tx, siteIds: readonly string[]) =>
  tx
    .select()
    .from(channels)
    .where(inArray(channels.siteId, [...siteIds]))
    .orderBy(channels.channelId)
    .for('update')

/** Lets the exports of several connections or domains feed one site, and takes that back. */
export const siteJoiner = (deps: {
  db: Database
  reader: SiteReader
  artifacts: Pick<SiteArtifacts, 'prepareMove' | 'move' | 'compareAgain'>
  follow: (siteId: string) => Promise<void>
  now: () => number
}) => {
  const { db, reader, artifacts, follow, now } = deps

  /** Lets the channels of a joined site go, which only ever moved by themselves. */
  const clearChannels = async (tx: Tx, joined: KnownSite) => {
    for (const channel of joined.channels) {
      if (channel.currentReleaseId !== null) await changeChannel(tx, channel, { currentReleaseId: null })
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
      throw refuse(`Other exports feed ${joined.name} already. Separate them from it first, or join the other way.`)
    const shown = joined.channels.find(
      ({ currentReleaseId, followsExports, pinnedAt }) =>
        currentReleaseId !== null && (!followsExports || pinnedAt !== null),
    )
    if (shown !== undefined)
      throw refuse(
        `The channel ${shown.name} of ${joined.name} shows a release to its readers, and would disappear. Join ${target.name} into ${joined.name} instead, or delete or unpin that channel.`,
      )
  }

  return {
    /** Joins a site into another one, which has its artifacts and what people accepted from then on. */
    join: async (siteId: string, joinedId: string, { identity, actor }: Sender): Promise<void> => {
      if (siteId === joinedId) throw refuse('A site can’t be joined into itself. Choose another one.')
      const target = await findSeenSite(reader, siteId, identity)
      const [row] = await db.select().from(sites).where(eq(sites.siteId, joinedId))
      if (row !== undefined && row.joinedInto !== null) {
        const into = await findSeenSite(reader, row.joinedInto, identity)
        throw refuse(`${row.name ?? row.domain} feeds ${into.name} already. Separate it there first.`)
      }
      ensureOperatesAll(identity, [target, await findSeenSite(reader, joinedId, identity)])
      await artifacts.prepareMove([joinedId, siteId])
      await db.transaction(async (tx) => {
        await lockChannels(tx, [siteId, joinedId])
        await tx
          .select({ siteId: sites.siteId })
          .from(sites)
          .where(inArray(sites.siteId, [siteId, joinedId]))
          .orderBy(sites.siteId)
          .for('no key update')
        // Somebody may have joined one of them since.
        const fresh = siteReader(tx)
        const [into, joined] = [await fresh.find(siteId), await fresh.find(joinedId)]
        if (into === null || joined === null) throw noSite()
        refuseUnlessJoinable(into, joined)
        await clearChannels(tx, joined)
        await tx.update(sites).set({ joinedInto: siteId }).where(eq(sites.siteId, joinedId))
        await recordAudit(tx, actor, {
          action: 'site.joined',
          at: new Date(now()),
          target: { type: 'site', id: siteId, name: into.label },
          details: { joined: joined.label, domain: joined.feeds[0]!.domain },
        })
        await artifacts.move(tx, { from: joinedId, to: siteId, feed: null })
      })
      artifacts.compareAgain(siteId)
      await follow(siteId)
    },

    /** Makes the exports of a feed a site of their own again. */
    separate: async (siteId: string, feed: SiteFeed, { identity, actor }: Sender): Promise<void> => {
      const site = await findSeenSite(reader, siteId, identity)
      ensureOperatesAll(identity, [site])
      const isFeed = and(eq(sites.connectionId, feed.connectionId), eq(sites.domain, feed.domain))
      const [own] = await db.select().from(sites).where(isFeed)
      if (own?.siteId === siteId) throw refuse(`${feed.domain} is the site’s own. Separate the others from it.`)
      if (own === undefined || own.joinedInto !== siteId) throw refuse(`${feed.domain} does not feed this site.`)
      await artifacts.prepareMove([siteId])
      await db.transaction(async (tx) => {
        const locked = await lockChannels(tx, [siteId, own.siteId])
        const [still] = await tx
          .update(sites)
          .set({ joinedInto: null })
          .where(and(eq(sites.siteId, own.siteId), eq(sites.joinedInto, siteId)))
          .returning({ siteId: sites.siteId })
        if (still === undefined) throw refuse(`${feed.domain} does not feed this site any more. Reload the page.`)
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
          throw refuse(
            `The channel ${showing.name} shows an export of ${feed.domain}. Promote one of another feed first.`,
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
          at: new Date(now()),
          target: { type: 'site', id: siteId, name: site.label },
          details: { separated: own.label, domain: feed.domain },
        })
        await artifacts.move(tx, { from: siteId, to: own.siteId, feed })
      })
      for (const one of [siteId, own.siteId]) {
        artifacts.compareAgain(one)
        await follow(one)
      }
    },
  }
}

export type SiteJoiner = ReturnType<typeof siteJoiner>
