import type { Proposal } from '@docket/api-types/publish-checks'
import { and, asc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { type Held, selectHeld, toPersonRights } from '#ground/identity/rights.ts'
import { mayPublish } from '#ground/identity/site-rights.ts'
import type { FoundChannel } from '#releases/sites/site-access.ts'
import { type ChannelRow, countApprovals } from '#releases/sites/site-reader.ts'
import { approvals, proposals } from './proposals.table.ts'

type ProposalRow = typeof proposals.$inferSelect
type ApprovalRow = typeof approvals.$inferSelect

/** An open proposal, with the approvals that count: those of people who may still publish. */
export type OpenProposal = ProposalRow & { approvals: ApprovalRow[] }

/** Id under which a proposal is made: that of the person, even if they use a token. Null without a person. */
export const readAskerId = (identity: Identity): string | null => {
  if (identity?.kind !== 'token') return identity?.userId ?? null
  return identity.owner.userId ?? identity.tokenId
}

/** Condition for proposals to publish a bundle or, with null, to make the channel public. */
export const isProposalFor = (sha256: string | null) =>
  sha256 === null ? isNull(proposals.sha256) : eq(proposals.sha256, sha256)

/** People who still have access, with their rights now. */
const readPeople = async (tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, NonNullable<Identity>>> => {
  if (userIds.length === 0) return new Map()
  const { rows } = await tx.execute<{ userId: string; name: string; held: Held | null }>(
    sql`select p.id as "userId", p.name, ${selectHeld(sql`p.id`)} as held
      from users p where p.id = any(${sql.param(userIds)}::uuid[])`,
  )
  return new Map(
    rows.flatMap(({ userId, name, held }) =>
      held === null
        ? []
        : [[userId, { kind: 'person', userId, sessionId: '', name, email: '', ...toPersonRights(held) }] as const],
    ),
  )
}

/** Adds the approvals that count to proposals of channels. */
export const addApprovals = async <T extends FoundChannel & { proposal: ProposalRow }>(
  tx: Tx,
  open: readonly T[],
): Promise<(T & { proposal: OpenProposal })[]> => {
  if (open.length === 0) return []
  const ids = open.map(({ proposal }) => proposal.proposalId)
  const given = await tx.select().from(approvals).where(inArray(approvals.proposalId, ids)).orderBy(asc(approvals.at))
  const people = await readPeople(tx, [...new Set(given.map(({ userId }) => userId))])
  return open.map((one) => {
    const { site, channel, proposal } = one
    const counts = ({ proposalId, userId }: ApprovalRow) =>
      proposalId === proposal.proposalId &&
      userId !== proposal.askedById &&
      mayPublish(people.get(userId) ?? null, site, channel)
    return { ...one, proposal: { ...proposal, approvals: given.filter(counts) } }
  })
}

const isOpen = ({ channelId }: Pick<ChannelRow, 'channelId'>, which: SQL | undefined) =>
  and(eq(proposals.channelId, channelId), isNull(proposals.endedAt), which)

/** Finds the open proposal of a channel that meets a condition. Null without one. */
export const findOpenProposal = async (tx: Tx, found: FoundChannel, which: SQL): Promise<OpenProposal | null> => {
  const [proposal] = await tx.select().from(proposals).where(isOpen(found.channel, which))
  if (proposal === undefined) return null
  const [open] = await addApprovals(tx, [{ ...found, proposal }])
  return open!.proposal
}

/** True when as many people approved as the channel requires. Final under the lock of the channel. */
export const isApproved = async (tx: Tx, found: FoundChannel, sha256: string | null): Promise<boolean> => {
  const needed = countApprovals(found.channel)
  if (needed === 0) return true
  const open = await findOpenProposal(tx, found, isProposalFor(sha256))
  return open !== null && open.approvals.length >= needed
}

/** Ends the open proposal to publish or, with null, to make the channel public. With `published`, one for other bytes was replaced. */
export const endProposal = async (
  tx: Tx,
  channelId: string,
  { outcome, sha256, at }: { outcome: 'published' | 'replaced' | 'withdrawn'; sha256: string | null; at: Date },
): Promise<void> => {
  const other = outcome === 'published' ? 'replaced' : outcome
  const isSame = sql`${proposals.sha256} is not distinct from ${sha256}`
  await tx
    .update(proposals)
    .set({ endedAt: at, outcome: sql`case when ${isSame} then ${outcome} else ${other} end` })
    .where(isOpen({ channelId }, sha256 === null ? isNull(proposals.sha256) : isNotNull(proposals.sha256)))
}

export const toProposal = (proposal: OpenProposal, identity: Identity): Proposal => {
  const senderId = readAskerId(identity)
  const { proposalId, exportId, sha256, askedBy, askedById, askedWith, note, askedAt } = proposal
  return {
    proposalId,
    exportId,
    sha256,
    askedBy,
    askedWith,
    isOwn: askedById === senderId,
    note,
    askedAt: askedAt.toISOString(),
    approvals: proposal.approvals.map(({ name, at, userId }) => ({
      by: name,
      at: at.toISOString(),
      isOwn: userId === senderId,
    })),
  }
}
