import { LRUCache } from 'lru-cache'
import type { Database } from '#ground/db/database.ts'
import { currentTag } from '#ground/db/revision.ts'
import { readBearer } from '#ground/http/access/identity.ts'
import type { Identify, Identity } from '#ground/identity/identity.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import type { SessionCookie } from './signed-cookies.ts'
import { findSession, type FoundSession, isWithinLimits, touchSession } from './sessions.ts'

// About ten thousand sessions. Each cache key is the whole `Cookie` header of a browser.
const maxBytes = 8 * 1024 * 1024

/**
 * Identifies senders. Trusts cached sessions only while the tag of the accounts is unchanged, so an ended session ends in every replica.
 */
export const identifier = (deps: {
  db: Database
  cookie: SessionCookie
  now: () => number
  bearer: (token: string) => Promise<Identity>
}): Identify => {
  const { db, cookie, now, bearer } = deps
  const readCurrentTag = coalesce(() => currentTag(db, 'accounts'))
  const cache = new LRUCache<string, FoundSession & { tag: string }>({
    maxSize: maxBytes,
    sizeCalculation: (_session, header) => 512 + header.length,
  })

  const identifyByCookie = async (header: string): Promise<Identity> => {
    const known = cache.get(header)
    const at = now()
    const tag = await readCurrentTag()
    if (known?.tag === tag && isWithinLimits(known, at)) {
      const touched = await touchSession(db, known, at)
      if (touched !== known) cache.set(header, { ...touched, tag })
      return known.person
    }
    const token = await cookie.read(header)
    const found = token === null ? null : await findSession(db, token, at)
    if (found === null) return null
    cache.set(header, { ...(await touchSession(db, found, at)), tag })
    return found.person
  }

  return async ({ cookie: header, authorization }) => {
    const token = readBearer(authorization)
    if (token !== undefined) return bearer(token)
    return header === undefined || !header.includes(`${cookie.name}=`) ? null : identifyByCookie(header)
  }
}
