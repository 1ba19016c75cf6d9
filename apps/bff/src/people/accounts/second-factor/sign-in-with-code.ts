import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { twoFactors } from '#people/accounts/accounts.table.ts'
import type { SignInRequest } from '#people/accounts/request-origin.ts'
import type { OpenedSession } from '#people/accounts/sessions.ts'
import { auditRefusedSignIn, completeSignIn, findEnabledUser } from '#people/accounts/sign-in/complete-sign-in.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import {
  isAppCode,
  isRightAppCode,
  lockSecondFactor,
  markCodeUsed,
  normalizeCode,
  takeBackupCode,
  wasCodeUsed,
} from './codes.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { decryptText, encryptText } from '#ground/secret/encrypted-text.ts'

/** Wrong codes in a row after which an account refuses codes for a while. */
const maxFailures = 10
const lockMs = 15 * 60_000

const signInExpiredError = () => new AppError('not_signed_in', 'This sign-in expired. Start again with your password.')
const wrongCodeError = () =>
  new AppError('not_signed_in', 'This code is wrong or already used. Wait for the next one.', { field: 'code' })
const accountLockedError = () =>
  new AppError('too_many_requests', 'Too many wrong codes for this account. Try again in 15 minutes.', {
    retryAfterMs: lockMs,
  })

type Factor = typeof twoFactors.$inferSelect

const countFailure = async (tx: Tx, { id, failedVerificationCount, lockedUntil }: Factor, now: number) => {
  // After a lock has ended, the count starts again.
  const failures = lockedUntil === null ? failedVerificationCount + 1 : 1
  const until = failures >= maxFailures ? new Date(now + lockMs) : null
  await tx
    .update(twoFactors)
    .set({ failedVerificationCount: failures, lockedUntil: until })
    .where(eq(twoFactors.id, id))
}

/** Completes the sign-in after a correct password. Counts every attempt before it checks the code. */
export const signInWithCode = async (
  { db, instance, pendingCodes, throttle }: PeopleCtx,
  typed: string,
  request: SignInRequest,
): Promise<OpenedSession> => {
  const { by, now } = request
  await throttle.take('address', toNetwork(by.address ?? 'unknown'))
  const pending = await pendingCodes.find(db, request.cookie, now)
  if (pending === null) throw signInExpiredError()
  const { token, value: userId } = pending
  const person = await findEnabledUser(db, userId)
  if (person === null) throw signInExpiredError()
  const { name } = person
  await throttle.take('second_factor', userId)
  const code = normalizeCode(typed)
  const ofApp = isAppCode(code)
  const details = { with: ofApp ? 'password and code' : 'password and backup code' }

  /** Returns the changes that a right code makes to the row, or null. */
  const check = async (tx: Tx, factor: Factor): Promise<{ backupCodes?: string } | null> => {
    if (ofApp) {
      if (!isRightAppCode(decryptText(instance, factor.secret), code, now)) return null
      await markCodeUsed(tx, userId, code, now)
      return {}
    }
    const codes = z.array(z.string()).parse(JSON.parse(decryptText(instance, factor.backupCodes)))
    const left = takeBackupCode(codes, code)
    return left === null ? null : { backupCodes: encryptText(instance, JSON.stringify(left)) }
  }

  // Returns failures instead of throwing them, so that their audit row and their count are committed.
  const outcome = await db.transaction(async (tx) => {
    const refuse = async (because: string, failure: AppError) => {
      await auditRefusedSignIn(tx, request, { ...details, because }, { id: userId, name })
      return failure
    }
    const factor = await lockSecondFactor(tx, userId)
    if (factor?.verified !== true) return refuse('over', signInExpiredError())
    if (factor.lockedUntil !== null && factor.lockedUntil.getTime() > now) return refuse('locked', accountLockedError())
    if (ofApp && (await wasCodeUsed(tx, userId, code, now))) return refuse('code used before', wrongCodeError())
    const changes = await check(tx, factor)
    if (changes === null) {
      await countFailure(tx, factor, now)
      return refuse('wrong code', wrongCodeError())
    }
    if (!(await pendingCodes.take(tx, token, now))) return refuse('over', signInExpiredError())
    await tx
      .update(twoFactors)
      .set({ failedVerificationCount: 0, lockedUntil: null, ...changes })
      .where(eq(twoFactors.id, factor.id))
    return completeSignIn(tx, { id: userId, name }, request, details)
  })
  if (outcome instanceof AppError) throw outcome
  await throttle.giveBack('second_factor', userId)
  return outcome
}
