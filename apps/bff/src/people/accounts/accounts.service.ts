import type { Person, SetUp } from '@docket/api-types/session'
import { and, count, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toNetwork } from '#ground/http/load/client-address.ts'
import { ownAddress, type OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { Identity, PersonIdentity, Identify } from '#ground/identity/identity.ts'
import { selectHeld, toPersonRights } from '#ground/identity/rights.ts'
import { passkeys, sessions, signInAccounts, users } from './accounts.table.ts'
import { checkSetUp, type ConfiguredAdmin, createConfiguredAdmin, makeSetupLink, needsSetup, setUp } from './setup.ts'
import { signInLinkIfNeeded } from '#people/accounts/first-start/sign-in-link.ts'
import type { Instance } from './instance.ts'
import { hashPassword } from './password-hash.ts'
import { passkeySite } from '#people/accounts/passkeys/passkey-challenges.ts'
import { changePeople, type SettleTokens } from '#people/accounts/people/change-people.ts'
import { grantedRoles } from '#people/accounts/people/grants.ts'
import { grantedSiteRoles } from '#people/accounts/people/site-grants.ts'
import { invitations } from '#people/accounts/people/invitations.ts'
import { listSessions, ownAccount } from '#people/accounts/people/own-account.ts'
import { listUsers } from '#people/accounts/people/user-list.ts'
import { pendingSignIns } from './pending-sign-ins.ts'
import type { RequestOrigin } from './request-origin.ts'
import { sessionCookie, type SessionCookie } from './signed-cookies.ts'
import {
  findSessionById,
  handOverSession,
  type OpenedSession,
  takeOverSession,
  findSession,
  type FoundSession,
  isWithinLimits,
  touchSession,
} from './sessions.ts'
import { knownDevices } from '#people/accounts/sign-in/known-devices.ts'
import { links } from '#people/accounts/sign-in/redeem-link.ts'
import { changePassword, setPassword } from '#people/accounts/sign-in/own-password.ts'
import { checkPassword } from '#people/accounts/sign-in/password-rules.ts'
import { passwordSignIn } from '#people/accounts/sign-in/password-sign-in.ts'
import { throttle } from '#people/accounts/sign-in/throttle.ts'
import { LRUCache } from 'lru-cache'
import { currentTag } from '#ground/db/revision.ts'
import { readBearer } from '#ground/http/access/identity.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'

// About ten thousand sessions. Each cache key is the whole `Cookie` header of a browser.
const maxBytes = 8 * 1024 * 1024

/**
 * Identifies senders. Trusts cached sessions only while the tag of the accounts is unchanged, so an ended session ends in every replica.
 */
const identifier = (deps: {
  db: Database
  cookie: SessionCookie
  now: () => number
  bearer: (token: string) => Promise<Identity>
}): Identify => {
  const { db, cookie, now, bearer } = deps
  const readCurrentTag = coalesce(() => currentTag(db, 'accounts'))
  const cache = new LRUCache<string, FoundSession & { tag: string }>({
    maxSize: maxBytes,
    sizeCalculation: (_session, header) => 512 + header.length,
  })

  const identifyByCookie = async (header: string): Promise<Identity> => {
    const known = cache.get(header)
    const at = now()
    const tag = await readCurrentTag()
    if (known?.tag === tag && isWithinLimits(known, at)) {
      const touched = await touchSession(db, known, at)
      if (touched !== known) cache.set(header, { ...touched, tag })
      return known.person
    }
    const token = await cookie.read(header)
    const found = token === null ? null : await findSession(db, token, at)
    if (found === null) return null
    cache.set(header, { ...(await touchSession(db, found, at)), tag })
    return found.person
  }

  return async ({ cookie: header, authorization }) => {
    const token = readBearer(authorization)
    if (token !== undefined) return bearer(token)
    return header === undefined || !header.includes(`${cookie.name}=`) ? null : identifyByCookie(header)
  }
}

const gone = () => new AppError('not_found', 'This account no longer exists.')

const readPerson = async (db: Database, id: string): Promise<Person> => {
  const [[user], [withPassword], [keys]] = await Promise.all([
    db
      .select({
        ...getTableColumns(users),
        held: selectHeld(sql`users.id`),
      })
      .from(users)
      .where(eq(users.id, id)),
    db
      .select({ found: sql<boolean>`count(*) > 0` })
      .from(signInAccounts)
      .where(and(eq(signInAccounts.userId, id), isNotNull(signInAccounts.password))),
    db.select({ found: count() }).from(passkeys).where(eq(passkeys.userId, id)),
  ])
  if (user === undefined || user.held === null) throw gone()
  const { role, prompts, siteGrants } = toPersonRights(user.held)
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    mayPrompt: prompts,
    hasSites: siteGrants.length > 0,
    hasPassword: withPassword!.found,
    hasSecondFactor: user.twoFactorEnabled,
    passkeys: keys!.found,
  }
}

/** `hosts.publicUrl` null: only this computer reaches Docket. `apiTokens` identifies the holder of a bearer token. */
export const accountService = (deps: {
  db: Database
  instance: Instance
  hosts: OwnHosts
  /** Label of the single sign-on button. Null without single sign-on. */
  oidcName: string | null
  now: () => number
  apiTokens: { find: (token: string) => Promise<Identity>; settleOwned: SettleTokens }
}) => {
  const { db, instance, hosts, oidcName, now, apiTokens } = deps
  const { publicUrl } = hosts
  const cookie = sessionCookie(instance, publicUrl)
  const devices = knownDevices(instance, cookie)
  const pendingCodes = pendingSignIns(
    { instance, session: cookie },
    { name: 'two_factor', prefix: '2fa-', maxAge: 10 * 60 },
  )
  const attempts = throttle({ db, instance })
  const host = publicUrl?.hostname ?? null
  const passwordOptional = publicUrl === null

  const keepPassword = async (tx: Tx, { id, name, email }: typeof users.$inferSelect, password: string) => {
    await checkPassword(password, { name, email, host }, 'password')
    await setPassword(tx, id, await hashPassword(password), new Date(now()))
  }

  return {
    identify: identifier({ db, cookie, now, bearer: apiTokens.find }),
    /** The person of a session that has not ended, for what lives as long as the session. */
    findPerson: async (sessionId: string): Promise<PersonIdentity | null> =>
      (await findSessionById(db, sessionId, now()))?.person ?? null,
    cookie,
    /** Browsers that have signed in before. */
    devices,
    /** Sign-ins that wait for a code. Each row has the id of its user, by which `setPassword` ends those with the old password. */
    pendingCodes,
    /** Signs the browser in: writes the cookie of a session, and makes the browser known to the account. */
    writeSession: async (
      c: Context<AppEnv>,
      { token, userId, expiresAt }: Pick<OpenedSession, 'token' | 'userId' | 'expiresAt'>,
    ) => {
      await cookie.write(c, token, Math.round((expiresAt.getTime() - now()) / 1_000))
      await devices.remember(c, userId)
    },
    throttle: attempts,
    now,
    /** Describes the reader and the ways to sign in. `host`: the name by which the browser calls Docket. */
    session: async (identity: Identity, address: string | undefined) => ({
      person: identity?.kind === 'person' ? await readPerson(db, identity.userId) : null,
      needsSetup: identity === null && (await needsSetup(db)),
      passwordOptional,
      ownAddress: identity?.kind === 'person' ? ownAddress(address, hosts) : null,
      methods: { password: true, passkey: passkeySite(hosts, address) !== null, oidc: oidcName },
    }),
    /** Loads an account as its owner sees it. Throws `not_found`. */
    person: (userId: string) => readPerson(db, userId),
    /** Makes the token of the link that creates the first account. Null when there is an account. */
    setupLink: () => makeSetupLink(db, now()),
    /** Makes the token of a link for the first admin. Null when an admin can sign in again without it. */
    signInLink: () => signInLinkIfNeeded(db, now()),
    /** Creates the first admin of the environment when there is no account. Throws `invalid_request` for an easy password. */
    createAdmin: (admin: ConfiguredAdmin) => createConfiguredAdmin(db, admin, { now: now(), host }),
    checkSetUp: (token: string) => checkSetUp(db, token, now()),
    setUp: (request: SetUp, origin: RequestOrigin) => setUp(db, request, origin, { passwordOptional, keepPassword }),
    signOut: (person: PersonIdentity, by: Actor) =>
      db.transaction(async (tx) => {
        await tx.delete(sessions).where(eq(sessions.id, person.sessionId))
        await recordAudit(tx, by, { action: 'session.signed_out', at: new Date(now()) })
      }),
    /** Ends a session's cookie at `host`. Returns the token that continues the session, once, under Docket's own name. */
    handOver: (person: PersonIdentity, from: string | undefined) => {
      if (ownAddress(from, hosts) === null)
        throw new AppError('conflict', 'Only a page at 127.0.0.1 or localhost can hand its session over.')
      return db.transaction((tx) => handOverSession(tx, person.sessionId, now()))
    },
    /** Continues a session that was handed over. Throws `not_signed_in` for a token that is used, or a minute old. */
    takeOver: (handover: string) => db.transaction((tx) => takeOverSession(tx, handover, now())),
    /** Counts an attempt to use a link. Throws `too_many_requests` after too many from one network. */
    countTry: (address: string) => attempts.take('address', toNetwork(address)),
    signInWithPassword: passwordSignIn({ db, pendingCodes, throttle: attempts, devices }),
    links: links({ db, host }),
    changePassword: changePassword({ db, throttle: attempts, now, host }),
    own: ownAccount({ db, now }),
    listSessions: (userId: string, current: string) => listSessions(db, userId, { now: now(), current }),
    list: () => listUsers(db, now()),
    /** Loads an account as admins see it. Throws `not_found`. */
    user: async (userId: string) => {
      const found = (await listUsers(db, now())).users.find((user) => user.userId === userId)
      if (found === undefined) throw gone()
      return found
    },
    people: changePeople({ db, settleTokens: apiTokens.settleOwned, now }),
    invitations: invitations({ db, now }),
    grants: grantedRoles({ db, now }),
    siteGrants: grantedSiteRoles({ db, now }),
  }
}

/** Accounts, sessions and sign-in. */
export type AccountService = ReturnType<typeof accountService>
