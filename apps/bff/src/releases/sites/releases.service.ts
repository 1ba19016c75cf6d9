import type {
  PinChannel,
  PromoteArtifact,
  ReleaseList,
  ReleasesQuery,
  RollBack,
  UnpinChannel,
} from '@docket/api-types/sites'
import type { output } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { mayOverride } from '#ground/identity/site-rights.ts'
import { isApproved } from './open-proposal.ts'
import type { SiteArtifacts, StoredArtifact } from '#bundles/site-artifacts.ts'
import type { ChannelGate, Sender } from './ports.ts'
import { findCurrent, type KnownRelease, listReleases, toRelease } from './releases.list.ts'
import { changeChannel, ensureVersion, lockChannel, showBundle, toChannelTarget } from './show-bundle.ts'
import { ensurePromotes, findSeenChannel } from './site-access.ts'
import type { ChannelRow, KnownSite, SiteReader } from './site-reader.ts'

/** Names a channel of a site. */
type ChannelKey = { siteId: string; channelId: string }

/** Releases among which a rollback looks for the one before. */
const maxHistory = 100

const bundleGone = () =>
  new AppError('conflict', 'Docket no longer has this bundle. Choose another one, or store it again.')

const nothingBefore = (name: string) =>
  new AppError(
    'conflict',
    `The channel ${name} has no earlier release that Docket still has. Promote a bundle instead.`,
  )

/** Finds the release before the one that a channel shows. What a rollback went back to counts with the place it had. */
const findEarlier = (current: KnownRelease, history: readonly KnownRelease[]): KnownRelease | undefined => {
  let shown = current
  for (;;) {
    const before = history.filter(({ number }) => number < shown.number)
    const origin = shown.kind === 'rollback' ? before.find(({ sum }) => sum === shown.sum) : undefined
    if (origin === undefined) return before.find(({ sum, isThere }) => isThere && sum !== shown.sum)
    shown = origin
  }
}

/** What people do with the pointer of a channel. Each change is one transaction, audited, and refused when somebody else was faster. */
export const releaseService = (
  deps: Ctx & {
    reader: Pick<SiteReader, 'find'>
    artifacts: Pick<SiteArtifacts, 'find' | 'hold'>
    gate: ChannelGate
    /** Lets a channel that moves by itself do so now. */
    follow: (siteId: string) => Promise<void>
  },
) => {
  const { db, reader, artifacts, gate, events, follow, now } = deps

  /** Finds a channel whose releases the sender may change. */
  const findForChange = async (key: ChannelKey, { identity }: Sender) => {
    const found = await findSeenChannel(reader, key, identity)
    ensurePromotes(identity, found.site, found.channel)
    return found
  }

  const findCandidate = async ({ siteId }: KnownSite, exportId: string): Promise<StoredArtifact> => {
    const candidate = await artifacts.find(db, exportId)
    if (candidate?.siteId === siteId) return candidate
    throw new AppError('not_found', 'Docket has stored no bundle of this export for this site. Choose another one.', {
      exportId,
    })
  }

  /** Evaluates the gate. Throws unless it passes, or the sender may override it and says why. */
  const passGate = async (
    { site, channel }: { site: KnownSite; channel: ChannelRow },
    {
      candidate,
      current,
      override,
    }: { candidate: StoredArtifact; current: KnownRelease | null; override: string | null },
    { identity }: Sender,
  ) => {
    const shown = current && { exportId: current.exportId, sha256: current.sum }
    const { checks, passed } = await gate.evaluate(channel, candidate, shown)
    if (passed) return { checks, overrideReason: null }
    const isAllowed = mayOverride(identity, site, channel, checks)
    if (override !== null && isAllowed) return { checks, overrideReason: override }
    const failed = checks.filter(({ state }) => state === 'failed').map(({ sentence }) => sentence)
    const refusal = ['The gate refuses this bundle.', ...failed].join(' ')
    if (override !== null)
      throw new AppError('forbidden', `${refusal} Only admins and operators of this channel may override it.`)
    throw new AppError('conflict', isAllowed ? `${refusal} You can override the gate with a reason.` : refusal)
  }

  return {
    list: async (
      key: ChannelKey,
      { before, limit }: output<typeof ReleasesQuery>,
      { identity }: Sender,
    ): Promise<ReleaseList> => {
      const { channel } = await findSeenChannel(reader, key, identity)
      const found = await listReleases(db, channel.channelId, { before, limit: limit + 1 })
      return { releases: found.slice(0, limit).map(toRelease), hasMore: found.length > limit }
    },

    /** Makes a channel show a stored artifact. Does nothing when it shows the same bytes already. */
    promote: async (
      key: ChannelKey,
      { version, exportId, note, override }: output<typeof PromoteArtifact>,
      sender: Sender,
    ): Promise<void> => {
      const found = await findForChange(key, sender)
      const { site, channel } = found
      if (channel.followsExports)
        throw new AppError(
          'conflict',
          `The channel ${channel.name} moves by itself. Promote to another channel, or roll this one back.`,
        )
      const candidate = await findCandidate(site, exportId)
      const current = await findCurrent(db, channel)
      if (current?.sum === candidate.sha256) return
      await ensureVersion(db, channel, { version })
      const { checks, overrideReason } = await passGate(found, { candidate, current, override }, sender)
      await db.transaction(async (tx) => {
        const locked = await lockChannel(tx, channel.channelId)
        if ((await findCurrent(tx, locked))?.sum === candidate.sha256) return
        await ensureVersion(tx, locked, { version })
        if (!(await artifacts.hold(tx, candidate.sha256))) throw bundleGone()
        // Read under the lock of the bundle: whoever deletes the copy needs it, too.
        const still = await artifacts.find(tx, exportId)
        if (still?.sha256 !== candidate.sha256 || still.siteId !== site.siteId) throw bundleGone()
        // People may have taken their approvals back since the gate was evaluated.
        if (overrideReason === null && !(await isApproved(tx, { site, channel: locked }, candidate.sha256)))
          throw new AppError('conflict', 'Somebody took an approval back. Ask for it again, then promote.')
        const at = new Date(now())
        const shown = {
          kind: 'promotion',
          bundle: candidate,
          by: sender.actor,
          at,
          note,
          checks,
          overrideReason,
        } as const
        await showBundle(tx, events, { channel: locked, label: site.label }, shown)
        await gate.endProposal(tx, channel.channelId, { outcome: 'promoted', sha256: candidate.sha256, at })
      })
    },

    /** Goes back to a held release, and pins the channel. Does nothing when a click comes twice. */
    rollBack: async (
      key: ChannelKey,
      { version, releaseId, note }: output<typeof RollBack>,
      sender: Sender,
    ): Promise<void> => {
      const { site, channel } = await findForChange(key, sender)
      await db.transaction(async (tx) => {
        const locked = await lockChannel(tx, channel.channelId)
        const current = await findCurrent(tx, locked)
        if (current === null) throw nothingBefore(channel.name)
        const isRepeated =
          locked.version === version + 1 && current.kind === 'rollback' && current.byId === sender.actor.id
        if (releaseId === null && isRepeated) return
        const history = await listReleases(tx, channel.channelId, { limit: maxHistory })
        const target =
          releaseId === null
            ? findEarlier(current, history)
            : history.find((one) => one.releaseId === releaseId && one.isHeld && one.isThere)
        if (target !== undefined && releaseId !== null && target.sum === current.sum) return
        await ensureVersion(tx, locked, { version })
        if (target === undefined) throw releaseId === null ? nothingBefore(channel.name) : bundleGone()
        if (!(await artifacts.hold(tx, target.sum))) throw bundleGone()
        const at = new Date(now())
        const bundle = { exportId: target.exportId, sha256: target.sum, pages: target.pages }
        const pin = { pinnedAt: at, pinnedBy: sender.actor.name, pinReason: note }
        const shown = {
          kind: 'rollback',
          bundle,
          by: sender.actor,
          at,
          note,
          checks: [],
          overrideReason: null,
        } as const
        await showBundle(tx, events, { channel: locked, label: site.label }, { ...shown, pin })
      })
    },

    /** Makes rules leave a channel alone. Idempotent. */
    pin: async (key: ChannelKey, { version, reason }: output<typeof PinChannel>, sender: Sender): Promise<void> => {
      const { site, channel } = await findForChange(key, sender)
      await db.transaction(async (tx) => {
        const locked = await lockChannel(tx, channel.channelId)
        if (locked.pinnedAt !== null && locked.pinReason === reason) return
        await ensureVersion(tx, locked, { version })
        const at = new Date(now())
        const { actor } = sender
        await changeChannel(tx, locked, { pinnedAt: at, pinnedBy: actor.name, pinReason: reason })
        const details = { site: site.label, channel: locked.name, ...(reason !== null && { reason }) }
        await recordAudit(tx, actor, {
          action: 'channel.pinned',
          at,
          target: toChannelTarget(site.label, locked),
          details,
        })
      })
    },

    /** Lets rules move a channel again, which they do at once. Idempotent. */
    unpin: async (key: ChannelKey, { version }: output<typeof UnpinChannel>, sender: Sender): Promise<void> => {
      const { site, channel } = await findForChange(key, sender)
      await db.transaction(async (tx) => {
        const locked = await lockChannel(tx, channel.channelId)
        if (locked.pinnedAt === null) return
        await ensureVersion(tx, locked, { version })
        await changeChannel(tx, locked, { pinnedAt: null, pinnedBy: null, pinReason: null })
        await recordAudit(tx, sender.actor, {
          action: 'channel.unpinned',
          at: new Date(now()),
          target: toChannelTarget(site.label, locked),
          details: { site: site.label, channel: locked.name },
        })
      })
      await follow(site.siteId)
    },
  }
}

export type ReleaseService = ReturnType<typeof releaseService>
