import type { Invite } from '@docket/api-types/accounts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { oneTimeLinks, users } from '#people/accounts/accounts.table.ts'
import { endLinks, isOpenLink, makeLink, type NewLink } from '#people/accounts/one-time-links.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { requireAdmin } from './change-people.ts'
import type { Ctx } from '#ground/ctx.ts'

const day = 24 * 3_600_000
const invitationMs = 7 * day
const passwordLinkMs = day

/** Invites an e-mail address and ends its earlier invitations. Throws `conflict` when it has an account. */
export const invitePerson = ({ db, now }: Ctx, { email, role }: z.output<typeof Invite>, by: Actor): Promise<NewLink> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    await requireAdmin(tx, by)
    const [known] = await tx.select({ name: users.name }).from(users).where(eq(users.email, email))
    if (known !== undefined)
      throw new AppError('conflict', `${known.name} has an account with this e-mail address already.`, {
        field: 'email',
      })
    await endLinks(tx, and(eq(oneTimeLinks.kind, 'invitation'), eq(oneTimeLinks.email, email)), at)
    const link = { kind: 'invitation' as const, email, role, createdBy: by.name, createdById: by.id }
    const newLink = await makeLink(tx, link, { now: now(), lifetimeMs: invitationMs })
    const target = { type: 'invitation', id: newLink.linkId, name: email }
    await recordAudit(tx, by, { action: 'invitation.created', at, target, details: { role } })
    return newLink
  })

/** Revokes an invitation. Throws `not_found` when it is used, expired or unknown. */
export const revokeInvitation = ({ db, now }: Ctx, invitationId: string, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    const [revoked] = await tx
      .update(oneTimeLinks)
      .set({ usedAt: at })
      .where(and(eq(oneTimeLinks.id, invitationId), eq(oneTimeLinks.kind, 'invitation'), isOpenLink(at.getTime())))
      .returning({ email: oneTimeLinks.email })
    if (revoked === undefined) throw new AppError('not_found', 'This invitation is no longer open.')
    const target = { type: 'invitation', id: invitationId, name: revoked.email }
    await recordAudit(tx, by, { action: 'invitation.revoked', at, target })
  })

/** Makes a link to choose a new password and ends earlier ones. The old password works until then. */
export const makePasswordLink = ({ db, now }: Ctx, userId: string, by: Actor): Promise<NewLink> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    await requireAdmin(tx, by)
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (user === undefined) throw new AppError('not_found', 'This account no longer exists.')
    if (user.disabledAt !== null)
      throw new AppError('conflict', `${user.name} is disabled and could not use it. Enable them first.`)
    await endLinks(tx, and(eq(oneTimeLinks.kind, 'password'), eq(oneTimeLinks.userId, userId)), at)
    const link = { kind: 'password' as const, userId, createdBy: by.name, createdById: by.id }
    const newLink = await makeLink(tx, link, { now: now(), lifetimeMs: passwordLinkMs })
    const target = { type: 'user', id: userId, name: user.name }
    await recordAudit(tx, by, { action: 'user.password_link_created', at, target })
    return newLink
  })
