import type { UserList } from '@docket/api-types/accounts'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { oneTimeLinks, passkeys, sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { isOpenLink } from '#people/accounts/one-time-links.ts'
import { isAliveSession } from '#people/accounts/sessions.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** Lists people by name, and open invitations, newest first. */
export const listUsers = async ({ db, now: readNow }: Ctx): Promise<z.input<typeof UserList>> => {
  const now = readNow()
  const alive = db
    .select({
      userId: sessions.userId,
      found: sql<number>`count(*)::int`.as('alive'),
      seen: sql<Date>`max(${sessions.updatedAt})`.mapWith(sessions.updatedAt).as('seen'),
    })
    .from(sessions)
    .where(isAliveSession(now))
    .groupBy(sessions.userId)
    .as('alive_sessions')
  const ways = db
    .select({
      userId: signInAccounts.userId,
      password: sql<boolean>`bool_or(${signInAccounts.password} is not null)`.as('with_password'),
      oidc: sql<boolean>`bool_or(${signInAccounts.providerId} <> 'credential')`.as('with_oidc'),
    })
    .from(signInAccounts)
    .groupBy(signInAccounts.userId)
    .as('ways')
  const keys = db
    .select({ userId: passkeys.userId, found: sql<number>`count(*)::int`.as('keys') })
    .from(passkeys)
    .groupBy(passkeys.userId)
    .as('keys_of')
  const linking = db
    .select({
      userId: oneTimeLinks.userId,
      until: sql<Date>`max(${oneTimeLinks.expiresAt})`.mapWith(oneTimeLinks.expiresAt).as('links_until'),
    })
    .from(oneTimeLinks)
    .where(and(eq(oneTimeLinks.kind, 'single_sign_on'), isOpenLink(now)))
    .groupBy(oneTimeLinks.userId)
    .as('linking')
  const [people, invited] = await Promise.all([
    db
      .select({
        user: users,
        sessions: alive.found,
        seen: alive.seen,
        password: ways.password,
        oidc: ways.oidc,
        keys: keys.found,
        // The table is named as text, because tokens import accounts.
        tokens: sql<
          string[]
        >`array(select t.name from api_tokens t where t.created_by = ${users.id} and t.revoked_at is null
          and (t.expires_at is null or t.expires_at > ${new Date(now)}) order by t.name)`,
        linksUntil: linking.until,
      })
      .from(users)
      .leftJoin(linking, eq(linking.userId, users.id))
      .leftJoin(alive, eq(alive.userId, users.id))
      .leftJoin(ways, eq(ways.userId, users.id))
      .leftJoin(keys, eq(keys.userId, users.id))
      .orderBy(asc(users.name), asc(users.id)),
    db
      .select()
      .from(oneTimeLinks)
      .where(and(eq(oneTimeLinks.kind, 'invitation'), isOpenLink(now)))
      .orderBy(desc(oneTimeLinks.createdAt)),
  ])
  return {
    users: people.map(({ user, ...counts }) => ({
      userId: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      mayPrompt: user.mayPrompt,
      disabledAt: user.disabledAt?.toISOString() ?? null,
      refusedAt: user.refusedAt?.toISOString() ?? null,
      createdAt: user.createdAt.toISOString(),
      lastSeenAt: counts.seen?.toISOString() ?? null,
      sessions: counts.sessions ?? 0,
      hasPassword: counts.password ?? false,
      hasSecondFactor: user.twoFactorEnabled,
      passkeys: counts.keys ?? 0,
      hasOidc: counts.oidc ?? false,
      linksUntil: counts.linksUntil?.toISOString() ?? null,
      tokens: counts.tokens,
    })),
    invitations: invited.map((link) => ({
      invitationId: link.id,
      email: link.email ?? '',
      role: link.role ?? 'viewer',
      invitedBy: link.createdBy ?? '',
      createdAt: link.createdAt.toISOString(),
      expiresAt: link.expiresAt.toISOString(),
    })),
  }
}

/** Throws `not_found`. */
export const readUser = async (ctx: Ctx, userId: string) => {
  const found = (await listUsers(ctx)).users.find((user) => user.userId === userId)
  if (found === undefined) throw new AppError('not_found', 'This account no longer exists.')
  return found
}
