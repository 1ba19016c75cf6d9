import { defaultGate, type Gate, type Proposal, type Propose } from '@docket/api-types/gates'
import type { AuditAction } from '@docket/api-types/audit'
import { and, eq } from 'drizzle-orm'
import type { output } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { mayOverride, mayPromote } from '#ground/identity/site-rights.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { ChannelGate, Sender } from '#releases/sites/ports.ts'
import {
  asksFor,
  endProposal,
  findOpenProposal,
  type OpenProposal,
  readAskerId,
  toProposal,
} from '#releases/sites/open-proposal.ts'
import { findCurrent } from '#releases/sites/releases.list.ts'
import { lockChannel, toChannelTarget } from '#releases/sites/show-bundle.ts'
import { ensurePromotes, findSeenChannel } from '#releases/sites/site-access.ts'
import type { ChannelRow, KnownSite, SiteReader } from '#releases/sites/site-reader.ts'
import { approvals, proposals } from '#releases/sites/proposals.table.ts'
import type { GateFacts } from '#bundles/check/bundle-report.ts'
import { evaluateGate } from './evaluate-gate.ts'

type ChannelKey = { siteId: string; channelId: string }
type ProposalKey = ChannelKey & { proposalId: string }
type Found = { site: KnownSite; channel: ChannelRow }

/** What a channel shows may be gone, after a restore without bundles. */
const orGone = (error: unknown): 'gone' => {
  if (error instanceof AppError && error.code === 'conflict') return 'gone'
  throw error
}

const ended = () => new AppError('conflict', 'This request for approvals has ended. Reload the page.')

const requirePerson = (identity: Identity) => {
  if (identity?.kind === 'person') return identity
  throw new AppError('forbidden', 'Only people can approve. Sign in as a person.')
}

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
    const given = proposal?.approvals.length ?? 0
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
    const proposal = await findOpenProposal(db, found, asksFor(candidate.sha256))
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
      mayOverride: mayOverride(identity, site, channel, judged.checks),
      change,
      proposal: proposal && toProposal(proposal, identity),
    }
  }

  const record = (
    tx: Tx,
    { site, channel }: Found,
    { actor }: Sender,
    { action, sha256 }: { action: AuditAction; sha256: string | null },
  ) =>
    recordAudit(tx, actor, {
      action,
      at: new Date(now()),
      target: toChannelTarget(site.label, channel),
      details: { site: site.label, channel: channel.name, ...(sha256 === null ? { access: 'public' } : { sha256 }) },
    })

  /** Changes an open proposal under the lock of its channel. `conflict` after it has ended. */
  const changeProposal = async (
    { proposalId, ...key }: ProposalKey,
    sender: Sender,
    change: (tx: Tx, found: Found, proposal: OpenProposal) => Promise<void>,
  ): Promise<void> => {
    const found = await findForPromotion(key, sender)
    await db.transaction(async (tx) => {
      await lockChannel(tx, key.channelId)
      const proposal = await findOpenProposal(tx, found, eq(proposals.proposalId, proposalId))
      if (proposal === null) throw ended()
      await change(tx, found, proposal)
    })
  }

  return {
    read,

    evaluate: async (channel, { sha256, siteId }, current) => {
      const site = await reader.find(siteId)
      if (site === null) throw ended()
      const found = { site, channel }
      return judge(found, { sha256 }, current, await findOpenProposal(db, found, asksFor(sha256)))
    },

    endProposal,

    /**
     * Asks others to approve a promotion, or without an export that the channel may become public. A proposal for other bytes replaces the open
     * one; the same keep it.
     */
    propose: async (key: ChannelKey, { exportId, note }: output<typeof Propose>, sender: Sender): Promise<Proposal> => {
      const found = await findForPromotion(key, sender)
      const { identity, actor } = sender
      const sha256 = exportId === null ? null : (await read(key, exportId, sender)).sha256
      return db.transaction(async (tx) => {
        const { access, name } = await lockChannel(tx, key.channelId)
        if (sha256 === null && access === 'public')
          throw new AppError('conflict', `Everybody can read the channel ${name} already.`)
        const find = () => findOpenProposal(tx, found, asksFor(sha256))
        const open = await find()
        if (open !== null) return toProposal(open, identity)
        const at = new Date(now())
        await endProposal(tx, key.channelId, { outcome: 'replaced', sha256, at })
        const { name: askedBy } = identity?.kind === 'token' ? identity.owner : actor
        const askedWith = identity?.kind === 'token' ? identity.name : null
        const asked = { askedBy, askedById: readAskerId(identity) ?? '', askedWith, note, askedAt: at }
        await tx.insert(proposals).values({ channelId: key.channelId, exportId, sha256, ...asked })
        await record(tx, found, sender, { action: 'proposal.made', sha256 })
        return toProposal((await find())!, identity)
      })
    },

    /** Takes a proposal back: who asked, or who may override the gate. */
    withdraw: async (key: ProposalKey, sender: Sender): Promise<void> => {
      await changeProposal(key, sender, async (tx, found, proposal) => {
        const isOwn = proposal.askedById === readAskerId(sender.identity)
        if (!isOwn && !mayOverride(sender.identity, found.site, found.channel))
          throw new AppError('forbidden', `${proposal.askedBy} asked for these approvals. Only they can withdraw this.`)
        await endProposal(tx, key.channelId, { outcome: 'withdrawn', sha256: proposal.sha256, at: new Date(now()) })
        await record(tx, found, sender, { action: 'proposal.withdrawn', sha256: proposal.sha256 })
      })
    },

    /** Approves a proposal of somebody else. Idempotent. */
    approve: (key: ProposalKey, sender: Sender): Promise<void> =>
      changeProposal(key, sender, async (tx, found, proposal) => {
        const { userId } = requirePerson(sender.identity)
        if (proposal.askedById === userId)
          throw new AppError('forbidden', 'You asked for these approvals, so others must give them.')
        const approval = { proposalId: proposal.proposalId, userId, name: sender.actor.name }
        const written = await tx
          .insert(approvals)
          .values({ ...approval, at: new Date(now()) })
          .onConflictDoNothing()
          .returning({ userId: approvals.userId })
        if (written.length > 0)
          await record(tx, found, sender, { action: 'proposal.approved', sha256: proposal.sha256 })
      }),

    /** Takes one's own approval back. Idempotent. */
    takeBack: (key: ProposalKey, sender: Sender): Promise<void> =>
      changeProposal(key, sender, async (tx, found, { proposalId, sha256 }) => {
        const isOwn = eq(approvals.userId, requirePerson(sender.identity).userId)
        const gone = await tx
          .delete(approvals)
          .where(and(eq(approvals.proposalId, proposalId), isOwn))
          .returning()
        if (gone.length > 0) await record(tx, found, sender, { action: 'proposal.approval_withdrawn', sha256 })
      }),
  } satisfies ChannelGate & Record<string, unknown>
}

export type GateService = ReturnType<typeof gateService>
