import type { LinkPurpose, UseLink } from '@docket/api-types/accounts'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { oneTimeLinks, sessions, users } from '#accounts/accounts.table.ts'
import type { Visit } from '#accounts/better-auth.ts'
import { findLink, lockLink, useLink, type OneTimeLink } from '#accounts/one-time-links.ts'
import { hashPassword } from '#accounts/password-hash.ts'
import { openSession } from '#accounts/sessions.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { setPassword } from './own-password.ts'
import { checkPassword } from './password-rules.ts'

/** What the kinds of links do that people are sent. */
const kinds = ['invitation', 'password', 'sign_in'] as const

const noLonger = () =>
  new AppError('not_found', 'This link does not work any more. Ask whoever gave it to you for a new one.')

const isOne = (kind: string): kind is (typeof kinds)[number] => kinds.some((one) => one === kind)

type Opened = Awaited<ReturnType<typeof openSession>> & { userId: string }

/** Links that work once, and what they are for. `not_found` for one that is used, over, revoked, or never was. */
export const links = ({ db, host }: { db: Database; host: string | null }) => {
  const refuse = async ({ by, now }: Visit): Promise<never> => {
    await recordAudit(db, by, {
      action: 'session.signed_in',
      outcome: 'refused',
      at: new Date(now),
      details: { with: 'link', because: 'does not work any more' },
    })
    throw noLonger()
  }

  const find = async (token: string, visit: Visit) => {
    const link = await findLink(db, token, visit.now)
    if (link === null || !isOne(link.kind)) return refuse(visit)
    const [owner] =
      link.userId === null
        ? []
        : await db
            .select()
            .from(users)
            .where(and(eq(users.id, link.userId), isNull(users.disabledAt)))
    if (link.userId !== null && owner === undefined) return refuse(visit)
    return { link, kind: link.kind, owner: owner ?? null }
  }

  const signIn = async (tx: Tx, user: { id: string; name: string }, visit: Visit, how: string): Promise<Opened> => {
    const target = { type: 'user', id: user.id, name: user.name }
    const self: Actor = { ...visit.by, kind: 'person', id: user.id, name: user.name }
    await recordAudit(tx, self, {
      action: 'session.signed_in',
      at: new Date(visit.now),
      target,
      details: { with: how },
    })
    const { by, userAgent, now } = visit
    return { ...(await openSession(tx, user.id, { now, address: by.address, userAgent })), userId: user.id }
  }

  const accept = async (tx: Tx, link: OneTimeLink, name: string, hash: string, visit: Visit): Promise<Opened> => {
    const { email, role } = link
    if (email === null || role === null) throw noLonger()
    const at = new Date(visit.now)
    const [user] = await tx
      .insert(users)
      .values({ name, email, role, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning()
    if (user === undefined)
      throw new AppError('conflict', 'There is an account with this e-mail address already. Sign in with it.')
    await setPassword(tx, user.id, hash, at)
    const target = { type: 'user', id: user.id, name }
    const self: Actor = { ...visit.by, kind: 'person', id: user.id, name }
    await recordAudit(tx, self, { action: 'user.created', at, target, details: { role, invitedBy: link.createdBy } })
    return signIn(tx, user, visit, 'invitation')
  }

  /** Null: the password is set, and a second factor is asked for at the sign-in that comes next. */
  const choose = async (tx: Tx, userId: string, hash: string, visit: Visit): Promise<Opened | null> => {
    const able = and(eq(users.id, userId), isNull(users.disabledAt))
    const [user] = await tx.select().from(users).where(able).for('update')
    if (user === undefined) throw noLonger()
    const at = new Date(visit.now)
    await setPassword(tx, userId, hash, at)
    await tx.delete(sessions).where(eq(sessions.userId, userId))
    const others = and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.kind, 'password'), isNull(oneTimeLinks.usedAt))
    await tx.update(oneTimeLinks).set({ usedAt: at }).where(others)
    const self: Actor = { ...visit.by, kind: 'person', id: userId, name: user.name }
    const target = { type: 'user', id: userId, name: user.name }
    await recordAudit(tx, self, {
      action: 'user.password_changed',
      at,
      target,
      details: { with: 'password link' },
    })
    return user.twoFactorEnabled ? null : signIn(tx, user, visit, 'password link')
  }

  const enter = async (tx: Tx, userId: string, visit: Visit): Promise<Opened> => {
    const able = and(eq(users.id, userId), isNull(users.disabledAt))
    const [user] = await tx.select().from(users).where(able).for('share')
    if (user === undefined) throw noLonger()
    return signIn(tx, user, visit, 'sign-in link')
  }

  return {
    read: async (token: string, visit: Visit): Promise<z.input<typeof LinkPurpose>> => {
      const { link, kind, owner } = await find(token, visit)
      return {
        kind,
        email: owner?.email ?? link.email ?? '',
        name: owner?.name ?? null,
        role: owner?.role ?? link.role,
        expiresAt: link.expiresAt.toISOString(),
      }
    },
    /** Null: done, and the person signs in next. `replaces`: the session that ends with it. */
    use: async (request: UseLink, visit: Visit, replaces: string | null): Promise<Opened | null> => {
      const { token, password, name } = request
      const { link: found, kind, owner } = await find(token, visit)
      if (kind === 'invitation' && name === undefined)
        throw new AppError('invalid_request', 'A name is needed.', { field: 'name' })
      if (kind !== 'sign_in' && password === undefined)
        throw new AppError('invalid_request', 'Choose a password.', { field: 'password' })
      const person = { name: name ?? owner?.name ?? null, email: owner?.email ?? found.email, host }
      if (kind !== 'sign_in') await checkPassword(password!, person, 'password')
      // Before the transaction: nobody should wait for it with a connection in hand.
      const hash = kind === 'sign_in' ? '' : await hashPassword(password!)
      return db.transaction(async (tx) => {
        // The user first, as whoever makes or ends their links does.
        if (owner !== null) await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.id)).for('update')
        const link = await lockLink(tx, token, kind, visit.now)
        if (link === null) throw noLonger()
        await useLink(tx, link.id, visit.now)
        const opened =
          kind === 'invitation'
            ? await accept(tx, link, name!, hash, visit)
            : kind === 'password'
              ? await choose(tx, link.userId!, hash, visit)
              : await enter(tx, link.userId!, visit)
        if (replaces !== null && opened !== null)
          await tx.delete(sessions).where(and(eq(sessions.id, replaces), ne(sessions.id, opened.sessionId)))
        return opened
      })
    },
  }
}
