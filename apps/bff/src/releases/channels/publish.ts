import type { Sender } from '#ground/identity/identity.ts'
import type { PinChannel, PublishArtifact, RollBack, UnpinChannel } from '@docket/api-types/sites'
import type { output } from 'zod'
import { AppError } from '#ground/errors/app-error.ts'
import { findCandidate, findForPublishing, passPublishChecks } from '#releases/publish-checks/may-publish.ts'
import { endProposal, isApproved } from '#releases/publish-checks/open-proposal.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { followExports } from './follow-exports.ts'
import { findCurrent, type KnownRelease, selectReleases } from '#releases/sites/releases.list.ts'
import type { ChannelKey } from '#releases/sites/site-access.ts'
import { auditChannel, ensureVersion, lockChannel, showBundle, updateChannel } from '#releases/sites/show-bundle.ts'

/** Number of releases in which a rollback looks for the previous one. */
const maxHistory = 100

const bundleGoneError = () =>
  new AppError('conflict', 'Docket no longer has this bundle. Choose another one, or save it again.')

const nothingBeforeError = (name: string) =>
  new AppError(
    'conflict',
    `The channel ${name} has no earlier release that Docket still has. Publish a bundle instead.`,
  )

/** Finds the release before the one that a channel shows. After a rollback, the position of the release that it restored counts. */
const findEarlier = (current: KnownRelease, history: readonly KnownRelease[]): KnownRelease | undefined => {
  let shown = current
  for (;;) {
    const before = history.filter(({ number }) => number < shown.number)
    const origin = shown.kind === 'rollback' ? before.find(({ sum }) => sum === shown.sum) : undefined
    if (origin === undefined) return before.find(({ sum, isThere }) => isThere && sum !== shown.sum)
    shown = origin
  }
}

/** Makes a channel show a stored artifact. Does nothing when it already shows the same bytes. */
export const publishArtifact = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  { version, exportId, note, override }: output<typeof PublishArtifact>,
  sender: Sender,
): Promise<void> => {
  const found = await findForPublishing(ctx.db, key, sender)
  const { site, channel } = found
  if (channel.followsExports)
    throw new AppError(
      'conflict',
      `The channel ${channel.name} moves by itself. Publish to another channel, or roll this one back.`,
    )
  const candidate = await findCandidate(ctx, site, exportId)
  const current = await findCurrent(ctx.db, channel)
  if (current?.sum === candidate.sha256) return
  await ensureVersion(ctx.db, channel, { version })
  const { checks, overrideReason } = await passPublishChecks(
    ctx,
    found,
    { candidate: candidate.sha256, current: current?.sum ?? null, override },
    sender,
  )
  await ctx.db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    if ((await findCurrent(tx, locked))?.sum === candidate.sha256) return
    await ensureVersion(tx, locked, { version })
    if (!(await ctx.artifacts.hold(tx, candidate.sha256))) throw bundleGoneError()
    // Read under the lock of the bundle, which deleting the copy needs, too.
    const still = await ctx.artifacts.find(tx, exportId)
    if (still?.sha256 !== candidate.sha256 || still.siteId !== site.siteId) throw bundleGoneError()
    // People may have withdrawn their approvals since the checks.
    if (overrideReason === null && !(await isApproved(tx, { site, channel: locked }, candidate.sha256)))
      throw new AppError('conflict', 'Somebody took an approval back. Ask for it again, then publish.')
    const at = new Date(ctx.now())
    const shown = {
      kind: 'publication',
      bundle: candidate,
      by: sender.actor,
      at,
      note,
      checks,
      overrideReason,
    } as const
    await showBundle(tx, ctx.events, { channel: locked, label: site.label }, shown)
    await endProposal(tx, channel.channelId, { outcome: 'published', sha256: candidate.sha256, at })
  })
}

/** Rolls back to a held release. Rules leave the channel alone from then on. A repeated request changes nothing. */
export const rollBack = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  { version, releaseId, note }: output<typeof RollBack>,
  sender: Sender,
): Promise<void> => {
  const { site, channel } = await findForPublishing(ctx.db, key, sender)
  await ctx.db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    const current = await findCurrent(tx, locked)
    if (current === null) throw nothingBeforeError(channel.name)
    const isRepeated = locked.version === version + 1 && current.kind === 'rollback' && current.byId === sender.actor.id
    if (releaseId === null && isRepeated) return
    const history = await selectReleases(tx, channel.channelId, { limit: maxHistory })
    const target =
      releaseId === null
        ? findEarlier(current, history)
        : history.find((one) => one.releaseId === releaseId && one.isHeld && one.isThere)
    if (target !== undefined && releaseId !== null && target.sum === current.sum) return
    await ensureVersion(tx, locked, { version })
    if (target === undefined) throw releaseId === null ? nothingBeforeError(channel.name) : bundleGoneError()
    if (!(await ctx.artifacts.hold(tx, target.sum))) throw bundleGoneError()
    const at = new Date(ctx.now())
    const bundle = { exportId: target.exportId, sha256: target.sum, pages: target.pages }
    const pin = channel.followsExports && { pinnedAt: at, pinnedBy: sender.actor.name, pinReason: note }
    const shown = { kind: 'rollback', bundle, by: sender.actor, at, note, ...(pin && { pin }) } as const
    await showBundle(tx, ctx.events, { channel: locked, label: site.label }, shown)
  })
}

/** A pinned channel is no longer moved by rules. A repeated request changes nothing. */
export const pinChannel = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  { version, reason }: output<typeof PinChannel>,
  sender: Sender,
): Promise<void> => {
  const { site, channel } = await findForPublishing(ctx.db, key, sender)
  if (!channel.followsExports)
    throw new AppError('conflict', `No rule moves the channel ${channel.name}: only people publish there.`)
  await ctx.db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    if (locked.pinnedAt !== null && locked.pinReason === reason) return
    await ensureVersion(tx, locked, { version })
    const at = new Date(ctx.now())
    const { actor } = sender
    await updateChannel(tx, locked, { pinnedAt: at, pinnedBy: actor.name, pinReason: reason })
    const details = { ...(reason !== null && { reason }) }
    await auditChannel(tx, actor, { action: 'channel.pinned', at, label: site.label, channel: locked, details })
  })
}

/** Rules move the channel again at once. A repeated request changes nothing. */
export const unpinChannel = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  { version }: output<typeof UnpinChannel>,
  sender: Sender,
): Promise<void> => {
  const { site, channel } = await findForPublishing(ctx.db, key, sender)
  await ctx.db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    if (locked.pinnedAt === null) return
    await ensureVersion(tx, locked, { version })
    await updateChannel(tx, locked, { pinnedAt: null, pinnedBy: null, pinReason: null })
    const done = { action: 'channel.unpinned', at: new Date(ctx.now()), label: site.label, channel: locked } as const
    await auditChannel(tx, sender.actor, done)
  })
  await followExports(ctx, site.siteId)
}
