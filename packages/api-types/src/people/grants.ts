import { z } from 'zod'
import { grantRoles } from '#ground/roles.ts'
import { typedLine } from '#ground/text.ts'
import { Role } from './session.ts'

/** A role of a person, or of a group of the single sign-on, on one connection. The highest role that covers a record counts. */
export const Grant = z.object({
  grantId: z.uuid(),
  /** Null for a group. */
  userId: z.uuid().nullable(),
  /** Group of the identity provider; its members are those of their last sign-in. Null for a person. */
  oidcGroup: z.string().nullable(),
  role: Role,
  /** Null when the role covers every connection. */
  connectionId: z.uuid().nullable(),
  /** Null when Docket granted it. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type Grant = z.infer<typeof Grant>

/** Every role of groups, and those of people on single connections. A person's role over everything is in `User`. */
export const GrantList = z.object({ items: z.array(Grant) })
export type GrantList = z.infer<typeof GrantList>

const grantee = {
  userId: z.uuid().optional(),
  oidcGroup: typedLine(256, 'Enter a group.').optional(),
  role: z.enum(grantRoles),
}
const namesOne = ({ userId, oidcGroup }: { userId?: unknown; oidcGroup?: unknown }) =>
  (userId === undefined) !== (oidcGroup === undefined)
const notOne = { message: 'Name either a person or a group.', path: ['userId'] }

/** Give a person or a group a role on a connection. Replaces the one they have there. Users cannot grant themselves anything (`forbidden`). */
export const AddGrant = z.object({ ...grantee, connectionId: z.uuid() }).refine(namesOne, notOne)
export type AddGrant = z.infer<typeof AddGrant>

/** A role of a person or a group for a site, or for one channel of it. */
export const SiteGrant = z.object({
  grantId: z.uuid(),
  userId: z.uuid().nullable(),
  oidcGroup: z.string().nullable(),
  role: z.enum(grantRoles),
  siteId: z.uuid(),
  /** Null when the role covers every channel. */
  channelId: z.uuid().nullable(),
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type SiteGrant = z.infer<typeof SiteGrant>

export const SiteGrantList = z.object({ items: z.array(SiteGrant) })
export type SiteGrantList = z.infer<typeof SiteGrantList>

/** Replaces the role that they have there. Users cannot grant themselves anything (`forbidden`). */
export const AddSiteGrant = z
  .object({ ...grantee, siteId: z.uuid(), channelId: z.uuid().nullable().default(null) })
  .refine(namesOne, notOne)
export type AddSiteGrant = z.input<typeof AddSiteGrant>

/** Site, or one channel of it, that an API token is limited to. */
export const TokenSite = z.object({ siteId: z.uuid(), channelId: z.uuid().nullable().default(null) })
export type TokenSite = z.infer<typeof TokenSite>
