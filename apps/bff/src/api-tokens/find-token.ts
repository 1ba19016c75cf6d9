import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import type { TokenIdentity } from '#identity/identity.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import type { Log } from '#log/log.ts'
import { apiTokens } from './api-tokens.table.ts'
import { hashOf, isTokenText } from './token-text.ts'

type Found = { identity: TokenIdentity; expiresAt: Date | null; usedAt: Date | null; tag: string }

const maxRemembered = 10_000

/** A use is written down at most so often. Milliseconds. */
const touchMs = 5 * 60_000

const isGood = ({ expiresAt }: Pick<Found, 'expiresAt'>, now: number) => expiresAt === null || now < expiresAt.getTime()

/** Finds whose a token is. */
export type TokenFinder = {
  /** Null for one that is unknown, expired or revoked. Rejects when the database cannot be asked. */
  find: (token: string) => Promise<TokenIdentity | null>
  /** Waits until what is being written about uses is written. Never rejects. */
  settled: () => Promise<void>
}

/**
 * A token that was found is remembered, and believed only while the database still says that no token has changed: a revocation ends it
 * in every replica with its transaction. Guesses are not counted: of 256 random bits none will ever be found.
 */
export const tokenFinder = ({ db, now, log }: { db: Database; now: () => number; log: Log }): TokenFinder => {
  const currentAccounts = coalesce(() => currentTag(db, 'accounts'))
  const remembered = new LRUCache<string, Found>({ max: maxRemembered })
  const writing = new Set<Promise<void>>()

  const read = async (tokenHash: string, tag: string): Promise<Found | null> => {
    const [row] = await db
      .select()
      .from(apiTokens)
      .where(and(eq(apiTokens.tokenHash, tokenHash), isNull(apiTokens.revokedAt)))
    if (row === undefined) return null
    const { tokenId, name, scope, domains, projectIds, expiresAt, lastUsedAt } = row
    const role = scope === 'operate' ? 'operator' : 'viewer'
    return {
      identity: { kind: 'token', tokenId, name, role, domains, projectIds },
      expiresAt,
      usedAt: lastUsedAt,
      tag,
    }
  }

  /** Nobody waits for it: a request must neither be slower nor fail because its token was used. */
  const touch = (found: Found, at: number): void => {
    if (found.usedAt !== null && at - found.usedAt.getTime() < touchMs) return
    found.usedAt = new Date(at)
    const { tokenId } = found.identity
    const isOld = or(isNull(apiTokens.lastUsedAt), lte(apiTokens.lastUsedAt, new Date(at - touchMs)))
    const written = db
      .update(apiTokens)
      .set({ lastUsedAt: new Date(at) })
      .where(and(eq(apiTokens.tokenId, tokenId), isOld))
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error, tokenId }, 'the use of an API token could not be written down'),
      )
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  return {
    find: async (token) => {
      if (!isTokenText(token)) return null
      const hash = hashOf(token)
      const at = now()
      const tag = await currentAccounts()
      const known = remembered.get(hash)
      const found = known?.tag === tag ? known : await read(hash, tag)
      if (found === null || !isGood(found, at)) return null
      if (found !== known) remembered.set(hash, found)
      touch(found, at)
      return found.identity
    },
    settled: async () => {
      await Promise.all(writing)
    },
  }
}
