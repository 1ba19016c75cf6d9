import type { LinkPurpose, UseLink } from '@docket/api-types/accounts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { oneTimeLinks, sessions, users } from '#people/accounts/accounts.table.ts'
import { endLinks, findLink, lockLink, useLink, type OneTimeLink } from '#people/accounts/one-time-links.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import type { RequestOrigin, SignInRequest } from '#people/accounts/request-origin.ts'
import type { OpenedSession } from '#people/accounts/sessions.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { auditRefusedSignIn, completeSignIn, findEnabledUser } from './complete-sign-in.ts'
import { setPassword } from './own-password.ts'
import { checkPassword } from './password-rules.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'

/** Kinds of links that one person gives to another. */
const kinds = ['invitation', 'password', 'sign_in'] as const

const linkGoneError = () =>
  new AppError('not_found', 'This link no longer works. Ask the person who sent it for a new one.')

const isLinkKind = (kind: string): kind is (typeof kinds)[number] => kinds.some((one) => one === kind)

const refuseLink = async ({ db }: PeopleCtx, request: RequestOrigin): Promise<never> => {
  await auditRefusedSignIn(db, request, { with: 'link', because: 'does not work any more' })
  throw linkGoneError()
}

const findRedeemableLink = async (ctx: PeopleCtx, token: string, request: RequestOrigin) => {
  const { db } = ctx
  const link = await findLink(db, token, request.now)
  if (link === null || !isLinkKind(link.kind)) return refuseLink(ctx, request)
  const owner = link.userId === null ? null : await findEnabledUser(db, link.userId)
  if (link.userId !== null && owner === null) return refuseLink(ctx, request)
  return { link, kind: link.kind, owner }
}

const acceptInvitation = async (
  tx: Tx,
  link: OneTimeLink,
  { name, hash }: { name: string; hash: string },
  request: SignInRequest,
): Promise<OpenedSession> => {
  const { email, role } = link
  if (email === null || role === null) throw linkGoneError()
  const at = new Date(request.now)
  const [user] = await tx
    .insert(users)
    .values({ name, email, role, createdAt: at, updatedAt: at })
    .onConflictDoNothing()
    .returning()
  if (user === undefined)
    throw new AppError('conflict', 'An account with this e-mail address already exists. Sign in with it.')
  await setPassword(tx, user.id, hash, at)
  const target = { type: 'user', id: user.id, name }
  const self: Actor = { ...request.by, kind: 'person', id: user.id, name }
  await recordAudit(tx, self, { action: 'user.created', at, target, details: { role, invitedBy: link.createdBy } })
  return completeSignIn(tx, user, request, { with: 'invitation' })
}

/** Sets the password. Null when the person has a second factor and signs in next. */
const choosePassword = async (
  tx: Tx,
  userId: string,
  hash: string,
  request: SignInRequest,
): Promise<OpenedSession | null> => {
  const user = await findEnabledUser(tx, userId, 'update')
  if (user === null) throw linkGoneError()
  const at = new Date(request.now)
  await setPassword(tx, userId, hash, at)
  await tx.delete(sessions).where(eq(sessions.userId, userId))
  await endLinks(tx, and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.kind, 'password')), at)
  const self: Actor = { ...request.by, kind: 'person', id: userId, name: user.name }
  const target = { type: 'user', id: userId, name: user.name }
  await recordAudit(tx, self, {
    action: 'user.password_changed',
    at,
    target,
    details: { with: 'password link' },
  })
  return user.twoFactorEnabled ? null : completeSignIn(tx, user, request, { with: 'password link' })
}

const openLinkSession = async (tx: Tx, userId: string, request: SignInRequest): Promise<OpenedSession> => {
  const user = await findEnabledUser(tx, userId, 'no key update')
  if (user === null) throw linkGoneError()
  return completeSignIn(tx, user, request, { with: 'sign-in link' })
}

/** Describes a link without using it up. Throws `not_found` for one that is used, expired, revoked or unknown. */
export const readLink = async (
  ctx: PeopleCtx,
  token: string,
  request: RequestOrigin,
): Promise<z.input<typeof LinkPurpose>> => {
  const { link, kind, owner } = await findRedeemableLink(ctx, token, request)
  return {
    kind,
    email: owner?.email ?? link.email ?? '',
    name: owner?.name ?? null,
    role: owner?.role ?? link.role,
    expiresAt: link.expiresAt.toISOString(),
  }
}

/**
 * Uses up a link and opens a session. Null when the person must sign in next, with the new password and a code. Throws `not_found` like
 * `readLink`.
 */
export const redeemLink = async (
  ctx: PeopleCtx,
  { token, password, name }: UseLink,
  request: SignInRequest,
): Promise<OpenedSession | null> => {
  const { link: found, kind, owner } = await findRedeemableLink(ctx, token, request)
  if (kind === 'invitation' && name === undefined) throw refusedFieldError('name', 'Enter a name.')
  if (kind !== 'sign_in' && password === undefined) throw refusedFieldError('password', 'Enter a password.')
  const person = { name: name ?? owner?.name ?? null, email: owner?.email ?? found.email, host: ctx.host }
  if (kind !== 'sign_in') await checkPassword(password!, person, 'password')
  // Key derivation may have to queue, and must not hold a database connection meanwhile.
  const hash = kind === 'sign_in' ? '' : await hashPassword(password!)
  return ctx.db.transaction(async (tx) => {
    // Locks the user first, in the order of `invitations` and `changePeople`.
    if (owner !== null) await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.id)).for('update')
    const link = await lockLink(tx, token, kind, request.now)
    if (link === null) throw linkGoneError()
    await useLink(tx, link.id, request.now)
    return kind === 'invitation'
      ? acceptInvitation(tx, link, { name: name!, hash }, request)
      : kind === 'password'
        ? choosePassword(tx, link.userId!, hash, request)
        : openLinkSession(tx, link.userId!, request)
  })
}
