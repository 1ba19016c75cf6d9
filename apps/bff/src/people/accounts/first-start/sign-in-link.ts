import { and, asc, eq, isNull } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientConfig } from 'pg'
import { users } from '#people/accounts/accounts.table.ts'
import { makeLink, type NewLink } from '#people/accounts/one-time-links.ts'
import { hasAbleAdmin } from '#people/accounts/people/change-people.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { docketActor } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'

const linkLifetimeMs = 24 * 3_600_000

export type LinkForAdmin = NewLink & { name: string; email: string }

/** No admin can get a link. The message gives the operator the next step. */
export class NoSuchAdmin extends Error {
  override readonly name = 'NoSuchAdmin'
}

/** Makes a link that signs in an admin once: the admin with this address, otherwise the first one. Throws `NoSuchAdmin`. */
export const makeSignInLink = (db: Database, { email, now }: { email?: string; now: number }): Promise<LinkForAdmin> =>
  db.transaction(async (tx) => {
    const able = and(eq(users.role, 'admin'), isNull(users.disabledAt))
    const [admin] = await tx
      .select()
      .from(users)
      .where(email === undefined ? able : and(able, eq(users.email, email.trim().toLowerCase())))
      .orderBy(asc(users.createdAt))
      .limit(1)
    if (admin === undefined)
      throw new NoSuchAdmin(
        email === undefined
          ? 'There is no admin yet. Start Docket, and it prints a link to create the first account.'
          : `Nobody who is an admin and not disabled has the e-mail address ${email}.`,
      )
    const link = { kind: 'sign_in' as const, userId: admin.id, createdBy: docketActor.name }
    const newLink = await makeLink(tx, link, { now, lifetimeMs: linkLifetimeMs })
    const target = { type: 'user', id: admin.id, name: admin.name }
    const details = { link: 'sign_in' }
    await recordAudit(tx, docketActor, { action: 'user.password_link_created', at: new Date(now), target, details })
    return { ...newLink, name: admin.name, email: admin.email }
  })

/** Makes the token of a link for the first admin. Null when an admin can sign in without it. */
export const makeSignInLinkIfNeeded = async ({ db, now }: Ctx): Promise<string | null> => {
  if (await hasAbleAdmin(db)) return null
  const [anybody] = await db.select({ id: users.id }).from(users).limit(1)
  if (anybody === undefined) return null
  return makeSignInLink(db, { now: now() }).then(
    ({ token }) => token,
    (error: unknown) => {
      if (error instanceof NoSuchAdmin) return null
      throw error
    },
  )
}

/** Like `makeSignInLink`, with a separate connection. */
export const makeSignInLinkOn = async (
  config: ClientConfig,
  wanted: { email?: string; now: number },
): Promise<LinkForAdmin> => {
  const pool = openPool({ ...config, max: 1 }, { warn: () => {} })
  try {
    return await makeSignInLink(drizzle(pool), wanted)
  } finally {
    await pool.end()
  }
}
