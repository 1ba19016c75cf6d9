import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { passkeys, sessions, signInAccounts, twoFactors, users, verifications } from './accounts.table.ts'
import { hashedTokens } from './hashed-tokens.ts'
import type { Instance } from './instance.ts'
import { hashPassword } from './password-hash.ts'
import { keyRing } from './second-factor/key-ring.ts'
import { sessionCookie } from './session-cookie.ts'
import { sessionLimits } from './sessions.ts'

/** Who comes, from where, and when (milliseconds since the epoch). */
export type Visit = { by: Actor; userAgent: string | undefined; now: number }

type Call = Visit & {
  tx: Tx
  /** A password hash that was found to fit just before, outside the transaction. */
  proven: string | null
}

const call = new AsyncLocalStorage<Call>()

/**
 * Lets better-auth work in a transaction of ours, so that what it writes and its audit row are written together or not at all.
 * Deriving a key takes a tenth of a second and has to wait its turn, and no connection should be held for so long: `proven` is the
 * hash a password was compared with before, and in here only that same hash counts as right.
 */
export const inTransaction = <T>(
  tx: Tx,
  visit: Visit,
  work: () => Promise<T>,
  { proven = null }: { proven?: string | null } = {},
): Promise<T> => call.run({ ...visit, tx, proven }, work)

/** The database, or the transaction that is under way. */
const following = (db: Database): Database =>
  new Proxy(db, {
    get: (target, name) => {
      const from = call.getStore()?.tx ?? target
      const value: unknown = Reflect.get(from, name, from)
      return typeof value === 'function' ? (value.bind(from) as unknown) : value
    },
  })

const current = (): Call => {
  const found = call.getStore()
  if (found === undefined) throw new Error('better-auth opens sessions in a transaction with their audit row only.')
  return found
}

/** What every session is, however somebody came in: ours in its limits and its token, and of somebody who may sign in. */
const newSession = async (userId: string) => {
  const { tx, by, userAgent, now } = current()
  // Whoever disables this person meanwhile waits here, and then ends this session too.
  const [able] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
    .for('share')
  if (able === undefined) return false
  const at = new Date(now)
  return {
    data: {
      token: randomBytes(32).toString('base64url'),
      expiresAt: new Date(now + sessionLimits.absoluteMs),
      ipAddress: by.address,
      userAgent: userAgent?.slice(0, 300) ?? null,
      createdAt: at,
      updatedAt: at,
    },
  }
}

/** Everything that is set, without the plugins. `publicUrl` as for the session cookie. */
const optionsOf = (instance: Instance, publicUrl: URL | null) => {
  const { name, attributes } = sessionCookie(instance, publicUrl)
  return {
    appName: 'Docket',
    baseURL: publicUrl?.origin ?? 'http://localhost',
    basePath: '/api/auth',
    secret: instance.secret,
    secrets: keyRing(instance),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: {
        hash: hashPassword,
        verify: ({ hash }) => Promise.resolve(hash === current().proven),
      },
    },
    user: {
      additionalFields: {
        role: { type: 'string', input: false, required: false, defaultValue: 'viewer' },
        disabledAt: { type: 'date', input: false, required: false },
      },
    },
    session: {
      expiresIn: sessionLimits.absoluteMs / 1000,
      // Use is written down by identify.ts, and nothing lengthens the absolute limit.
      disableSessionRefresh: true,
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    databaseHooks: { session: { create: { before: ({ userId }) => newSession(userId) } } },
    advanced: {
      cookiePrefix: name,
      cookies: { session_token: { name } },
      // The prefix it would set itself is a weaker one than `__Host-`.
      useSecureCookies: false,
      defaultCookieAttributes: attributes,
      database: { generateId: 'uuid', validateSchema: false },
      // Every route of Docket is checked by http/access/same-origin.ts.
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    // throttle.ts counts for all replicas, and survives restarts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // It would write e-mail addresses and answers of providers; what it throws is answered and logged like everything else.
    logger: { disabled: true },
  } satisfies BetterAuthOptions
}

/**
 * One better-auth on our tables, loaded when somebody first signs in: it takes time and memory that a Docket nobody signs in to need
 * not spend. Its HTTP handler is never mounted: each route of ours calls the one thing it is for, so that the router lists them all.
 */
export const authOf = ({ db, instance, publicUrl }: { db: Database; instance: Instance; publicUrl: URL | null }) => {
  const open = async (rpId: string) => {
    const [{ betterAuth }, { drizzleAdapter }, { twoFactor }, { passkeyPlugin }] = await Promise.all([
      import('better-auth/minimal'),
      import('better-auth/adapters/drizzle'),
      import('better-auth/plugins/two-factor'),
      import('./passkeys/passkey-plugin.ts'),
    ])
    const schema = {
      user: users,
      session: sessions,
      account: signInAccounts,
      verification: verifications,
      twoFactor: twoFactors,
      passkey: passkeys,
    }
    const adapter = drizzleAdapter(following(db), { provider: 'pg', schema })
    return betterAuth({
      ...optionsOf(instance, publicUrl),
      database: (options: BetterAuthOptions) => hashedTokens(adapter(options)),
      plugins: [twoFactor({ issuer: 'Docket' }), passkeyPlugin(rpId)],
    })
  }
  const opened = new Map<string, ReturnType<typeof open>>()
  return (rpId = publicUrl?.hostname ?? 'localhost') => {
    const auth = opened.get(rpId) ?? open(rpId)
    opened.set(rpId, auth)
    return auth
  }
}

/** Returns the better-auth of this process. Passkeys need the one for `rpId`, the host name they belong to. */
export type OpenAuth = ReturnType<typeof authOf>
