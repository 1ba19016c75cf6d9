import type { SetUp } from '@docket/api-types/session'
import { count, eq } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import { type Actor, docketActor } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import { type Database, type Tx, takeTurn } from '#ground/db/database.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { oneTimeLinks, users } from './accounts.table.ts'
import { findLink, lockLink, makeLink } from './one-time-links.ts'
import type { RequestOrigin } from './request-origin.ts'
import { completeSignIn } from '#people/accounts/sign-in/complete-sign-in.ts'
import { hashPassword } from './password-hash.ts'
import { setPassword } from '#people/accounts/sign-in/own-password.ts'
import { checkPassword } from '#people/accounts/sign-in/password-rules.ts'

const defaultOwner = { name: 'Owner', email: 'owner@docket.localhost' }

const linkLifetimeMs = 24 * 3_600_000

/** Locks the creation of the first account until the transaction ends. Of concurrent attempts, one succeeds. */
export const lockFirstAccount = async (tx: Tx): Promise<void> => {
  await takeTurn(tx, 'docket first account')
}

/** True while no account exists. */
export const needsSetup = async (db: Database | Tx): Promise<boolean> => {
  const [row] = await db.select({ people: count() }).from(users).limit(1)
  return row!.people === 0
}

/** Makes the token of the first account's link. Null when there is an account. Links from earlier starts keep working until they expire. */
export const makeSetupLink = ({ db, now }: Ctx): Promise<string | null> =>
  db.transaction(async (tx) =>
    (await needsSetup(tx))
      ? (await makeLink(tx, { kind: 'setup' }, { now: now(), lifetimeMs: linkLifetimeMs })).token
      : null,
  )

const alreadySetUpError = () => new AppError('conflict', 'This Docket already has its first account. Sign in with it.')

const deadLinkError = () => new AppError('forbidden', 'This link no longer works. Restart Docket to get a new one.')

/** Throws the errors of `setUp` for a link that cannot create the first account. Changes nothing. */
export const checkSetupLink = async ({ db, now }: Ctx, token: string): Promise<void> => {
  if (!(await needsSetup(db))) throw alreadySetUpError()
  if ((await findLink(db, token, now()))?.kind !== 'setup') throw deadLinkError()
}

/**
 * Creates the first admin and signs them in. Throws `conflict` when there is an account, `forbidden` for an invalid link, and
 * `invalid_request` for a missing password.
 */
export const createFirstAdmin = (
  { db, host, passwordOptional }: PeopleCtx,
  { token, name, email, password }: SetUp,
  origin: RequestOrigin,
) =>
  db.transaction(async (tx) => {
    const { now, by } = origin
    await lockFirstAccount(tx)
    if (!(await needsSetup(tx))) throw alreadySetUpError()
    if ((await lockLink(tx, token, 'setup', now)) === null) throw deadLinkError()
    if (password === undefined && !passwordOptional) throw refusedFieldError('password', 'Enter a password.')
    if (password !== undefined && email === undefined)
      throw refusedFieldError('email', 'Enter an e-mail address. You sign in with it and your password.')
    const at = new Date(now)
    const values = { name: name ?? defaultOwner.name, email: email ?? defaultOwner.email, role: 'admin' as const }
    const [user] = await tx
      .insert(users)
      .values({ ...values, createdAt: at, updatedAt: at })
      .returning()
    if (password !== undefined) {
      await checkPassword(password, { name: user!.name, email: user!.email, host }, 'password')
      await setPassword(tx, user!.id, await hashPassword(password), at)
    }
    await tx.update(oneTimeLinks).set({ usedAt: at }).where(eq(oneTimeLinks.kind, 'setup'))
    const self: Actor = { ...by, kind: 'person', id: user!.id, name: user!.name }
    const target = { type: 'user', id: user!.id, name: user!.name }
    await recordAudit(tx, self, { action: 'user.created', at, target, details: { role: 'admin', first: true } })
    return completeSignIn(tx, user!, { ...origin, replaces: null }, { with: 'setup link' })
  })

/** First admin from the environment. */
export type ConfiguredAdmin = { email: string; password: string }

/** Creates the first admin while no account exists, once over all replicas. Returns whether it did. Throws `invalid_request`. */
export const createConfiguredAdmin = async (
  { db, now, host }: PeopleCtx,
  { email, password }: ConfiguredAdmin,
): Promise<boolean> => {
  if (!(await needsSetup(db))) return false
  await checkPassword(password, { name: null, email, host }, 'password')
  const hash = await hashPassword(password)
  return db.transaction(async (tx) => {
    await lockFirstAccount(tx)
    if (!(await needsSetup(tx))) return false
    const at = new Date(now())
    const name = email.split('@')[0]!
    const [user] = await tx
      .insert(users)
      .values({ name, email, role: 'admin', createdAt: at, updatedAt: at })
      .returning()
    await setPassword(tx, user!.id, hash, at)
    const target = { type: 'user', id: user!.id, name }
    const details = { role: 'admin', first: true, from: 'SETUP_ADMIN_EMAIL' }
    await recordAudit(tx, docketActor, { action: 'user.created', at, target, details })
    return true
  })
}
