import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { verifications } from './accounts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import type { Instance } from './instance.ts'
import { type SessionCookie, createSignedCookie } from './signed-cookies.ts'

/**
 * State of a sign-in between two requests: a one-time row, and a signed cookie that binds it to one browser. Tokens begin with `prefix`, so
 * another signed cookie, renamed to this one, finds no row. `maxAge` in seconds.
 */
export const createPendingSignIns = (
  { instance, session }: { instance: Instance; session: SessionCookie },
  { name, prefix, maxAge }: { name: string; prefix: string; maxAge: number },
) => {
  const cookie = createSignedCookie(instance, `${session.name}.${name}`, session.attributes)
  const alive = (token: string, now: number) =>
    and(eq(verifications.identifier, token), gt(verifications.expiresAt, new Date(now)))
  return {
    /** Writes a row and returns the token for the cookie. */
    begin: async (tx: Tx, value: string, now: number): Promise<string> => {
      const token = prefix + randomBytes(24).toString('base64url')
      const expiresAt = new Date(now + maxAge * 1_000)
      await tx.insert(verifications).values({ identifier: token, value, expiresAt })
      return token
    },
    /** Finds the row of a browser by its `Cookie` header, without deleting it. */
    find: async (tx: Tx, header: string | undefined, now: number): Promise<{ token: string; value: string } | null> => {
      const token = await cookie.read(header)
      if (token === null || !token.startsWith(prefix)) return null
      const [row] = await tx.select({ value: verifications.value }).from(verifications).where(alive(token, now))
      return row === undefined ? null : { token, value: row.value }
    },
    /** Deletes a row. Of concurrent requests, only one gets true. */
    take: async (tx: Tx, token: string, now: number): Promise<boolean> =>
      (await tx.delete(verifications).where(alive(token, now)).returning({ id: verifications.id })).length > 0,
    writeCookie: (c: Parameters<typeof cookie.write>[0], token: string) => cookie.write(c, token, maxAge),
    clearCookie: cookie.clear,
  }
}
export type PendingSignIns = ReturnType<typeof createPendingSignIns>
