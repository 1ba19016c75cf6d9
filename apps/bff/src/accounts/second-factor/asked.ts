import { and, eq, gt, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { users, verifications } from '#accounts/accounts.table.ts'
import type { Instance } from '#accounts/instance.ts'
import type { SessionCookie } from '#accounts/session-cookie.ts'
import { readSigned } from '#accounts/signed-cookies.ts'
import type { Database } from '#db/database.ts'

/** Somebody whose password was right, and who is asked for a code next. `cookie`: the only one that better-auth is to see. */
export type Asked = { userId: string; name: string; cookie: string }

/** Finds out who is asked for a code, by the signed cookie that better-auth left after the password; null when it is over. */
export const askedPerson = async (
  deps: { db: Database; instance: Instance; cookie: SessionCookie },
  header: string | undefined,
  now: number,
): Promise<Asked | null> => {
  const { db, instance, cookie } = deps
  const name = `${cookie.name}.two_factor`
  const written = header?.split(/;\s*/).find((one) => one.startsWith(`${name}=`))
  if (header === undefined || written === undefined) return null
  const identifier = await readSigned(header, name, instance)
  if (identifier === null) return null
  const [row] = await db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, identifier), gt(verifications.expiresAt, new Date(now))))
  // Signatures do not say which cookie they are of, so another one's may name something else.
  if (!z.uuid().safeParse(row?.userId).success || row === undefined) return null
  const able = and(eq(users.id, row.userId), isNull(users.disabledAt))
  const [user] = await db.select({ name: users.name }).from(users).where(able)
  return user === undefined ? null : { userId: row.userId, name: user.name, cookie: written }
}
