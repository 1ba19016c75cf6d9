import { z } from 'zod'
import { ChannelVersion, note } from './channels.ts'

/** What must hold before publishing. Every check compares with what is live in the channel. */
export const PublishCheckSettings = z.object({
  finishedCheck: z.boolean(),
  /** No finding of level *breaks* that the shown release does not have, accepted ones aside. */
  noNewBreaks: z.boolean(),
  /** The same for *leaks*. */
  noNewLeaks: z.boolean(),
  /** Share of pages that may be missing. Percent. Null when any share may be missing. */
  maxFewerPages: z.int().min(0).max(100).nullable(),
  /** Largest bundle, in bytes. Null when any size is allowed. */
  maxBytes: z.int().positive().nullable(),
  /** A site with a search keeps one. */
  sameSearch: z.boolean(),
  /** Number of people, besides the requester, who must approve. */
  approvals: z.int().min(0).max(5),
})
export type PublishCheckSettings = z.infer<typeof PublishCheckSettings>

export const defaultPublishChecks: PublishCheckSettings = {
  finishedCheck: true,
  noNewBreaks: true,
  noNewLeaks: true,
  maxFewerPages: 10,
  maxBytes: null,
  sameSearch: true,
  approvals: 0,
}

/** One check of one artifact. `off`: the channel does not ask for it. */
export const PublishCheck = z.object({
  condition: z.enum(['finished_check', 'new_breaks', 'new_leaks', 'fewer_pages', 'size', 'same_search', 'approvals']),
  state: z.enum(['passed', 'failed', 'off']),
  /** The finding as a sentence. Plain text. */
  sentence: z.string(),
})
export type PublishCheck = z.infer<typeof PublishCheck>

/**
 * A request to others to approve publishing a bundle, or to make the channel public. It ends when carried out, replaced by another of its kind, or
 * withdrawn.
 */
export const Proposal = z.object({
  proposalId: z.uuid(),
  /** Null, as is `sha256`, for a channel that should become public. */
  exportId: z.uuid().nullable(),
  sha256: z.string().nullable(),
  /** The requester, or the owner of the requesting token. */
  askedBy: z.string(),
  /** Name of the API token that asked. Null for a person. */
  askedWith: z.string().nullable(),
  /** The caller, or a token of theirs, made the request, so others must approve. */
  isOwn: z.boolean(),
  note: z.string().nullable(),
  askedAt: z.iso.datetime(),
  approvals: z.array(z.object({ by: z.string(), at: z.iso.datetime(), isOwn: z.boolean() })),
})
export type Proposal = z.infer<typeof Proposal>

/** An open proposal, with the channel that it is about. */
export const OpenProposal = Proposal.extend({
  siteId: z.uuid(),
  siteName: z.string(),
  channelId: z.uuid(),
  channelName: z.string(),
  /** Number of required approvals under the current checks. */
  needed: z.int().nonnegative(),
  /** The caller may approve it: they may publish to the channel and are not the requester. */
  mayApprove: z.boolean(),
})
export type OpenProposal = z.infer<typeof OpenProposal>

/** Open proposals of every channel that the caller may see, oldest first. */
export const OpenProposalList = z.object({ proposals: z.array(OpenProposal) })
export type OpenProposalList = z.infer<typeof OpenProposalList>

/** `exportId` null: proposes to make the channel public. */
export const Propose = z.object({ exportId: z.uuid().nullable(), note })
export type Propose = z.input<typeof Propose>

export const PublishChecksQuery = z.object({ export: z.uuid() })
export type PublishChecksQuery = z.infer<typeof PublishChecksQuery>

export const PublishChecks = z.object({
  /** Version of the channel that it was compared with. */
  version: ChannelVersion,
  exportId: z.uuid(),
  sha256: z.string(),
  /** Release that it was compared with. Null for the first. */
  against: z.object({ releaseId: z.uuid(), number: z.int(), exportId: z.uuid(), sha256: z.string() }).nullable(),
  /** The channel shows these bytes already. */
  isShown: z.boolean(),
  checks: z.array(PublishCheck),
  passed: z.boolean(),
  mayPublish: z.boolean(),
  /** The caller may publish although a check failed, with a reason. */
  mayOverride: z.boolean(),
  /** Pages that change for readers. Null for the first release, and while unknown. */
  change: z.object({ added: z.int(), removed: z.int(), changed: z.int(), moved: z.int() }).nullable(),
  /** The open one for these bytes. */
  proposal: Proposal.nullable(),
})
export type PublishChecks = z.infer<typeof PublishChecks>
