import type { ChangeUser } from '@docket/api-types/accounts'
import type { AuditAction } from '@docket/api-types/audit'
import type { DeleteUserQuery } from '@docket/api-types/tokens'
import { and, eq, exists, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { oneTimeLinks, sessions, users, passkeys, signInAccounts } from '#people/accounts/accounts.table.ts'
import { endLinks, makeLink } from '#people/accounts/one-time-links.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import { keepsAdmin } from '#ground/config/oidc.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { settleOwnedTokens } from '#people/tokens/api-tokens.service.ts'
import { AppError } from '#ground/errors/app-error.ts'

type Row = typeof users.$inferSelect

/** The admin who acts, as account and as actor of the audit. */
export type AdminActs = { self: PersonIdentity; by: Actor }

const notYourselfError = (what: string) => new AppError('conflict', `You can’t ${what} yourself. Ask another admin.`)

/** Runs `work` on a user. Rolls back when no admin could sign in afterwards. */
const changeUserAsAdmin = (
  { db, now }: Ctx,
  userId: string,
  { self }: AdminActs,
  work: (tx: Tx, user: Row, at: Date) => Promise<void>,
) =>
  db.transaction(async (tx) => {
    // The caller may have lost the role while the request waited.
    await requireAdmin(tx, { id: self.userId })
    const hadAble = await hasAbleAdmin(tx)
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (user === undefined) throw new AppError('not_found', 'This account no longer exists.')
    await work(tx, user, new Date(now()))
    if (hadAble && !(await hasAbleAdmin(tx)))
      throw new AppError(
        'conflict',
        `${user.name} is the last admin who can sign in again. Set a password of your own first.`,
      )
  })

const write =
  (tx: Tx, { by }: AdminActs, user: Row, at: Date) =>
  async (action: AuditAction, details: Record<string, string | number | boolean | null> = {}) =>
    recordAudit(tx, by, { action, at, target: { type: 'user', id: user.id, name: user.name }, details })

/** Time to sign in after an admin allowed the link. Milliseconds. */
const linkingMs = 24 * 3_600_000

/** Throws `conflict` where a single sign-on could not link the account, or would make an admin of whoever has the address at the provider. */
const allowLinking = async (tx: Tx, { oidc }: PeopleCtx, user: Row, at: Date, { by }: AdminActs) => {
  if (oidc === null) throw new AppError('conflict', 'This Docket has no single sign-on.')
  if (user.disabledAt !== null) throw new AppError('conflict', `${user.name} is disabled. Enable them first.`)
  if (keepsAdmin(user.role, oidc.settings.groups))
    throw new AppError(
      'conflict',
      `${user.name} is an admin, and no group decides who is one. Give them another role until they have signed in.`,
    )
  const link = { kind: 'single_sign_on' as const, userId: user.id, createdBy: by.name, createdById: by.id }
  await makeLink(tx, link, { now: at.getTime(), lifetimeMs: linkingMs })
}

/** Ends the sessions of a person who is demoted or disabled, and the links that a former admin made. */
export const changePerson = (
  ctx: PeopleCtx,
  userId: string,
  { name, role, disabled, mayPrompt, linkAtSignIn }: ChangeUser,
  acts: AdminActs,
) =>
  changeUserAsAdmin(ctx, userId, acts, async (tx, user, at) => {
    const record = write(tx, acts, user, at)
    const demotes = role !== undefined && role !== user.role
    const disables = disabled === true && user.disabledAt === null
    if (userId === acts.self.userId && (demotes || disables))
      throw notYourselfError(disables ? 'disable' : 'change the role of')
    const enables = disabled === false && user.disabledAt !== null
    const renames = name !== undefined && name !== user.name
    const prompts = mayPrompt !== undefined && mayPrompt !== user.mayPrompt
    if (linkAtSignIn !== undefined) {
      const open = and(eq(oneTimeLinks.kind, 'single_sign_on'), eq(oneTimeLinks.userId, userId))
      await endLinks(tx, open, at)
      if (linkAtSignIn) await allowLinking(tx, ctx, user, at, acts)
      await record(linkAtSignIn ? 'user.link_allowed' : 'user.link_withdrawn')
    }
    if (!demotes && !disables && !enables && !renames && !prompts) return
    // Sessions before the user. Every transaction locks the tag of the accounts last, and another order could deadlock.
    if (demotes || disables) await tx.delete(sessions).where(eq(sessions.userId, userId))
    await tx
      .update(users)
      .set({
        updatedAt: at,
        ...(renames && { name }),
        ...(demotes && { role }),
        ...(prompts && { mayPrompt }),
        ...((disables || enables) && { disabledAt: disables ? at : null }),
      })
      .where(eq(users.id, userId))
    if (disables) await endLinks(tx, eq(oneTimeLinks.userId, userId), at)
    if (disables || demotes) await endLinks(tx, eq(oneTimeLinks.createdById, userId), at)
    if (renames) await record('user.renamed', { from: user.name, to: name })
    if (demotes) await record('user.changed_role', { from: user.role, to: role })
    if (prompts) await record(mayPrompt ? 'user.prompts_allowed' : 'user.prompts_refused')
    if (disables) await record('user.disabled')
    if (enables) await record('user.enabled')
  })

export const removePerson = (ctx: Ctx, userId: string, { tokens, ...acts }: AdminActs & DeleteUserQuery) =>
  changeUserAsAdmin(ctx, userId, acts, async (tx, user, at) => {
    if (userId === acts.self.userId) throw notYourselfError('delete')
    await endLinks(tx, eq(oneTimeLinks.createdById, userId), at)
    // Sessions before the tokens, which renew the tag of the accounts.
    await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId)).for('update')
    await settleOwnedTokens(tx, userId, tokens, { by: acts.by, now: at.getTime() })
    await tx.delete(users).where(eq(users.id, userId))
    await write(tx, acts, user, at)('user.deleted', { email: user.email, role: user.role })
  })

export const endPersonSessions = (ctx: Ctx, userId: string, acts: AdminActs) =>
  changeUserAsAdmin(ctx, userId, acts, async (tx, user, at) => {
    const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id })
    await write(tx, acts, user, at)('session.revoked', { sessions: ended.length })
  })

/** Condition for users with a lasting way to sign in: a password, a single sign-on or a passkey. */
export const canSignIn = (db: Tx): SQL | undefined =>
  or(
    exists(
      db
        .select({ id: signInAccounts.id })
        .from(signInAccounts)
        .where(
          and(
            eq(signInAccounts.userId, users.id),
            or(isNotNull(signInAccounts.password), ne(signInAccounts.providerId, 'credential')),
          ),
        ),
    ),
    exists(db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, users.id))),
  )

const ableAdmin = and(eq(users.role, 'admin'), isNull(users.disabledAt), isNull(users.refusedAt))

/**
 * Locks all enabled admins and returns their ids. Call it before changes that could remove the last admin: if two demote each other, one
 * succeeds.
 */
export const lockAdmins = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.select({ id: users.id }).from(users).where(ableAdmin).orderBy(users.id).for('update')
  return rows.map(({ id }) => id)
}

/** Throws `forbidden` unless the actor is still an admin. Locks them, so that a concurrent change of admins waits. */
export const requireAdmin = async (tx: Tx, { id }: Pick<Actor, 'id'>): Promise<void> => {
  if (id === null || !(await lockAdmins(tx)).includes(id))
    throw new AppError('forbidden', 'You are no longer an admin.')
}

/** True while an enabled admin can sign in again. */
export const hasAbleAdmin = async (tx: Tx): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ableAdmin, canSignIn(tx)))
    .limit(1)
  return rows.length > 0
}
