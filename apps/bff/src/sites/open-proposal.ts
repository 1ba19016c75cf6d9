import type { Proposal } from '@docket/api-types/gates'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
import type { Identity } from '#identity/identity.ts'
import { type Held, selectHeld, toPersonRights } from '#identity/rights.ts'
import { mayPromote } from '#identity/site-rights.ts'
import type { ChannelRow, KnownSite } from './site-reader.ts'
import { approvals, proposals } from './sites.table.ts'

type ProposalRow = typeof proposals.$inferSelect
type ApprovalRow = typeof approvals.$inferSelect

/** A proposal that waits, with the approvals that count: of people who may still promote. */
export type OpenProposal = ProposalRow & { approvals: ApprovalRow[] }

/** Id under which somebody asks and approves. Null for nobody. */
export const readSenderId = (identity: Identity): string | null =>
  identity === null ? null : identity.kind === 'token' ? identity.tokenId : identity.userId

/** Those of some people who have access, with their rights now. */
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
export const addApprovals = async <T extends { site: KnownSite; channel: ChannelRow; proposal: ProposalRow }>(
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
      mayPromote(people.get(userId) ?? null, site, channel)
    return { ...one, proposal: { ...proposal, approvals: given.filter(counts) } }
  })
}

/** Finds the proposal of a channel that waits for approvals. Null without one. */
export const findOpenProposal = async (
  tx: Tx,
  { site, channel }: { site: KnownSite; channel: ChannelRow },
): Promise<OpenProposal | null> => {
  const isOpen = and(eq(proposals.channelId, channel.channelId), isNull(proposals.endedAt))
  const [proposal] = await tx.select().from(proposals).where(isOpen)
  if (proposal === undefined) return null
  const [found] = await addApprovals(tx, [{ site, channel, proposal }])
  return found!.proposal
}

/** Converts a proposal for somebody. */
export const toProposal = (proposal: OpenProposal, identity: Identity): Proposal => {
  const senderId = readSenderId(identity)
  const { proposalId, exportId, sha256, askedBy, askedById, note, askedAt } = proposal
  return {
    proposalId,
    exportId,
    sha256,
    askedBy,
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
