import { AccountEmail } from '@docket/api-types/session'
import type { SignInWithPassword } from '@docket/api-types/accounts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { hashPassword, hasCurrentCost, isPassword, makeDummyHash } from '#people/accounts/password-hash.ts'
import type { SignInRequest } from '#people/accounts/request-origin.ts'
import type { OpenedSession } from '#people/accounts/sessions.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import { auditRefusedSignIn, completeSignIn, findEnabledUser } from './complete-sign-in.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { loadPasswordHash } from './own-password.ts'

/** Result of a right password: a session, or the token of a sign-in that waits for a code. */
export type SignedIn = { next: 'done'; session: OpenedSession } | { next: 'second_factor'; token: string }

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

const wrongPasswordError = () => new AppError('not_signed_in', 'Wrong e-mail address or password.')

const auditRefusal = (
  { db }: PeopleCtx,
  request: SignInRequest,
  account: Account | null,
  email: string,
  because: string,
) => {
  // People type passwords into the wrong field.
  const typed = AccountEmail.safeParse(email).success ? email : 'not an e-mail address'
  const who = { id: account?.userId ?? null, name: account?.name ?? typed }
  return auditRefusedSignIn(db, request, { with: 'password', because }, who)
}

/** Counts this attempt. Returns a function that undoes the count. */
const countAttempt = async (ctx: PeopleCtx, request: SignInRequest, account: Account | null, email: string) => {
  const { throttle, devices } = ctx
  // The response for unknown people takes the same time.
  const device = await devices.find(request.cookie, account?.userId ?? 'nobody')
  const network = toNetwork(request.by.address ?? 'unknown')
  try {
    if (device !== null) await throttle.take('device', device)
    else {
      await throttle.take('address', network)
      await throttle.take('account', email)
    }
  } catch (error) {
    // At most one row a minute, so that guesses cannot fill the audit.
    if (error instanceof AppError && (await throttle.allows('note', `sign-in ${network}`)))
      await auditRefusal(ctx, request, account, email, 'too many attempts')
    throw error
  }
  return () => (device === null ? throttle.giveBack('account', email) : throttle.giveBack('device', device))
}

/** Null when the account or its password changed in the meantime. */
const openSessionOrAskCode = (
  { db, pendingCodes }: PeopleCtx,
  request: SignInRequest,
  { userId }: Account,
  hash: string,
): Promise<SignedIn | null> =>
  db.transaction(async (tx) => {
    const user = await findEnabledUser(tx, userId, 'no key update')
    if (user === null || (await loadPasswordHash(tx, userId)) !== hash) return null
    if (user.twoFactorEnabled)
      return { next: 'second_factor', token: await pendingCodes.begin(tx, userId, request.now) }
    return { next: 'done', session: await completeSignIn(tx, user, request, { with: 'password' }) }
  })

/** Hashes the password again if its hash has a lower cost than today's. */
const upgradeHash = async ({ db }: PeopleCtx, userId: string, password: string, hash: string): Promise<string> => {
  if (hasCurrentCost(hash)) return hash
  const fresh = await hashPassword(password)
  const mine = and(eq(signInAccounts.userId, userId), eq(signInAccounts.password, hash))
  const changed = await db.update(signInAccounts).set({ password: fresh }).where(mine).returning()
  return changed.length > 0 ? fresh : hash
}

/** Signs in with a password. Every refusal has the same response after the same work. Throws `too_many_requests` before any work. */
export const signInWithPassword = async (
  ctx: PeopleCtx,
  { email, password }: SignInWithPassword,
  request: SignInRequest,
): Promise<SignedIn> => {
  const account = await findAccount(ctx.db, email)
  const giveBack = await countAttempt(ctx, request, account, email)
  const fits = await isPassword(password, account?.hash ?? makeDummyHash())
  if (account === null || account.hash === null || account.disabledAt !== null || !fits) {
    const because =
      account === null
        ? 'unknown e-mail address'
        : account.disabledAt !== null
          ? 'disabled'
          : account.hash === null
            ? 'no password'
            : 'wrong password'
    await auditRefusal(ctx, request, account, email, because)
    throw wrongPasswordError()
  }
  const hash = await upgradeHash(ctx, account.userId, password, account.hash)
  const signedIn = await openSessionOrAskCode(ctx, request, account, hash)
  if (signedIn === null) {
    await auditRefusal(ctx, request, account, email, 'changed meanwhile')
    throw wrongPasswordError()
  }
  await giveBack()
  return signedIn
}
