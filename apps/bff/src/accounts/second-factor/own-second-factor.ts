import type { BackupCodes, SecondFactorSetup } from '@docket/api-types/accounts'
import { and, eq, ne } from 'drizzle-orm'
import { sessions } from '#accounts/accounts.table.ts'
import { inTransaction, type Visit } from '#accounts/better-auth.ts'
import { provePassword } from '#accounts/sign-in/own-password.ts'
import { hashToken } from '#accounts/token-hash.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { PersonIdentity } from '#identity/identity.ts'
import { asWritten, isAppCode, type SecondFactorDeps } from './sign-in-with-code.ts'
import { lockSecondFactor, markUsed } from './used-codes.ts'

/** Somebody who changes how they sign in: the `Cookie` header holds their session. */
export type OwnVisit = Visit & { person: PersonIdentity; cookie: string | undefined }

const there = () =>
  new AppError('conflict', 'An authenticator app is set up already. Remove it first to set up another one.')
const notThere = () => new AppError('conflict', 'There is no authenticator app to remove.')
const wrongCode = () =>
  new AppError(
    'invalid_request',
    'This code is not right. Check the clock of the device, and use the code it shows now.',
    {
      field: 'code',
    },
  )
const changedMeanwhile = () => new AppError('conflict', 'Your account was changed somewhere else just now. Try again.')

const headersOf = ({ cookie }: OwnVisit) => new Headers(cookie === undefined ? {} : { cookie })
const targetOf = ({ person }: OwnVisit) => ({ type: 'user', id: person.userId, name: person.name })

/** Setting up one's own authenticator app, and removing it. */
export const ownSecondFactor = (deps: SecondFactorDeps) => {
  const { db, openAuth, throttle } = deps

  /** Answers with a failure instead of throwing it, where better-auth refuses. */
  const orConflict = async <T>(work: () => Promise<T>): Promise<T> => {
    const { isAPIError } = await import('better-auth/api')
    return work().catch((error: unknown) => {
      throw isAPIError(error) ? changedMeanwhile() : error
    })
  }

  /** `cookies`: as better-auth sets them, with the session that goes on in one of them. */
  const endOthers = async (tx: Tx, { person }: OwnVisit, cookies: readonly string[]) => {
    const tokens = await Promise.all(cookies.map((one) => deps.cookie.read(one.split(';', 1)[0])))
    const kept = tokens.find((token) => token !== null && token !== '')
    if (kept === undefined || kept === null) throw changedMeanwhile()
    const others = and(eq(sessions.userId, person.userId), ne(sessions.token, hashToken(kept)))
    return (await tx.delete(sessions).where(others).returning({ id: sessions.id })).length
  }

  return {
    /** The secret for the app. Nothing is asked for at a sign-in before `confirm`. Calling it again begins anew. */
    begin: async (password: string | undefined, visit: OwnVisit): Promise<SecondFactorSetup> => {
      const proven = await provePassword(deps, visit.person.userId, password, 'password')
      if (proven === null)
        throw new AppError('conflict', 'Choose a password first: the code of the app is asked for after the password.')
      const { api } = await openAuth()
      return db.transaction(async (tx) => {
        if ((await lockSecondFactor(tx, visit.person.userId))?.verified === true) throw there()
        const call = () => api.enableTwoFactor({ body: { password: 'was compared before' }, headers: headersOf(visit) })
        const made = await orConflict(() => inTransaction(tx, visit, call, { proven }))
        if (made.method !== 'totp') throw changedMeanwhile()
        return { uri: made.totpURI, secret: new URL(made.totpURI).searchParams.get('secret') ?? '' }
      })
    },
    /** From now on a code is asked for. Ends every other session: they came in without one. */
    confirm: async (typed: string, visit: OwnVisit): Promise<BackupCodes & { cookies: string[] }> => {
      const { person, now } = visit
      await throttle.take('second_factor', person.userId)
      const code = asWritten(typed)
      const [{ api }, { isAPIError }] = await Promise.all([openAuth(), import('better-auth/api')])
      const confirmed = await db.transaction(async (tx) => {
        const row = await lockSecondFactor(tx, person.userId)
        if (row === null) throw new AppError('conflict', 'Begin to set up the authenticator app again.')
        if (row.verified) throw there()
        const verify = () => {
          if (!isAppCode(code)) throw wrongCode()
          return api.verifyTOTP({ body: { code }, headers: headersOf(visit), returnHeaders: true })
        }
        const { headers } = await inTransaction(tx, visit, verify).catch((error: unknown) => {
          throw isAPIError(error) ? wrongCode() : error
        })
        // It is a code like any other, and must not open a session now.
        await markUsed(tx, person.userId, code, now)
        const { backupCodes } = await inTransaction(tx, visit, () =>
          api.viewBackupCodes({ body: { userId: person.userId } }),
        )
        const cookies = headers.getSetCookie()
        const ended = await endOthers(tx, visit, cookies)
        const details = ended > 0 ? { endedSessions: ended } : {}
        await recordAudit(tx, visit.by, {
          action: 'user.second_factor_added',
          at: new Date(now),
          target: targetOf(visit),
          details,
        })
        return { codes: backupCodes, cookies }
      })
      await throttle.giveBack('second_factor', person.userId)
      return confirmed
    },
    /** The password alone is enough again from now on. */
    remove: async (password: string | undefined, visit: OwnVisit): Promise<string[]> => {
      const { person, now } = visit
      const proven = await provePassword(deps, person.userId, password, 'password')
      const { api } = await openAuth()
      return db.transaction(async (tx) => {
        if ((await lockSecondFactor(tx, person.userId))?.verified !== true) throw notThere()
        const call = () =>
          api.disableTwoFactor({
            body: { password: 'was compared before' },
            headers: headersOf(visit),
            returnHeaders: true,
          })
        const { headers } = await orConflict(() => inTransaction(tx, visit, call, { proven }))
        await recordAudit(tx, visit.by, {
          action: 'user.second_factor_removed',
          at: new Date(now),
          target: targetOf(visit),
        })
        return headers.getSetCookie()
      })
    },
  }
}
