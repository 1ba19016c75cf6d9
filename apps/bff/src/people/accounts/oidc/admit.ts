import type { Role } from '@docket/api-types/roles'
import type { OidcRefusal } from '@docket/api-types/accounts'
import { inArray } from 'drizzle-orm'
import { type sessions, users } from '#people/accounts/accounts.table.ts'
import { auditRefusedSignIn } from '#people/accounts/sign-in/complete-sign-in.ts'
import type { OidcCtx } from '#people/people-ctx.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { groupsDecide } from '#ground/config/oidc.ts'
import type { Tx } from '#ground/db/database.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { type Coming, decideRole, hasGrant, refusePerson } from './person.ts'
import { type Claims, OidcRefused } from './provider.ts'

export const writeRefusal = ({ db, now }: OidcCtx, claims: Claims | null, reason: OidcRefusal, by: Actor) =>
  auditRefusedSignIn(
    db,
    { by, now: now() },
    { with: 'single sign-on', reason },
    claims === null ? undefined : { name: claims.email ?? claims.name },
  )

/**
 * Lets in whom the provider describes: `enter` follows the claims with the role that the groups give. Throws `OidcRefused`, and ends the
 * rights of a person without a role.
 */
export const admit = async <T>(
  ctx: OidcCtx,
  claims: Claims,
  by: Actor,
  enter: (tx: Tx, role: Role, coming: Coming) => Promise<T>,
): Promise<T> => {
  const { db, now, oidc } = ctx
  const { settings } = oidc
  const coming = { by, now: now(), settings, claims }
  const role = decideRole(claims, settings.groups) ?? ((await hasGrant(db, claims)) ? 'none' : null)
  if (role === null) {
    await db.transaction((tx) => refusePerson(tx, coming))
    throw new OidcRefused('no_access', claims.because)
  }
  if (!claims.isRead && groupsDecide(settings.groups))
    ctx.log.warn({ because: claims.because }, 'single sign-on signs somebody in without their groups')
  try {
    return await db.transaction((tx) => enter(tx, role, coming))
  } catch (error) {
    if (error instanceof OidcRefused) await writeRefusal(ctx, claims, error.word, by)
    throw error
  }
}

/** Audits sessions that ended because the provider says so, in one row per person. */
export const auditEnded = async (
  tx: Tx,
  by: Actor,
  at: Date,
  ended: readonly Pick<typeof sessions.$inferSelect, 'userId'>[],
): Promise<void> => {
  const owners = await tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...new Set(ended.map(({ userId }) => userId))]))
  for (const { id, name } of owners)
    await recordAudit(tx, by, {
      action: 'session.revoked',
      at,
      target: { type: 'user', id, name },
      details: { sessions: ended.filter(({ userId }) => userId === id).length, with: 'single sign-on' },
    })
}
