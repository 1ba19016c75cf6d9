import type { AuditAction } from '@docket/api-types/audit'
import { type Proposal, type Propose, type OpenProposalList } from '@docket/api-types/publish-checks'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { output } from 'zod'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity, Sender } from '#ground/identity/identity.ts'
import { mayOverride, mayPublish, maySeeChannel } from '#ground/identity/site-rights.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { type ChannelKey, type FoundChannel, requirePerson } from '#releases/sites/site-access.ts'
import { auditChannel, lockChannel } from '#releases/sites/show-bundle.ts'
import { countApprovals, findSites } from '#releases/sites/site-reader.ts'
import { findCandidate, findForPublishing } from './may-publish.ts'
import {
  addApprovals,
  isProposalFor,
  endProposal,
  findOpenProposal,
  type OpenProposal,
  readAskerId,
  toProposal,
} from './open-proposal.ts'
import { approvals, proposals } from './proposals.table.ts'

type ProposalKey = ChannelKey & { proposalId: string }

const proposalEndedError = () => new AppError('conflict', 'This request for approvals has ended. Reload the page.')

const readApprover = (identity: Identity) => requirePerson(identity, 'Only people can approve. Sign in as a person.')

const recordProposal = (
  { now }: Ctx,
  tx: Tx,
  { site, channel }: FoundChannel,
  { actor }: Sender,
  { action, sha256 }: { action: AuditAction; sha256: string | null },
) => {
  const details = sha256 === null ? { access: 'public' } : { sha256 }
  return auditChannel(tx, actor, { action, at: new Date(now()), label: site.label, channel, details })
}

/** Changes an open proposal under the lock of its channel. Throws `conflict` after it has ended. */
const changeProposal = async (
  ctx: Ctx,
  { proposalId, ...key }: ProposalKey,
  sender: Sender,
  change: (tx: Tx, found: FoundChannel, proposal: OpenProposal) => Promise<void>,
): Promise<void> => {
  const found = await findForPublishing(ctx.db, key, sender)
  await ctx.db.transaction(async (tx) => {
    await lockChannel(tx, key.channelId)
    const proposal = await findOpenProposal(tx, found, eq(proposals.proposalId, proposalId))
    if (proposal === null) throw proposalEndedError()
    await change(tx, found, proposal)
  })
}

/** Without an export, asks to make the channel public. Replaces the open proposal, unless that is for the same bytes. */
export const requestApprovals = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  { exportId, note }: output<typeof Propose>,
  sender: Sender,
): Promise<Proposal> => {
  const found = await findForPublishing(ctx.db, key, sender)
  const { identity, actor } = sender
  const sha256 = exportId === null ? null : (await findCandidate(ctx, found.site, exportId)).sha256
  return ctx.db.transaction(async (tx) => {
    const { access, name } = await lockChannel(tx, key.channelId)
    if (sha256 === null && access === 'public')
      throw new AppError('conflict', `Everybody can read the channel ${name} already.`)
    const find = () => findOpenProposal(tx, found, isProposalFor(sha256))
    const open = await find()
    if (open !== null) return toProposal(open, identity)
    const at = new Date(ctx.now())
    await endProposal(tx, key.channelId, { outcome: 'replaced', sha256, at })
    const { name: askedBy } = identity?.kind === 'token' ? identity.owner : actor
    const askedWith = identity?.kind === 'token' ? identity.name : null
    const asked = { askedBy, askedById: readAskerId(identity) ?? '', askedWith, note, askedAt: at }
    await tx.insert(proposals).values({ channelId: key.channelId, exportId, sha256, ...asked })
    await recordProposal(ctx, tx, found, sender, { action: 'proposal.made', sha256 })
    return toProposal((await find())!, identity)
  })
}

/** Withdraws a proposal, for the person who made it and people who may override the checks. */
export const withdrawProposal = async (ctx: Ctx, key: ProposalKey, sender: Sender): Promise<void> => {
  await changeProposal(ctx, key, sender, async (tx, found, proposal) => {
    const isOwn = proposal.askedById === readAskerId(sender.identity)
    if (!isOwn && !mayOverride(sender.identity, found.site, found.channel))
      throw new AppError('forbidden', `${proposal.askedBy} asked for these approvals. Only they can withdraw this.`)
    await endProposal(tx, key.channelId, { outcome: 'withdrawn', sha256: proposal.sha256, at: new Date(ctx.now()) })
    await recordProposal(ctx, tx, found, sender, { action: 'proposal.withdrawn', sha256: proposal.sha256 })
  })
}

/** A repeated request changes nothing. */
export const approveProposal = (ctx: Ctx, key: ProposalKey, sender: Sender): Promise<void> =>
  changeProposal(ctx, key, sender, async (tx, found, proposal) => {
    const { userId } = readApprover(sender.identity)
    if (proposal.askedById === userId)
      throw new AppError('forbidden', 'You asked for these approvals, so others must give them.')
    const approval = { proposalId: proposal.proposalId, userId, name: sender.actor.name }
    const written = await tx
      .insert(approvals)
      .values({ ...approval, at: new Date(ctx.now()) })
      .onConflictDoNothing()
      .returning({ userId: approvals.userId })
    if (written.length > 0)
      await recordProposal(ctx, tx, found, sender, { action: 'proposal.approved', sha256: proposal.sha256 })
  })

/** Withdraws one's own approval. A repeated request changes nothing. */
export const withdrawApproval = (ctx: Ctx, key: ProposalKey, sender: Sender): Promise<void> =>
  changeProposal(ctx, key, sender, async (tx, found, { proposalId, sha256 }) => {
    const isOwn = eq(approvals.userId, readApprover(sender.identity).userId)
    const gone = await tx
      .delete(approvals)
      .where(and(eq(approvals.proposalId, proposalId), isOwn))
      .returning()
    if (gone.length > 0) await recordProposal(ctx, tx, found, sender, { action: 'proposal.approval_withdrawn', sha256 })
  })

/** Open proposals of channels that the current user may see, the oldest first. */
export const listOpenProposals = async ({ db }: Ctx, identity: Identity): Promise<OpenProposalList> => {
  const open = await db.select().from(proposals).where(isNull(proposals.endedAt)).orderBy(asc(proposals.askedAt))
  if (open.length === 0) return { proposals: [] }
  const channels = (await findSites(db)).flatMap((site) => site.channels.map((channel) => ({ site, channel })))
  const seen = open.flatMap((proposal) => {
    const found = channels.find(({ channel }) => channel.channelId === proposal.channelId)
    return found && maySeeChannel(identity, found.site, proposal.channelId) ? [{ ...found, proposal }] : []
  })
  const isPerson = identity?.kind === 'person'
  return {
    proposals: (await addApprovals(db, seen)).map(({ site, channel, proposal }) => {
      const shown = toProposal(proposal, identity)
      return {
        ...shown,
        siteId: site.siteId,
        siteName: site.name,
        channelId: channel.channelId,
        channelName: channel.name,
        needed: countApprovals(channel),
        mayApprove: isPerson && !shown.isOwn && mayPublish(identity, site, channel),
      }
    }),
  }
}
