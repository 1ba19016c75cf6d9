import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { verifications } from '#accounts/accounts.table.ts'
import type { Instance } from '#accounts/instance.ts'
import type { SessionCookie } from '#accounts/session-cookie.ts'
import { signedCookie } from '#accounts/signed-cookies.ts'
import type { Database, Tx } from '#db/database.ts'
import type { AppEnv } from '#http/app-env.ts'

/** Time to answer a challenge. Seconds. */
const maxAge = 5 * 60

/** A challenge as its row holds it. `userData.id` is the person who adds a passkey, and empty at a sign-in. */
const Challenge = z.object({
  type: z.enum(['registration', 'authentication']),
  expectedChallenge: z.string().min(1),
  userData: z.object({ id: z.string() }),
})
type Challenge = z.infer<typeof Challenge>

/** Challenges that wait for an answer: a row that works once, and a signed cookie that binds it to one browser. */
export type PasskeyChallenges = {
  /** Writes the row and returns the token for the cookie. `userId`: the person who adds a passkey; null at a sign-in. */
  begin: (challenge: string, userId: string | null, now: number) => Promise<string>
  /** Takes the challenge of the browser, once, and returns it. Null when there is none for this purpose and person. */
  take: (tx: Tx, header: string | undefined, userId: string | null, now: number) => Promise<string | null>
  writeCookie: (c: Context<AppEnv>, token: string) => Promise<void>
  clearCookie: (c: Context<AppEnv>) => void
}

const describe = (expectedChallenge: string, userId: string | null): Challenge => ({
  type: userId === null ? 'authentication' : 'registration',
  expectedChallenge,
  userData: { id: userId ?? '' },
})

const parse = (value: string) => {
  try {
    return Challenge.safeParse(JSON.parse(value)).data
  } catch {
    // Another signed cookie, renamed to this one, names a row of another kind.
    return undefined
  }
}

export const passkeyChallenges = (deps: {
  db: Database
  instance: Instance
  session: SessionCookie
}): PasskeyChallenges => {
  const { db, instance, session } = deps
  const cookie = signedCookie(instance, `${session.name}.passkey`, session.attributes)
  return {
    begin: async (challenge, userId, now) => {
      const token = `passkey-${randomBytes(24).toString('base64url')}`
      await db.insert(verifications).values({
        identifier: token,
        value: JSON.stringify(describe(challenge, userId)),
        expiresAt: new Date(now + maxAge * 1_000),
      })
      return token
    },
    take: async (tx, header, userId, now) => {
      const token = await cookie.read(header)
      if (token === null) return null
      const alive = and(eq(verifications.identifier, token), gt(verifications.expiresAt, new Date(now)))
      const [row] = await tx.delete(verifications).where(alive).returning({ value: verifications.value })
      const found = row === undefined ? undefined : parse(row.value)
      if (found === undefined) return null
      const wanted = describe(found.expectedChallenge, userId)
      return found.type === wanted.type && found.userData.id === wanted.userData.id ? found.expectedChallenge : null
    },
    writeCookie: (c, token) => cookie.write(c, token, maxAge),
    clearCookie: cookie.clear,
  }
}
