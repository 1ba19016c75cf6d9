import { z } from 'zod'
import type { PendingSignIns } from '#people/accounts/pending-sign-ins.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { isIP } from 'node:net'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // A cookie of another kind, renamed to this one, names a row with other content.
    return null
  }
}

/** A challenge is for one person who adds a passkey, or for a sign-in (`userId` null). */
const toPurpose = (userId: string | null) =>
  ({ type: userId === null ? 'authentication' : 'registration', userData: { id: userId ?? '' } }) as const

export const createPasskeyChallenges = (db: Database, pending: PendingSignIns) => ({
  /** Stores a challenge and returns the token for the cookie. */
  begin: (expectedChallenge: string, userId: string | null, now: number): Promise<string> =>
    pending.begin(db, JSON.stringify({ ...toPurpose(userId), expectedChallenge }), now),
  /** Takes the challenge of the browser, which then no longer works. Null when there is none for this purpose. */
  take: async (tx: Tx, header: string | undefined, userId: string | null, now: number): Promise<string | null> => {
    const row = await pending.find(tx, header, now)
    if (row === null || !(await pending.take(tx, row.token, now))) return null
    const { type, userData } = toPurpose(userId)
    const wanted = z.object({
      type: z.literal(type),
      userData: z.object({ id: z.literal(userData.id) }),
      expectedChallenge: z.string().min(1),
    })
    return wanted.safeParse(parseJson(row.value)).data?.expectedChallenge ?? null
  },
  writeCookie: pending.writeCookie,
  clearCookie: pending.clearCookie,
})
export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

/** Host name to which browsers bind a passkey, and origin at which they use it. */
export type PasskeySite = { rpId: string; origin: string }

const hasDomainName = ({ hostname }: URL) => isIP(hostname.replace(/^\[|\]$/g, '')) === 0

/** Returns the site of a browser at `host`. Null for IP addresses, where browsers refuse passkeys. */
export const findPasskeySite = ({ publicUrl, ownName }: OwnHosts, host: string | undefined): PasskeySite | null => {
  const browserHost = host?.toLowerCase()
  if (browserHost === undefined) return null
  if (publicUrl !== null)
    return browserHost === publicUrl.host && hasDomainName(publicUrl)
      ? { rpId: publicUrl.hostname, origin: publicUrl.origin }
      : null
  const rpId = browserHost.replace(/:\d{1,5}$/, '')
  return rpId === 'localhost' || rpId === ownName ? { rpId, origin: `http://${browserHost}` } : null
}

export const explainNoPasskeys = ({ publicUrl }: OwnHosts): string => {
  if (publicUrl !== null && !hasDomainName(publicUrl))
    return 'Passkeys need a host name, and PUBLIC_URL has an IP address. Sign in another way.'
  // Docket's own name must not reach callers without a session.
  const there = publicUrl?.origin ?? 'the address that Docket printed when it started'
  return `Passkeys don’t work at this address. Open ${there} to use them.`
}
