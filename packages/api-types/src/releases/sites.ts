import { z } from 'zod'
import { typedLine, typedText } from '#ground/text.ts'
import { ChannelVersion, note } from './channels.ts'
import { PublishCheck, PublishCheckSettings } from './publish-checks.ts'

/**
 * Readers of a channel at its address: `private` no one, because it has no address · `signed_in` people signed in to Docket who may see
 * the site · `public` everyone.
 */
export const ChannelAccess = z.enum(['private', 'signed_in', 'public'])
export type ChannelAccess = z.infer<typeof ChannelAccess>

/** Why a channel shows an artifact: a person published it, a person rolled back to it, or a rule of the channel moved it there. */
export const ReleaseKind = z.enum(['publication', 'rollback', 'rule'])
export type ReleaseKind = z.infer<typeof ReleaseKind>

/** Records that a channel has shown an artifact since a given time. */
export const Release = z.object({
  releaseId: z.uuid(),
  /** 1 for the first of the channel. */
  number: z.int().positive(),
  kind: ReleaseKind,
  /** SHA-256 of the bundle, lower-case hexadecimal. */
  sha256: z.string(),
  exportId: z.uuid(),
  /** False when the export is no longer listed. */
  isListed: z.boolean(),
  pages: z.int().nonnegative(),
  sizeBytes: z.int().nonnegative(),
  at: z.iso.datetime(),
  /** Name of the person or token; *Docket* for a rule. */
  by: z.string(),
  note: z.string().nullable(),
  /** The checks as they were. Empty for a rollback or a rule. */
  checks: z.array(PublishCheck),
  /** Reason to publish although a check failed. */
  overrideReason: z.string().nullable(),
  /** Its bundle is kept, and the channel can roll back to it. */
  isHeld: z.boolean(),
  /** Its bundle should be stored, and is missing from the store. */
  isMissing: z.boolean().optional(),
  /** Number of the release that a rollback brought back. */
  rolledBackTo: z.int().positive().nullable(),
})
export type Release = z.infer<typeof Release>

/** Releases of a channel, the newest first. */
export const ReleaseList = z.object({ releases: z.array(Release), hasMore: z.boolean() })
export type ReleaseList = z.infer<typeof ReleaseList>

export const ReleasesQuery = z.object({
  /** Only releases with a smaller number. */
  before: z.coerce.number<number>().int().positive().optional(),
  limit: z.coerce.number<number>().int().min(1).max(100).default(20),
})
export type ReleasesQuery = z.infer<typeof ReleasesQuery>

/** Releases of every channel of a site that the caller may see, the newest first. */
export const SiteReleaseList = z.object({
  releases: z.array(Release.extend({ channelId: z.uuid() })),
  hasMore: z.boolean(),
})
export type SiteReleaseList = z.infer<typeof SiteReleaseList>

export const SiteReleasesQuery = z.object({
  /** Only releases before this one. */
  before: z.uuid().optional(),
  limit: ReleasesQuery.shape.limit,
})
export type SiteReleasesQuery = z.infer<typeof SiteReleasesQuery>

/** A header that Docket adds to every answer of a hosted channel. */
export const ChannelHeader = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'A header has letters, digits and dashes.'),
  value: z
    .string()
    .trim()
    .max(1000)
    .regex(/^[\t\u0020-\u007e]*$/, 'A header has printable ASCII characters only.'),
})
export type ChannelHeader = z.infer<typeof ChannelHeader>

/** A named pointer of a site to an artifact. */
export const Channel = z.object({
  channelId: z.uuid(),
  /** `production`, `latest`, or a name that people chose. */
  name: z.string(),
  version: ChannelVersion,
  /** It moves by itself to the newest artifact whose check finished. */
  followsExports: z.boolean(),
  /** Null before the first release. */
  current: Release.nullable(),
  /** Rules do not move it until a user unpins it. Only for a channel that a rule moves. */
  pinned: z.object({ by: z.string(), at: z.iso.datetime(), reason: z.string().nullable() }).nullable(),
  /** Only admins and people with a grant for it publish here. */
  isProtected: z.boolean(),
  access: ChannelAccess,
  /** Hostname that an admin gave it. Null for the one that follows from its name and the site's label. */
  hostname: z.string().nullable(),
  /** Address of its current release in this browser. Null when it has none; `addressProblem` contains the reason. */
  address: z.string().nullable(),
  addressProblem: z.string().nullable(),
  headers: z.array(ChannelHeader),
  /** Names of those that an earlier version saved and this one no longer accepts. */
  oldHeaders: z.array(z.string()),
  accessLog: z.boolean(),
  publishChecks: PublishCheckSettings,
  /** The caller may publish, roll back and pin. */
  mayPublish: z.boolean(),
})
export type Channel = z.infer<typeof Channel>

/** Source of a site: the exports of one domain at one connection. */
export const SiteFeed = z.object({ connectionId: z.uuid(), domain: z.string() })
export type SiteFeed = z.infer<typeof SiteFeed>

export const Site = z.object({
  siteId: z.uuid(),
  /** Its domain, unless a person named it. */
  name: z.string(),
  /** First label of its hostname, and its name in addresses. */
  label: z.string(),
  /** At least one; the first is the site's own. */
  feeds: z.array(SiteFeed).min(1),
  /** `production` and `latest` first. */
  channels: z.array(Channel),
  /** Channel that pages call live, at first `production`. The caller may not see it. */
  mainChannelId: z.uuid(),
  /** The newest stored artifact. */
  newest: z.object({ exportId: z.uuid(), sha256: z.string(), exportedAt: z.iso.datetime() }).nullable(),
  /** The caller may rename it and change its channels. */
  mayChange: z.boolean(),
  /** The caller may remove it. */
  mayRemove: z.boolean(),
})
export type Site = z.infer<typeof Site>

/** Every site that the caller may see, by name. */
export const SiteList = z.object({ sites: z.array(Site) })
export type SiteList = z.infer<typeof SiteList>

/** A stored artifact of a site, which a channel may show. */
export const SiteArtifact = z.object({
  exportId: z.uuid(),
  sha256: z.string(),
  domain: z.string(),
  exportedAt: z.iso.datetime(),
  pages: z.int().nonnegative(),
  sizeBytes: z.int().nonnegative(),
  /** Names of the channels that show it now. */
  shownBy: z.array(z.string()),
})
export type SiteArtifact = z.infer<typeof SiteArtifact>

/** The newest 50 stored artifacts of a site, the newest first. */
export const SiteArtifacts = z.object({ artifacts: z.array(SiteArtifact) })
export type SiteArtifacts = z.infer<typeof SiteArtifacts>

const label = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?!.*--)[a-z0-9-]{0,38}[a-z0-9]$/, 'A label has 2 to 40 letters, digits and single dashes.')
  .refine((text) => !/^(docket|previews)-/.test(text), 'Labels that begin with docket- or previews- are Docket’s own.')

export const ChangeSite = z.object({
  name: typedLine(100, 'Enter a name.').optional(),
  label: label.optional(),
  /** One that no rule moves. */
  mainChannelId: z.uuid().optional(),
})
export type ChangeSite = z.infer<typeof ChangeSite>

/** Lets the exports of another site feed this one. */
export const JoinSite = z.object({ siteId: z.uuid() })
export type JoinSite = z.infer<typeof JoinSite>

export const AddChannel = z.object({
  name: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9](?!.*--)[a-z0-9-]{0,18}[a-z0-9]$/, 'A channel has 2 to 20 letters, digits and single dashes.'),
})
export type AddChannel = z.infer<typeof AddChannel>

export const ChangeChannel = z.object({
  version: ChannelVersion,
  isProtected: z.boolean().optional(),
  access: ChannelAccess.optional(),
  hostname: z.string().trim().toLowerCase().max(253).nullable().optional(),
  headers: z.array(ChannelHeader).max(20).optional(),
  accessLog: z.boolean().optional(),
  publishChecks: PublishCheckSettings.optional(),
})
export type ChangeChannel = z.infer<typeof ChangeChannel>

export const PublishArtifact = z.object({
  version: ChannelVersion,
  exportId: z.uuid(),
  note,
  /** Reason to publish although a check failed. */
  override: typedText(1000, 'Say why.').nullable().default(null),
})
export type PublishArtifact = z.input<typeof PublishArtifact>

/** Rolls back to a held release, and pins a channel that a rule moves. */
export const RollBack = z.object({
  version: ChannelVersion,
  /** Null for the release before the current one. */
  releaseId: z.uuid().nullable().default(null),
  note,
})
export type RollBack = z.input<typeof RollBack>

export const PinChannel = z.object({ version: ChannelVersion, reason: note })
export type PinChannel = z.input<typeof PinChannel>

export const UnpinChannel = z.object({ version: z.coerce.number<number>().int().nonnegative() })
export type UnpinChannel = z.infer<typeof UnpinChannel>

/** Address at which a reader of a hosted channel continues. It works once. */
export const OpenHostedSite = z.object({ hostname: z.string().max(260), path: z.string().max(4000).default('/') })
export type OpenHostedSite = z.input<typeof OpenHostedSite>
export const OpenedHostedSite = z.object({ url: z.string() })
export type OpenedHostedSite = z.infer<typeof OpenedHostedSite>
