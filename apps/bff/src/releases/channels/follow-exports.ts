import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { reconnectReleases } from '#bundles/artifacts/held-bundles.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { lockChannel, showBundle, updateChannel } from '#releases/sites/show-bundle.ts'
import { channels, releases, sites } from '#ground/db/sites.table.ts'

/** Maximum number of sites that one tick checks. */
const batch = 200

/** Decides under the lock of the channel, so that only one of two processes moves it. */
const moveChannel = ({ db, artifacts, events, now }: ReleasesCtx, channelId: string, label: string) =>
  db.transaction(async (tx) => {
    const channel = await lockChannel(tx, channelId)
    if (!channel.followsExports || channel.pinnedAt !== null) return
    const { siteId, currentReleaseId } = channel
    const [current] =
      currentReleaseId === null ? [] : await tx.select().from(releases).where(eq(releases.releaseId, currentReleaseId))
    const [newest] = await artifacts.listNewest(tx, siteId, { limit: 1, isChecked: true })
    if (newest !== undefined && newest.sha256 === current?.sha256 && current.isHeld) return
    const shown = current === undefined ? null : await artifacts.findStored(tx, current.exportId)
    const isThere = shown?.sha256 === current?.sum && shown?.siteId === siteId && current?.isHeld === true
    // A channel moves to an older bundle only if the one that it shows was deleted.
    if (shown !== null && isThere && (newest === undefined || newest.exportedAt <= shown.exportedAt)) return
    if (newest !== undefined && (await artifacts.hold(tx, newest.sha256)))
      return showBundle(
        tx,
        events,
        { channel, label },
        { kind: 'rule', bundle: newest, by: docketActor, at: new Date(now()) },
      )
    if (current !== undefined && newest === undefined) await updateChannel(tx, channel, { currentReleaseId: null })
  })

/** Lets the channels of a site that follow its exports move now. A pinned one stays. */
export const followExports = async (ctx: ReleasesCtx, siteId: string): Promise<void> => {
  const following = await ctx.db
    .select({ channelId: channels.channelId, label: sites.label })
    .from(channels)
    .innerJoin(sites, eq(channels.siteId, sites.siteId))
    .where(and(eq(channels.siteId, siteId), eq(channels.followsExports, true), isNull(channels.pinnedAt)))
  for (const { channelId, label } of following) await moveChannel(ctx, channelId, label)
}

/** Sites with a channel that does not show the newest stored bundle. */
const listSitesBehind = (db: Database, after: string) =>
  db
    .selectDistinct({ siteId: channels.siteId })
    .from(channels)
    .leftJoin(releases, eq(channels.currentReleaseId, releases.releaseId))
    .where(
      and(
        eq(channels.followsExports, true),
        isNull(channels.pinnedAt),
        gt(channels.siteId, after),
        sql`(select a.sha256 from artifacts a join stored_bundles b on b.sha256 = a.sha256
          where a.site_id = ${channels.siteId} and a.state = 'stored' and b.state = 'stored' and b.check_unfinished is null
            and exists (select from static_exports e where e.export_id = a.export_id and e.removed_at is null)
          order by a.exported_at desc nulls first, a.export_id limit 1) is distinct from ${releases.sha256}`,
      ),
    )
    .orderBy(asc(channels.siteId))
    .limit(batch)

/** Like `followExports`, for the site of an export whose bundle was stored or deleted. */
export const followExport = async (ctx: ReleasesCtx, { exportId }: { exportId: string }): Promise<void> => {
  await reconnectReleases(ctx.db)
  const { rows } = await ctx.db.execute<{ siteId: string }>(
    sql`select site_id as "siteId" from artifacts where export_id = ${exportId}`,
  )
  if (rows[0] !== undefined) await followExports(ctx, rows[0].siteId)
}

/** Checks all sites after a start, some of them at each call, because an earlier version sends no events. */
export const catchUpWithExports = (ctx: ReleasesCtx) => {
  let lookedThrough: string | null = '00000000-0000-0000-0000-000000000000'
  return async (): Promise<void> => {
    if (lookedThrough === null) return
    await reconnectReleases(ctx.db)
    const behind = await listSitesBehind(ctx.db, lookedThrough)
    for (const { siteId } of behind) {
      await followExports(ctx, siteId)
      lookedThrough = siteId
    }
    if (behind.length < batch) lookedThrough = null
  }
}
