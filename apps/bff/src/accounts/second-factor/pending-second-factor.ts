import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { users, verifications } from '#accounts/accounts.table.ts'
import type { Instance } from '#accounts/instance.ts'
import type { SessionCookie } from '#accounts/session-cookie.ts'
import { signedCookie } from '#accounts/signed-cookies.ts'
import type { Database, Tx } from '#db/database.ts'
import type { AppEnv } from '#http/app-env.ts'

/** Time to enter the code after the password. Seconds. */
const maxAge = 10 * 60

// Another signed cookie, renamed to this one, has another prefix.
const prefix = '2fa-'

/** A person who gave the right password and has to enter a code next. */
export type PendingPerson = { token: string; userId: string; name: string }

/** Sign-ins between password and code: a row that works once, and a signed cookie that names it. */
export type PendingSecondFactor = {
  /** Writes the row and returns the token for the cookie. */
  begin: (tx: Tx, userId: string, now: number) => Promise<string>
  /** Finds the person by the `Cookie` header. Null when the sign-in is over or the person is disabled. */
  find: (header: string | undefined, now: number) => Promise<PendingPerson | null>
  /** Ends the pending sign-in. Of concurrent requests, one gets true. */
  take: (tx: Tx, token: string) => Promise<boolean>
  writeCookie: (c: Context<AppEnv>, token: string) => Promise<void>
  clearCookie: (c: Context<AppEnv>) => void
}

/** The value of a row is the id of its user, by which `setPassword` ends pending sign-ins with the old password. */
export const pendingSecondFactor = (deps: {
  db: Database
  instance: Instance
  session: SessionCookie
}): PendingSecondFactor => {
  const { db, instance, session } = deps
  const cookie = signedCookie(instance, `${session.name}.two_factor`, session.attributes)
  return {
    begin: async (tx, userId, now) => {
      const token = prefix + randomBytes(24).toString('base64url')
      await tx
        .insert(verifications)
        .values({ identifier: token, value: userId, expiresAt: new Date(now + maxAge * 1_000) })
      return token
    },
    find: async (header, now) => {
      const token = await cookie.read(header)
      if (token === null || !token.startsWith(prefix)) return null
      const [user] = await db
        .select({ userId: users.id, name: users.name })
        .from(verifications)
        .innerJoin(users, and(eq(users.id, sql`${verifications.value}::uuid`), isNull(users.disabledAt)))
        .where(and(eq(verifications.identifier, token), gt(verifications.expiresAt, new Date(now))))
      return user === undefined ? null : { token, ...user }
    },
    take: async (tx, token) =>
      (await tx.delete(verifications).where(eq(verifications.identifier, token)).returning()).length > 0,
    writeCookie: (c, token) => cookie.write(c, token, maxAge),
    clearCookie: cookie.clear,
  }
}
