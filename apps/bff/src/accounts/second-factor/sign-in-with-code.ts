import { eq } from 'drizzle-orm'
import { sessions } from '#accounts/accounts.table.ts'
import { inTransaction, type OpenAuth } from '#accounts/better-auth.ts'
import type { Instance } from '#accounts/instance.ts'
import type { SessionCookie } from '#accounts/session-cookie.ts'
import type { SignInVisit } from '#accounts/sign-in/password-sign-in.ts'
import type { Throttle } from '#accounts/sign-in/throttle.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { networkOf } from '#http/load/client-address.ts'
import { askedPerson, type Asked } from './asked.ts'
import { lockSecondFactor, markUsed, wasUsed } from './used-codes.ts'

/** What the second step is built from. */
export type SecondFactorDeps = {
  db: Database
  instance: Instance
  cookie: SessionCookie
  openAuth: OpenAuth
  throttle: Throttle
}

/** Six digits are a code of the app; anything else is a backup code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/** As people read it off: apps show `123 456`. */
export const asWritten = (code: string): string => code.replaceAll(/\s/g, '')

const startOver = () => new AppError('not_signed_in', 'Sign in with your password again, then with a code.')
const wrongCode = () =>
  new AppError('not_signed_in', 'This code is not right, or was used before. Wait for the next one.', { field: 'code' })
const locked = () =>
  new AppError('too_many_requests', 'Too many wrong codes for this account. Try again in 15 minutes.', {
    retryAfterMs: 15 * 60_000,
  })

/** Ends the sign-in of somebody whose password was right. A wrong code counts, also when it is one of many at once. */
export const signInWithCode =
  (deps: SecondFactorDeps) =>
  async (typed: string, visit: SignInVisit): Promise<{ userId: string; cookies: string[] }> => {
    const { db, openAuth, throttle } = deps
    await throttle.take('address', networkOf(visit.by.address ?? 'unknown'))
    const asked = await askedPerson(deps, visit.cookie, visit.now)
    if (asked === null) throw startOver()
    await throttle.take('second_factor', asked.userId)
    const code = asWritten(typed)
    const [{ api }, { isAPIError }] = await Promise.all([openAuth(), import('better-auth/api')])

    const verify = (tx: Tx, { cookie }: Asked) =>
      inTransaction(tx, visit, () => {
        const call = { body: { code }, headers: new Headers({ cookie }), returnHeaders: true as const }
        return isAppCode(code) ? api.verifyTOTP(call) : api.verifyBackupCode(call)
      })
    const audit = (tx: Tx, by: Actor, outcome: 'ok' | 'refused', details: Record<string, string>) =>
      recordAudit(tx, by, {
        action: 'session.signed_in',
        outcome,
        at: new Date(visit.now),
        target: { type: 'user', id: asked.userId, name: asked.name },
        details: { with: isAppCode(code) ? 'password and code' : 'password and backup code', ...details },
      })

    // What a wrong code leaves behind is written too, so it is answered, not thrown, in here.
    const done = await db.transaction(async (tx) => {
      await lockSecondFactor(tx, asked.userId)
      const refuse = async (because: string, failure: AppError) => {
        await audit(tx, visit.by, 'refused', { because })
        return failure
      }
      if (isAppCode(code) && (await wasUsed(tx, asked.userId, code, visit.now)))
        return refuse('code used before', wrongCode())
      try {
        const { headers } = await verify(tx, asked)
        if (isAppCode(code)) await markUsed(tx, asked.userId, code, visit.now)
        if (visit.replaces !== null) await tx.delete(sessions).where(eq(sessions.id, visit.replaces))
        await audit(tx, { ...visit.by, kind: 'person', id: asked.userId, name: asked.name }, 'ok', {})
        return headers.getSetCookie()
      } catch (error) {
        if (!isAPIError(error)) throw error
        const word = error.body?.code ?? ''
        if (word.startsWith('ACCOUNT_TEMPORARILY_LOCKED')) return refuse('locked', locked())
        return /^INVALID_(CODE|BACKUP_CODE)$/.test(word)
          ? refuse('wrong code', wrongCode())
          : refuse('over', startOver())
      }
    })
    if (done instanceof AppError) throw done
    await throttle.giveBack('second_factor', asked.userId)
    return { userId: asked.userId, cookies: done }
  }
