import type { ApiTokenScope } from '@docket/api-types/tokens'
import type { TokenSite } from '@docket/api-types/grants'
import { isNotNull, isNull, or } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** API tokens for programs. Stores no token. A revocation ends one in every replica at once, by trigger. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    tokenId: uuid('token_id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    /** Hex SHA-256 of the whole token. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Last characters of the token, so that people can tell tokens apart. */
    hint: text('hint').notNull(),
    scope: text('scope').$type<ApiTokenScope>().notNull(),
    /** Null when the token covers all domains. */
    domains: jsonb('domains').$type<string[]>(),
    projectIds: jsonb('project_ids').$type<string[]>(),
    connectionIds: jsonb('connection_ids').$type<string[]>(),
    /** Sites and channels that the token is limited to; it then has no domains and no projects. Null when it is not limited. */
    sites: jsonb('sites').$type<TokenSite[]>(),
    /** Applies to tokens with the scope `operate` only. */
    mayPrompt: boolean('may_prompt').notNull().default(true),
    /** The owner: the person who made the token, or the admin who took it over. */
    createdBy: uuid('created_by'),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Null when it never expires. */
    expiresAt: instant('expires_at'),
    /** Last use, exact to a few minutes. */
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    /** When the account of its owner was deleted, by a trigger. `revokedAt` is set too, because replicas of 1.0.0 would give it every right. */
    pausedAt: instant('paused_at'),
  },
  (t) => [index('api_tokens_created').on(t.createdAt)],
)

/** Condition for tokens that were not revoked: they work, are paused, or have expired. */
export const isUnrevoked = or(isNull(apiTokens.revokedAt), isNotNull(apiTokens.pausedAt))
