import type { ApiToken, CreateApiToken } from '@docket/api-types/api-tokens'
import { and, count, desc, eq, gt, isNull, or, sql, type InferSelectModel } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { apiTokens } from './api-tokens.table.ts'
import { hashToken, toHint, newToken } from './token-text.ts'
import { nameSites, uniqueSites } from './token-sites.ts'

/** The list shows every working token, and admins cannot look after more. */
const maxTokens = 500
const dayMs = 86_400_000

const iso = (date: Date | null) => date?.toISOString() ?? null

const toApiToken = (row: InferSelectModel<typeof apiTokens>, now: number): ApiToken => ({
  tokenId: row.tokenId,
  name: row.name,
  scope: row.scope,
  hint: row.hint,
  domains: row.domains,
  projectIds: row.projectIds,
  connectionIds: row.connectionIds,
  sites: row.sites,
  mayPrompt: row.scope === 'operate' && row.mayPrompt,
  createdBy: row.createdByName,
  createdAt: row.createdAt.toISOString(),
  expiresAt: iso(row.expiresAt),
  lastUsedAt: iso(row.lastUsedAt),
  revokedAt: iso(row.revokedAt),
  state:
    row.revokedAt !== null
      ? 'revoked'
      : row.expiresAt !== null && row.expiresAt.getTime() <= now
        ? 'expired'
        : 'active',
})

const unique = (names: readonly string[] | null): string[] | null => names && [...new Set(names)]

/** `normaliseDomain` parses a typed domain and throws `AppError`. `now`: milliseconds since the epoch. */
export const apiTokenService = (deps: {
  db: Database
  normaliseDomain: (text: string) => { domain: string }
  now: () => number
}) => {
  const { db, normaliseDomain, now } = deps

  const parseDomain = (text: string): string => {
    try {
      return normaliseDomain(text).domain
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new AppError('invalid_request', `${text}: ${error.message}`, { field: 'domains' })
    }
  }

  return {
    /** Working tokens first, then the others, the latest first. */
    list: async () => {
      const works = sql`${apiTokens.revokedAt} is null and coalesce(${apiTokens.expiresAt} > ${new Date(now())}, true)`
      const rows = await db
        .select()
        .from(apiTokens)
        .orderBy(desc(works), desc(apiTokens.createdAt), apiTokens.tokenId)
        .limit(maxTokens)
      return { items: rows.map((row) => toApiToken(row, now())) }
    },
    /**
     * Returns the token, once. Throws `invalid_request` for a wrong domain and an unknown site or channel, `conflict` when there are too many
     * tokens. A token of sites has no domains and projects but those named with them, so replicas of an earlier version give it nothing.
     */
    create: (request: z.output<typeof CreateApiToken>, by: Actor) => {
      const { name, scope, mayPrompt, expiresInDays } = request
      const domains = unique(request.domains?.map(parseDomain) ?? null)
      const projectIds = unique(request.projectIds)
      const connectionIds = unique(request.connectionIds?.map((id) => id.toLowerCase()) ?? null)
      const tokenSites = uniqueSites(request.sites)
      const token = newToken()
      return db.transaction(async (tx) => {
        const at = new Date(now())
        const places = tokenSites && (await nameSites(tx, tokenSites))
        const [row] = await tx
          .insert(apiTokens)
          .values({
            name,
            tokenHash: hashToken(token),
            hint: toHint(token),
            scope,
            ...(tokenSites === null
              ? { domains, projectIds }
              : { domains: domains ?? [], projectIds: projectIds ?? [] }),
            connectionIds,
            sites: tokenSites,
            mayPrompt,
            createdBy: by.kind === 'person' ? by.id : null,
            createdByName: by.name,
            createdAt: at,
            expiresAt: expiresInDays === null ? null : new Date(at.getTime() + expiresInDays * dayMs),
          })
          .returning()
        const works = and(isNull(apiTokens.revokedAt), or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, at)))
        const [those] = await tx.select({ count: count() }).from(apiTokens).where(works)
        if (those!.count > maxTokens)
          throw new AppError('conflict', `There are already ${maxTokens} active tokens. Revoke one first.`)
        await recordAudit(tx, by, {
          action: 'api_token.created',
          at,
          target: { type: 'api_token', id: row!.tokenId, name },
          details: {
            scope,
            domains: domains?.join(' ') ?? null,
            projects: projectIds?.join(' ') ?? null,
            ...(scope === 'operate' && !mayPrompt && { mayPrompt }),
            ...(connectionIds && { connections: connectionIds.join(' ') }),
            ...(places && { sites: places }),
            expiresInDays,
          },
        })
        return { token, apiToken: toApiToken(row!, at.getTime()) }
      })
    },
    /** Ends a token in every replica at once. Throws `not_found`. */
    revoke: (tokenId: string, by: Actor) =>
      db.transaction(async (tx) => {
        const at = new Date(now())
        const [row] = await tx.select().from(apiTokens).where(eq(apiTokens.tokenId, tokenId)).for('update')
        if (row === undefined) throw new AppError('not_found', 'This token does not exist.')
        if (row.revokedAt !== null) return
        await tx.update(apiTokens).set({ revokedAt: at }).where(eq(apiTokens.tokenId, tokenId))
        const target = { type: 'api_token', id: tokenId, name: row.name }
        await recordAudit(tx, by, { action: 'api_token.revoked', at, target })
      }),
  }
}

/** API tokens for programs, as admins manage them. Every change is audited. */
export type ApiTokenService = ReturnType<typeof apiTokenService>
