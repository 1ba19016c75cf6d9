import type { Session, SetUp } from '@docket/api-types/session'
import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import { recordAudit, type Actor } from '#audit/audit.ts'
import type { Database, Tx } from '#db/database.ts'
import type { Identify, Identity, PersonIdentity } from '#http/identity.ts'
import { passkeys, sessions, signInAccounts, users } from './accounts.table.ts'
import { identifier } from './identify.ts'
import type { Instance } from './instance.ts'
import { hashPassword } from './password-hash.ts'
import { sessionCookie, type SessionCookie } from './session-cookie.ts'
import type { openSession } from './sessions.ts'
import { makeSetupLink, needsSetup, setUp, type Visitor } from './setup.ts'

/** People, and how they come in. */
export type AccountService = {
  identify: Identify
  cookie: SessionCookie
  /** Who reads, and how one can sign in. */
  session: (identity: Identity) => Promise<Session>
  /** The token of a link that creates the first account; null when there is one. */
  setupLink: () => Promise<string | null>
  setUp: (request: SetUp, visitor: Visitor) => ReturnType<typeof openSession>
  signOut: (person: PersonIdentity, by: Actor) => Promise<void>
}

/** `localOnly`: Docket is reached on this computer only. `bearer` finds whose a bearer token is. */
export const accountService = (deps: {
  db: Database
  instance: Instance
  publicUrl: URL | null
  now: () => number
  bearer?: (token: string) => Promise<Identity>
}): AccountService => {
  const { db, instance, publicUrl, now, bearer } = deps
  const cookie = sessionCookie(instance, publicUrl)
  const passwordOptional = publicUrl === null

  const keepPassword = async (tx: Tx, userId: string, password: string) => {
    const hash = await hashPassword(password)
    await tx.insert(signInAccounts).values({ accountId: userId, providerId: 'credential', userId, password: hash })
  }

  const personOf = async ({ userId, name, email, role }: PersonIdentity) => {
    const [[user], [withPassword], [keys]] = await Promise.all([
      db.select({ second: users.twoFactorEnabled }).from(users).where(eq(users.id, userId)),
      db
        .select({ found: sql<boolean>`count(*) > 0` })
        .from(signInAccounts)
        .where(and(eq(signInAccounts.userId, userId), isNotNull(signInAccounts.password))),
      db.select({ found: count() }).from(passkeys).where(eq(passkeys.userId, userId)),
    ])
    return {
      userId,
      name,
      email,
      role,
      hasPassword: withPassword!.found,
      hasSecondFactor: user?.second ?? false,
      passkeys: keys!.found,
    }
  }

  return {
    identify: identifier({ db, cookie, now, ...(bearer && { bearer }) }),
    cookie,
    session: async (identity) => ({
      person: identity?.kind === 'person' ? await personOf(identity) : null,
      needsSetup: identity === null && (await needsSetup(db)),
      passwordOptional,
      methods: { password: true, passkey: false, oidc: null },
    }),
    setupLink: () => makeSetupLink(db, now()),
    setUp: (request, visitor) => setUp(db, request, { ...visitor, now: now(), passwordOptional, keepPassword }),
    signOut: (person, by) =>
      db.transaction(async (tx) => {
        await tx.delete(sessions).where(eq(sessions.id, person.sessionId))
        await recordAudit(tx, by, { action: 'session.signed_out', at: new Date(now()) })
      }),
  }
}
