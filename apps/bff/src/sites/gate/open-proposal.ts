import type { Proposal } from '@docket/api-types/gates'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
import type { Identity } from '#identity/identity.ts'
import { type HeldGrant, type HeldSiteGrant, selectGrants, selectSiteGrants, toRights } from '#identity/rights.ts'
import { mayPromote } from '#identity/site-rights.ts'
import type { ChannelRow, KnownSite } from '#sites/site-reader.ts'
import { approvals, proposals } from '#sites/sites.table.ts'

/** A proposal that waits, with the approvals that count: of people who may still promote. */
export type OpenProposal = typeof proposals.$inferSelect & { approvals: (typeof approvals.$inferSelect)[] }

/** Id under which somebody asks and approves. Null for nobody. */
export const readSenderId = (identity: Identity): string | null =>
  identity === null ? null : identity.kind === 'token' ? identity.tokenId : identity.userId

/** People who still have an account, with their rights now. */
const readPeople = async (tx: Tx, proposalId: string): Promise<ReadonlyMap<string, NonNullable<Identity>>> => {
  const { rows } = await tx.execute<{
    userId: string
    name: string
    mayPrompt: boolean
    grants: HeldGrant[] | null
    siteGrants: HeldSiteGrant[]
  }>(sql`select p.id as "userId", p.name, p.may_prompt as "mayPrompt", ${selectGrants(sql`p.id`)} as grants,
      ${selectSiteGrants(sql`p.id`)} as "siteGrants"
    from users p where p.disabled_at is null and p.id in (select a.user_id from approvals a where a.proposal_id = ${proposalId})`)
  return new Map(
    rows.map(({ userId, name, mayPrompt, grants, siteGrants }) => {
      const rights = { ...toRights(grants ?? [], mayPrompt), siteGrants }
      return [userId, { kind: 'person', userId, sessionId: '', name, email: '', ...rights }]
    }),
  )
}

/** Finds the proposal of a channel that waits for approvals. Null without one. */
export const findOpenProposal = async (
  tx: Tx,
  { site, channel }: { site: KnownSite; channel: ChannelRow },
): Promise<OpenProposal | null> => {
  const isOpen = and(eq(proposals.channelId, channel.channelId), isNull(proposals.endedAt))
  const [open] = await tx.select().from(proposals).where(isOpen)
  if (open === undefined) return null
  const given = await tx
    .select()
    .from(approvals)
    .where(eq(approvals.proposalId, open.proposalId))
    .orderBy(asc(approvals.at))
  const people = given.length === 0 ? new Map<string, never>() : await readPeople(tx, open.proposalId)
  const counts = ({ userId }: (typeof given)[number]) =>
    userId !== open.askedById && mayPromote(people.get(userId) ?? null, site, channel)
  return { ...open, approvals: given.filter(counts) }
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
