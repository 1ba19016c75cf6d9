import type { Sender } from '#ground/identity/identity.ts'
import { defaultPublishChecks, type PublishChecks } from '@docket/api-types/publish-checks'
import type { StoredArtifact } from '#bundles/site-artifacts.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { mayOverride, mayPublish } from '#ground/identity/site-rights.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { findCurrent } from '#releases/sites/releases.list.ts'
import { type ChannelKey, findSeenChannel, type FoundChannel } from '#releases/sites/site-access.ts'
import type { KnownSite } from '#releases/sites/site-reader.ts'
import { judgeBundle } from './judge-bundle.ts'
import { isProposalFor, findOpenProposal, type OpenProposal, toProposal } from './open-proposal.ts'

/** Finds a channel whose releases the current user may change. Throws `forbidden` when they may not. */
export const findForPublishing = async (db: Tx, key: ChannelKey, { identity }: Sender): Promise<FoundChannel> => {
  const found = await findSeenChannel(db, key, identity)
  const { site, channel } = found
  if (mayPublish(identity, site, channel)) return found
  throw new AppError(
    'forbidden',
    channel.isProtected
      ? `The channel ${channel.name} is protected: only admins and operators of this channel change what it shows. Ask an admin.`
      : 'Only operators of this site change what its channels show. Ask an admin for access.',
  )
}

/** The stored bundle of an export that feeds a site. Throws `not_found`. */
export const findCandidate = async (
  { db, artifacts }: ReleasesCtx,
  { siteId }: KnownSite,
  exportId: string,
): Promise<StoredArtifact> => {
  const candidate = await artifacts.find(db, exportId)
  if (candidate?.siteId === siteId) return candidate
  throw new AppError('not_found', 'Docket has saved no bundle of this export for this site. Choose another one.', {
    exportId,
  })
}

/** The bundle that a channel shows may be missing after a restore without bundles. */
const toGone = (error: unknown): 'gone' => {
  if (error instanceof AppError && error.code === 'conflict') return 'gone'
  throw error
}

const judgeCandidate = async (
  { facts }: ReleasesCtx,
  { site, channel }: FoundChannel,
  compared: { candidate: string; current: string | null; proposal: OpenProposal | null },
) => {
  const [candidate, current, accepted] = await Promise.all([
    facts.read(compared.candidate),
    compared.current && facts.read(compared.current).catch(toGone),
    facts.readAccepted(site.siteId),
  ])
  const approvals = compared.proposal?.approvals.length ?? 0
  const checks = judgeBundle(channel.publishChecks ?? defaultPublishChecks, {
    candidate,
    current: current || null,
    accepted,
    approvals,
  })
  return { checks, passed: checks.every(({ state }) => state !== 'failed') }
}

export const readPublishChecks = async (
  ctx: ReleasesCtx,
  key: ChannelKey,
  exportId: string,
  { identity }: Sender,
): Promise<PublishChecks> => {
  const { db, countChanges } = ctx
  const found = await findSeenChannel(db, key, identity)
  const { site, channel } = found
  const { sha256 } = await findCandidate(ctx, site, exportId)
  const current = await findCurrent(db, channel)
  const shown = current?.sum ?? null
  const proposal = await findOpenProposal(db, found, isProposalFor(sha256))
  const isShown = shown === sha256
  const [judged, change] = await Promise.all([
    judgeCandidate(ctx, found, { candidate: sha256, current: shown, proposal }),
    shown === null || isShown ? null : countChanges(shown, sha256),
  ])
  return {
    version: channel.version,
    exportId,
    sha256,
    against: current && {
      releaseId: current.releaseId,
      number: current.rolledBackTo ?? current.number,
      exportId: current.exportId,
      sha256: current.sum,
    },
    isShown,
    ...judged,
    mayPublish: mayPublish(identity, site, channel) && !channel.followsExports,
    mayOverride: mayOverride(identity, site, channel, judged.checks),
    change,
    proposal: proposal && toProposal(proposal, identity),
  }
}

/** Throws unless the bundle passes, or the current user may override the checks and gives a reason. */
export const passPublishChecks = async (
  ctx: ReleasesCtx,
  found: FoundChannel,
  { candidate, current, override }: { candidate: string; current: string | null; override: string | null },
  { identity }: Sender,
) => {
  const { site, channel } = found
  const proposal = await findOpenProposal(ctx.db, found, isProposalFor(candidate))
  const { checks, passed } = await judgeCandidate(ctx, found, { candidate, current, proposal })
  if (passed) return { checks, overrideReason: null }
  const isAllowed = mayOverride(identity, site, channel, checks)
  if (override !== null && isAllowed) return { checks, overrideReason: override }
  const failed = checks.filter(({ state }) => state === 'failed').map(({ sentence }) => sentence)
  const refusal = ['This bundle fails the checks before publishing.', ...failed].join(' ')
  if (override !== null)
    throw new AppError('forbidden', `${refusal} Only admins and operators of this channel may publish it anyway.`)
  throw new AppError('conflict', isAllowed ? `${refusal} You can publish it anyway and say why.` : refusal)
}
