import { and, eq, getTableColumns, isNull, lte, or, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '#ground/ctx.ts'
import { readListTag } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenIdentity } from '#ground/identity/identity.ts'
import { limitRights, selectHeld, toPersonRights } from '#ground/identity/rights.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import { apiTokens, isUnrevoked } from './api-tokens.table.ts'
import { isTokenText } from './token-text.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'

type Found = { identity: TokenIdentity; expiresAt: Date | null; usedAt: Date | null; tag: string }

const maxRemembered = 10_000

/** Minimum time between two updates of the last use. Milliseconds. */
const touchMs = 5 * 60_000

const isUnexpired = ({ expiresAt }: Pick<Found, 'expiresAt'>, now: number) =>
  expiresAt === null || now < expiresAt.getTime()

/**
 * Caches tokens, and trusts the cache only while the tag of the accounts is unchanged, so a revocation ends a token in every replica. Does
 * not count attempts, because 256 random bits cannot be guessed.
 */
export const createTokenFinder = ({ db, now, log }: Ctx) => {
  const currentAccounts = shareReads(() => readListTag(db, 'accounts'))
  const cache = new LRUCache<string, Found>({ max: maxRemembered })
  const writing = new Set<Promise<void>>()

  const read = async (tokenHash: string, tag: string): Promise<Found | null> => {
    const [row] = await db
      .select({ ...getTableColumns(apiTokens), held: selectHeld(sql`api_tokens.created_by`) })
      .from(apiTokens)
      .where(and(eq(apiTokens.tokenHash, tokenHash), isUnrevoked))
    if (row === undefined) return null
    const { tokenId, name, scope, domains, projectIds, sites, connectionIds, expiresAt, mayPrompt, held } = row
    // Without an owner, the token has no rights.
    if (held === null || row.pausedAt !== null)
      throw new AppError(
        'not_signed_in',
        'This API token is paused, because its owner no longer has access. Ask an admin to hand it over, or to let its owner in again.',
      )
    const role = scope === 'operate' ? 'operator' : 'viewer'
    const rights = limitRights({ role, connectionIds, mayPrompt }, toPersonRights(held))
    const owner = { userId: row.createdBy, name: row.createdByName }
    return {
      identity: { kind: 'token', tokenId, owner, name, domains, projectIds, sites, ...rights },
      expiresAt,
      usedAt: row.lastUsedAt,
      tag,
    }
  }

  /** Runs beside the request, which must neither slow down nor fail because of it. */
  const touch = (found: Found, at: number): void => {
    if (found.usedAt !== null && at - found.usedAt.getTime() < touchMs) return
    found.usedAt = new Date(at)
    const { tokenId } = found.identity
    const isOld = or(isNull(apiTokens.lastUsedAt), lte(apiTokens.lastUsedAt, new Date(at - touchMs)))
    const touched = db
      .update(apiTokens)
      .set({ lastUsedAt: new Date(at) })
      .where(and(eq(apiTokens.tokenId, tokenId), isOld))
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error, tokenId }, 'the use of an API token could not be written down'),
      )
      .finally(() => writing.delete(touched))
    writing.add(touched)
  }

  return {
    /**
     * Finds an identity. Null for an unknown, expired or revoked token. Rejects with `not_signed_in` for a paused one, and rejects while
     * the database is unavailable.
     */
    find: async (token: string): Promise<TokenIdentity | null> => {
      if (!isTokenText(token)) return null
      const hash = hashKey(token)
      const at = now()
      const tag = await currentAccounts()
      const known = cache.get(hash)
      const found = known?.tag === tag ? known : await read(hash, tag)
      if (found === null || !isUnexpired(found, at)) return null
      if (found !== known) cache.set(hash, found)
      touch(found, at)
      return found.identity
    },
    /** Waits for pending updates of the last use. Never rejects. */
    settled: async (): Promise<void> => {
      await Promise.all(writing)
    },
  }
}
