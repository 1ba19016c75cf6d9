import { defaultGate, type Gate, type ProposePromotion } from '@docket/api-types/gates'
import type { AuditAction } from '@docket/api-types/audit'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { output } from 'zod'
import { recordAudit } from '#audit/audit.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { mayOverride, mayPromote } from '#identity/site-rights.ts'
import type { ChannelGate, Sender, SiteArtifacts } from '#sites/ports.ts'
import { findOpenProposal, type OpenProposal, readSenderId, toProposal } from '#sites/open-proposal.ts'
import { findCurrent } from '#sites/releases.list.ts'
import { lockChannel, toChannelTarget } from '#sites/show-bundle.ts'
import { ensurePromotes, findSeenChannel } from '#sites/site-access.ts'
import type { ChannelRow, KnownSite, SiteReader } from '#sites/site-reader.ts'
import { approvals, proposals } from '#sites/sites.table.ts'
import { evaluateGate, type GateFacts } from './evaluate-gate.ts'

type ChannelKey = { siteId: string; channelId: string }
type ProposalKey = ChannelKey & { proposalId: string }
type Found = { site: KnownSite; channel: ChannelRow }

/** What a channel shows may be gone, after a restore without bundles. */
const orGone = (error: unknown): 'gone' => {
  if (error instanceof AppError && error.code === 'conflict') return 'gone'
  throw error
}

const ended = () => new AppError('conflict', 'This request for approvals has ended. Reload the page.')

/** The conditions of channels, and the people who approve promotions. Each change is audited in its transaction. */
export const gateService = (deps: {
  db: Database
  reader: Pick<SiteReader, 'find'>
  artifacts: Pick<SiteArtifacts, 'find'>
  facts: {
    read: (sha256: string) => Promise<GateFacts>
    readAccepted: (siteId: string) => Promise<ReadonlySet<string>>
  }
  /** Counts the pages that differ between two bundles. Null while nobody knows. */
  countChanges: (earlier: string, later: string) => Promise<NonNullable<Gate['change']> | null>
  now: () => number
}) => {
  const { db, reader, artifacts, facts, countChanges, now } = deps

  const findForPromotion = async (key: ChannelKey, { identity }: Sender): Promise<Found> => {
    const found = await findSeenChannel(reader, key, identity)
    ensurePromotes(identity, found.site, found.channel)
    return found
  }

  const judge = async (
    { site, channel }: Found,
    candidate: { sha256: string },
    current: { sha256: string } | null,
    proposal: OpenProposal | null,
  ) => {
    const [ofCandidate, ofCurrent, accepted] = await Promise.all([
      facts.read(candidate.sha256),
      current && facts.read(current.sha256).catch(orGone),
      facts.readAccepted(site.siteId),
    ])
    const given = proposal?.sha256 === candidate.sha256 ? proposal.approvals.length : 0
    const compared = { candidate: ofCandidate, current: ofCurrent, accepted, approvals: given }
    const checks = evaluateGate(channel.gate ?? defaultGate, compared)
    return { checks, passed: checks.every(({ state }) => state !== 'failed') }
  }

  const read = async (key: ChannelKey, exportId: string, { identity }: Sender): Promise<Gate> => {
    const found = await findSeenChannel(reader, key, identity)
    const { site, channel } = found
    const candidate = await artifacts.find(db, exportId)
    if (candidate?.siteId !== site.siteId)
      throw new AppError('not_found', 'Docket has stored no bundle of this export for this site. Choose another one.')
    const current = await findCurrent(db, channel)
    const shown = current ? { sha256: current.sum, exportId: current.exportId } : null
    const proposal = await findOpenProposal(db, found)
    const isShown = shown?.sha256 === candidate.sha256
    const [judged, change] = await Promise.all([
      judge(found, candidate, shown, proposal),
      shown === null || isShown ? null : countChanges(shown.sha256, candidate.sha256),
    ])
    return {
      version: channel.version,
      exportId,
      sha256: candidate.sha256,
      against: current && shown ? { releaseId: current.releaseId, number: current.number, ...shown } : null,
      isShown,
      ...judged,
      mayPromote: mayPromote(identity, site, channel) && !channel.followsExports,
      mayOverride: mayOverride(identity, site, channel),
      change,
      proposal: proposal?.sha256 === candidate.sha256 ? toProposal(proposal, identity) : null,
    }
  }

  const record = (
    tx: Tx,
    { site, channel }: Found,
    { actor }: Sender,
    { action, sha256 }: { action: AuditAction; sha256: string },
  ) =>
    recordAudit(tx, actor, {
      action,
      at: new Date(now()),
      target: toChannelTarget(site.label, channel),
      details: { site: site.label, channel: channel.name, sha256 },
    })

  /** Ends the open proposal of a channel. With `promoted`, one for other bytes than `sha256` was replaced. */
  const end: ChannelGate['endProposal'] = async (tx, channelId, { outcome, sha256, at }) => {
    const other = outcome === 'promoted' ? 'replaced' : outcome
    await tx
      .update(proposals)
      .set({ endedAt: at, outcome: sql`case when ${proposals.sha256} = ${sha256} then ${outcome} else ${other} end` })
      .where(and(eq(proposals.channelId, channelId), isNull(proposals.endedAt)))
  }

  /** Changes the open proposal under the lock of its channel. `conflict` after it has ended. */
  const changeProposal = async (
    { proposalId, ...key }: ProposalKey,
    sender: Sender,
    change: (tx: Tx, found: Found, proposal: OpenProposal) => Promise<void>,
  ): Promise<OpenProposal> => {
    const found = await findForPromotion(key, sender)
    return db.transaction(async (tx) => {
      await lockChannel(tx, key.channelId)
      const proposal = await findOpenProposal(tx, found)
      if (proposal?.proposalId !== proposalId) throw ended()
      await change(tx, found, proposal)
      return proposal
    })
  }

  const ofSender = ({ proposalId }: OpenProposal, { identity }: Sender) =>
    and(eq(approvals.proposalId, proposalId), eq(approvals.userId, readSenderId(identity) ?? ''))

  return {
    read,

    evaluate: async (channel, { sha256, siteId }, current) => {
      const site = await reader.find(siteId)
      if (site === null) throw ended()
      return judge({ site, channel }, { sha256 }, current, await findOpenProposal(db, { site, channel }))
    },

    endProposal: end,

    /** Asks others to approve. A proposal for other bytes replaces the open one; the same bytes keep it. */
    propose: async (key: ChannelKey, { exportId, note }: output<typeof ProposePromotion>, sender: Sender) => {
      const found = await findForPromotion(key, sender)
      const { sha256 } = await read(key, exportId, sender)
      await db.transaction(async (tx) => {
        await lockChannel(tx, key.channelId)
        const open = await findOpenProposal(tx, found)
        if (open?.sha256 === sha256) return
        const at = new Date(now())
        await end(tx, key.channelId, { outcome: 'replaced', sha256, at })
        const askedById = readSenderId(sender.identity) ?? ''
        const asked = { askedById, askedBy: sender.actor.name, note, askedAt: at }
        await tx.insert(proposals).values({ channelId: key.channelId, exportId, sha256, ...asked })
        await record(tx, found, sender, { action: 'proposal.made', sha256 })
      })
      return read(key, exportId, sender)
    },

    /** Takes a proposal back: who asked, or who may override the gate. */
    withdraw: async (key: ProposalKey, sender: Sender): Promise<void> => {
      await changeProposal(key, sender, async (tx, found, proposal) => {
        const isOwn = proposal.askedById === readSenderId(sender.identity)
        if (!isOwn && !mayOverride(sender.identity, found.site, found.channel))
          throw new AppError('forbidden', `${proposal.askedBy} asked for these approvals. Only they can withdraw this.`)
        await end(tx, key.channelId, { outcome: 'withdrawn', sha256: proposal.sha256, at: new Date(now()) })
        await record(tx, found, sender, { action: 'proposal.withdrawn', sha256: proposal.sha256 })
      })
    },

    /** Approves a proposal of somebody else. Idempotent. */
    approve: async (key: ProposalKey, sender: Sender): Promise<Gate> => {
      const { identity, actor } = sender
      const { exportId } = await changeProposal(key, sender, async (tx, found, proposal) => {
        if (identity?.kind !== 'person')
          throw new AppError('forbidden', 'Only people can approve. Sign in as a person.')
        if (proposal.askedById === identity.userId)
          throw new AppError('forbidden', 'You asked for these approvals, so others must give them.')
        const approval = { proposalId: proposal.proposalId, userId: identity.userId, name: actor.name }
        const written = await tx
          .insert(approvals)
          .values({ ...approval, at: new Date(now()) })
          .onConflictDoNothing()
          .returning({ userId: approvals.userId })
        if (written.length > 0)
          await record(tx, found, sender, { action: 'proposal.approved', sha256: proposal.sha256 })
      })
      return read(key, exportId, sender)
    },

    /** Takes one's own approval back. Idempotent. */
    takeBack: async (key: ProposalKey, sender: Sender): Promise<Gate> => {
      const { exportId } = await changeProposal(key, sender, async (tx, found, proposal) => {
        const gone = await tx.delete(approvals).where(ofSender(proposal, sender)).returning()
        if (gone.length > 0)
          await record(tx, found, sender, { action: 'proposal.approval_withdrawn', sha256: proposal.sha256 })
      })
      return read(key, exportId, sender)
    },
  } satisfies ChannelGate & Record<string, unknown>
}

export type GateService = ReturnType<typeof gateService>
