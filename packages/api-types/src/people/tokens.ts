import { z } from 'zod'
import { typedLine } from '#ground/text.ts'
import { TokenSite } from './grants.ts'

/** `read`: rights of a viewer · `operate`: rights of an operator. Never people, tokens or the audit. */
export const ApiTokenScope = z.enum(['read', 'operate'])
export type ApiTokenScope = z.infer<typeof ApiTokenScope>

/**
 * An API token without its secret. `domains`, `projectIds` and `sites` restrict it to those listed: a token with domains
 * only sees no agent jobs and no sites, and so on. Docket answers as if other records did not exist. Such a token may not
 * import or attach exports, nor read the whole connection. A token never has more rights than its owner has now.
 */
export const ApiToken = z.object({
  tokenId: z.uuid(),
  name: z.string(),
  scope: ApiTokenScope,
  /** Last characters of the token, to tell tokens apart. */
  hint: z.string(),
  /** Domains whose exports the token may see and start, in ASCII. Null when it may see all, or none when `projectIds` is set. */
  domains: z.array(z.string()).nullable(),
  /** The only projects whose agent jobs it may see and add; null: every one, or none when `domains` is set. */
  projectIds: z.array(z.string()).nullable(),
  /** The only connections whose records it may see. Null when it may see all. */
  connectionIds: z.array(z.uuid()).nullable().default(null),
  /**
   * The only sites and channels that it may see and publish to; it then has no domains and projects but those named with them. Null when it
   * is not limited.
   */
  sites: z.array(TokenSite).nullish(),
  /** The token may send prompts to agents as long as its owner may. */
  mayPrompt: z.boolean().nullish(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  /** Last use, accurate to a few minutes. */
  lastUsedAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  /**
   * The person who made it, or the admin to whom it was handed over. Null when their account is deleted. `hasAccess`: not disabled, nor
   * refused.
   */
  owner: z.object({ userId: z.uuid(), name: z.string(), hasAccess: z.boolean() }).nullish(),
  /** `paused`: its owner is deleted or has no access, so the token does not work. */
  state: z.enum(['active', 'expired', 'revoked', 'paused']),
})
export type ApiToken = z.infer<typeof ApiToken>

export const ApiTokenList = z.object({ items: z.array(ApiToken) })
export type ApiTokenList = z.infer<typeof ApiTokenList>

export const CreateApiToken = z.object({
  name: typedLine(100, 'Enter a name.'),
  scope: ApiTokenScope,
  /** Domains are normalised like those of a start. */
  domains: z.array(z.string().trim().min(1).max(2000)).min(1).max(100).nullable().default(null),
  projectIds: z.array(typedLine(256)).min(1).max(100).nullable().default(null),
  connectionIds: z.array(z.uuid()).min(1).max(100).nullable().default(null),
  sites: z.array(TokenSite).min(1).max(100).nullable().default(null),
  /** Only used with `operate`. */
  mayPrompt: z.boolean().default(true),
  /** Days until it expires. Null when it never does. */
  expiresInDays: z.int().min(1).max(366).nullable(),
})
export type CreateApiToken = z.input<typeof CreateApiToken>

/** The token, shown in this answer only. */
export const CreatedApiToken = z.object({ token: z.string(), apiToken: ApiToken })
export type CreatedApiToken = z.infer<typeof CreatedApiToken>

/** How to treat the tokens of a deleted account: revoke them, or make the admin who deletes it their owner. */
export const DeleteUserQuery = z.object({ tokens: z.enum(['revoke', 'hand_over']).default('revoke') })
export type DeleteUserQuery = z.output<typeof DeleteUserQuery>
