import type { BackupCodes, SecondFactorSetup } from '@docket/api-types/accounts'
import { and, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import { sessions, twoFactors, users } from '#people/accounts/accounts.table.ts'
import type { OwnRequest } from '#people/accounts/request-origin.ts'
import { type OpenedSession, openSession } from '#people/accounts/sessions.ts'
import { provePassword, requireSamePassword } from '#people/accounts/sign-in/own-password.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import {
  describeApp,
  isRightAppCode,
  lockSecondFactor,
  makeAppSecret,
  makeBackupCodes,
  markCodeUsed,
  normalizeCode,
} from './codes.ts'
import { decryptText, encryptText } from '#ground/secret/encrypted-text.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'

const alreadySetUpError = () =>
  new AppError('conflict', 'An authenticator app is already set up. Turn it off first to set up another.')
const notSetUpError = () => new AppError('conflict', 'No authenticator app is set up.')
const wrongCodeError = () =>
  refusedFieldError('code', 'This code is wrong. Check your device’s clock, then enter its current code.')

/** Continues the session under a new token, because what protects the account has changed. */
const renewSession = async (tx: Tx, { person, by, userAgent, now }: OwnRequest): Promise<OpenedSession> => {
  const [ended] = await tx.delete(sessions).where(eq(sessions.id, person.sessionId)).returning({ id: sessions.id })
  if (ended === undefined) throw new AppError('not_signed_in', 'This session has ended. Sign in again.')
  return openSession(tx, person.userId, { now, address: by.address, userAgent })
}

const setSecondFactorEnabled = (tx: Tx, { person, now }: OwnRequest, twoFactorEnabled: boolean) =>
  tx
    .update(users)
    .set({ twoFactorEnabled, updatedAt: new Date(now) })
    .where(eq(users.id, person.userId))

const auditSecondFactor = (
  tx: Tx,
  { person, by, now }: OwnRequest,
  added: boolean,
  details: Record<string, number> = {},
) =>
  recordAudit(tx, by, {
    action: added ? 'user.second_factor_added' : 'user.second_factor_removed',
    at: new Date(now),
    target: { type: 'user', id: person.userId, name: person.name },
    details,
  })

/** Makes a secret for the app. Sign-ins need no code until `confirm`. Another call makes another secret. */
export const beginSecondFactor = async (
  ctx: PeopleCtx,
  password: string | undefined,
  { person }: OwnRequest,
): Promise<SecondFactorSetup> => {
  const { userId, email } = person
  const proven = await provePassword(ctx, userId, password, 'password')
  if (proven === null)
    throw new AppError('conflict', 'Set a password first. The app’s code is the second step after it.')
  const secret = makeAppSecret()
  const row = {
    secret: encryptText(ctx.instance, secret),
    backupCodes: encryptText(ctx.instance, JSON.stringify(makeBackupCodes())),
    verified: false,
  }
  await ctx.db.transaction(async (tx) => {
    const found = await lockSecondFactor(tx, userId)
    if (found?.verified === true) throw alreadySetUpError()
    await requireSamePassword(tx, userId, proven)
    if (found === null) await tx.insert(twoFactors).values({ userId, ...row })
    else await tx.update(twoFactors).set(row).where(eq(twoFactors.id, found.id))
  })
  return describeApp(secret, email)
}

/** Requires a code from now on. Ends every other session of the person, because they began without a code. */
export const confirmSecondFactor = async (
  { db, instance, throttle }: PeopleCtx,
  typed: string,
  request: OwnRequest,
): Promise<BackupCodes & { session: OpenedSession }> => {
  const { person, now } = request
  const { userId } = person
  await throttle.take('second_factor', userId)
  const code = normalizeCode(typed)
  const confirmed = await db.transaction(async (tx) => {
    const row = await lockSecondFactor(tx, userId)
    if (row === null) throw new AppError('conflict', 'This setup expired. Set up the authenticator app again.')
    if (row.verified) throw alreadySetUpError()
    if (!isRightAppCode(decryptText(instance, row.secret), code, now)) throw wrongCodeError()
    // Otherwise the same code would also open a session.
    await markCodeUsed(tx, userId, code, now)
    await tx.update(twoFactors).set({ verified: true }).where(eq(twoFactors.id, row.id))
    await setSecondFactorEnabled(tx, request, true)
    const codes = z.array(z.string()).parse(JSON.parse(decryptText(instance, row.backupCodes)))
    const session = await renewSession(tx, request)
    const others = and(eq(sessions.userId, userId), ne(sessions.id, session.sessionId))
    const ended = await tx.delete(sessions).where(others).returning({ id: sessions.id })
    await auditSecondFactor(tx, request, true, ended.length > 0 ? { endedSessions: ended.length } : {})
    return { codes, session }
  })
  await throttle.giveBack('second_factor', userId)
  return confirmed
}

/** Removes the second factor: from now on, the password alone signs in. */
export const removeSecondFactor = async (
  ctx: PeopleCtx,
  password: string | undefined,
  request: OwnRequest,
): Promise<OpenedSession> => {
  const { userId } = request.person
  const proven = await provePassword(ctx, userId, password, 'password')
  if (proven === null) throw notSetUpError()
  return ctx.db.transaction(async (tx) => {
    const row = await lockSecondFactor(tx, userId)
    if (row?.verified !== true) throw notSetUpError()
    await requireSamePassword(tx, userId, proven)
    await tx.delete(twoFactors).where(eq(twoFactors.id, row.id))
    await setSecondFactorEnabled(tx, request, false)
    await auditSecondFactor(tx, request, false)
    return renewSession(tx, request)
  })
}
