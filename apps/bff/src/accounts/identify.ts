import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { bearerOf } from '#http/access/identity.ts'
import type { Identify, Identity } from '#identity/identity.ts'
import { bounded } from '#http/polled/least-recent.ts'
import { sharedReads } from '#http/polled/shared-reads.ts'
import type { SessionCookie } from './session-cookie.ts'
import { findSession, isGood, touchSession, type FoundSession } from './sessions.ts'

// Some ten thousand sessions; each is remembered with everything else in the cookies of its browser.
const mostBytes = 8 * 1024 * 1024

/**
 * Finds out who asks. A session that was found is remembered, and believed only while the database still says that no account and no
 * session has changed (one row, read once for many requests): what ends a session ends it everywhere with its transaction.
 * `bearer` finds whose a bearer token is; without one there are none.
 */
export const identifier = (deps: {
  db: Database
  cookie: SessionCookie
  now: () => number
  bearer?: (token: string) => Promise<Identity>
}): Identify => {
  const { db, cookie, now, bearer } = deps
  const currentAccounts = sharedReads(() => currentTag(db, 'accounts'))
  const remembered = bounded<FoundSession & { tag: string; header: string }>(
    mostBytes,
    ({ header }) => 512 + header.length,
  )

  const ofCookie = async (header: string): Promise<Identity> => {
    const known = remembered.get(header)
    const at = now()
    const tag = await currentAccounts()
    if (known?.tag === tag && isGood(known, at)) {
      const touched = await touchSession(db, known, at)
      if (touched !== known) remembered.set(header, { ...touched, tag, header })
      return known.person
    }
    const token = await cookie.read(header)
    const found = token === null ? null : await findSession(db, token, at)
    if (found === null) return null
    remembered.set(header, { ...(await touchSession(db, found, at)), tag, header })
    return found.person
  }

  return async ({ cookie: header, authorization }) => {
    const token = bearerOf(authorization)
    if (token !== undefined) return bearer === undefined ? null : bearer(token)
    return header === undefined || !header.includes(`${cookie.name}=`) ? null : ofCookie(header)
  }
}
