import { AccountEmail } from '@docket/api-types/session'
import type { SignInStep, SignInWithPassword } from '@docket/api-types/accounts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { sessions, signInAccounts, users } from '#accounts/accounts.table.ts'
import { inTransaction, type OpenAuth, type Visit } from '#accounts/better-auth.ts'
import { hashPassword, isOfToday, isPassword, nobodysPassword } from '#accounts/password-hash.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { networkOf } from '#http/load/client-address.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Throttle } from './throttle.ts'

/** A sign-in that went well so far: the cookies to set, and whose it is. */
export type SignedIn = { next: SignInStep['next']; userId: string; cookies: string[] }

/** Somebody who signs in: the `Cookie` header, and the session that is replaced. */
export type SignInVisit = Visit & { cookie: string | undefined; replaces: string | null }

/** The account of an e-mail address with its password hash, when there is one. */
const findAccount = async (db: Database, email: string) => {
  const [found] = await db
    .select({ userId: users.id, name: users.name, disabledAt: users.disabledAt, hash: signInAccounts.password })
    .from(users)
    .leftJoin(
      signInAccounts,
      and(
        eq(signInAccounts.userId, users.id),
        eq(signInAccounts.providerId, 'credential'),
        isNotNull(signInAccounts.password),
      ),
    )
    .where(eq(users.email, email))
  return found ?? null
}
type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

const wrong = () => new AppError('not_signed_in', 'The e-mail address or the password is wrong.')

/**
 * Signs people in with their password. Unknown people, wrong passwords, disabled people and people without a password get the same
 * answer after the same work. `too_many_requests` before any of it, when there were too many attempts.
 */
export const passwordSignIn = (deps: {
  db: Database
  openAuth: OpenAuth
  throttle: Throttle
  devices: KnownDevices
}) => {
  const { db, openAuth, throttle, devices } = deps

  const refused = (visit: Visit, account: Account | null, email: string, because: string) => {
    // People type passwords into the wrong field.
    const typed = AccountEmail.safeParse(email).success ? email : 'not an e-mail address'
    return recordAudit(db, visit.by, {
      action: 'session.signed_in',
      outcome: 'refused',
      at: new Date(visit.now),
      target: { type: 'user', id: account?.userId ?? null, name: account?.name ?? typed },
      details: { with: 'password', because },
    })
  }

  /** Takes one attempt of what this one is counted for, and answers with how to give it back. */
  const count = async (visit: SignInVisit, account: Account | null, email: string) => {
    // Also for nobody, so that it takes the same time.
    const device = await devices.find(visit.cookie, account?.userId ?? 'nobody')
    const network = networkOf(visit.by.address ?? 'unknown')
    try {
      if (device !== null) await throttle.take('device', device)
      else {
        await throttle.take('address', network)
        await throttle.take('account', email)
      }
    } catch (error) {
      // Once a minute, so that nobody fills the audit by guessing.
      if (error instanceof AppError && (await throttle.allows('note', `sign-in ${network}`)))
        await refused(visit, account, email, 'too many attempts')
      throw error
    }
    return () => (device === null ? throttle.giveBack('account', email) : throttle.giveBack('device', device))
  }

  const open = async (visit: SignInVisit, account: Account, email: string, hash: string): Promise<SignedIn> => {
    const { api } = await openAuth()
    return db.transaction(async (tx) => {
      const call = () =>
        api.signInEmail({
          body: { email, password: 'was compared before' },
          headers: new Headers(visit.cookie === undefined ? {} : { cookie: visit.cookie }),
          returnHeaders: true,
        })
      // Before anything is read: a change of the password that is under way ends first, and then its hash is another one.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, account.userId)).for('share')
      const { headers, response } = await inTransaction(tx, visit, call, { proven: hash })
      const next = 'twoFactorRedirect' in response ? ('second_factor' as const) : ('done' as const)
      if (next === 'done') {
        if (visit.replaces !== null) await tx.delete(sessions).where(eq(sessions.id, visit.replaces))
        const { userId: id, name } = account
        await recordAudit(
          tx,
          { ...visit.by, kind: 'person', id, name },
          {
            action: 'session.signed_in',
            at: new Date(visit.now),
            target: { type: 'user', id, name },
            details: { with: 'password' },
          },
        )
      }
      return { next, userId: account.userId, cookies: headers.getSetCookie() }
    })
  }

  /** Keys that were derived at a lower cost are derived again, now that the password is known. */
  const upgraded = async (userId: string, password: string, hash: string): Promise<string> => {
    if (isOfToday(hash)) return hash
    const fresh = await hashPassword(password)
    const mine = and(eq(signInAccounts.userId, userId), eq(signInAccounts.password, hash))
    const changed = await db.update(signInAccounts).set({ password: fresh }).where(mine).returning()
    return changed.length > 0 ? fresh : hash
  }

  return async ({ email, password }: SignInWithPassword, visit: SignInVisit): Promise<SignedIn> => {
    const account = await findAccount(db, email)
    const giveBack = await count(visit, account, email)
    const fits = await isPassword(password, account?.hash ?? nobodysPassword())
    if (account === null || account.hash === null || account.disabledAt !== null || !fits) {
      const because =
        account === null
          ? 'unknown e-mail address'
          : account.disabledAt !== null
            ? 'disabled'
            : account.hash === null
              ? 'no password'
              : 'wrong password'
      await refused(visit, account, email, because)
      throw wrong()
    }
    const hash = await upgraded(account.userId, password, account.hash)
    const { isAPIError } = await import('better-auth/api')
    const signedIn = await open(visit, account, email, hash).catch(async (error: unknown) => {
      if (!isAPIError(error)) throw error
      await refused(visit, account, email, 'changed meanwhile')
      throw wrong()
    })
    await giveBack()
    return signedIn
  }
}
