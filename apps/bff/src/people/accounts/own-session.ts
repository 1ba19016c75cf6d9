import type { Person } from '@docket/api-types/session'
import { and, count, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { findOwnAddress } from '#ground/http/access/own-hosts.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import type { Actor, Identity, PersonIdentity } from '#ground/identity/identity.ts'
import { selectHeld, toPersonRights } from '#ground/identity/rights.ts'
import { readProviderMessage } from '#people/accounts/oidc/oidc.service.ts'
import { findPasskeySite } from '#people/accounts/passkeys/passkey-challenges.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { passkeys, sessions, signInAccounts, users } from './accounts.table.ts'
import { findSessionById, handOverSession, type OpenedSession, takeOverSession } from './sessions.ts'
import { needsSetup } from './setup.ts'

const accountGoneError = () => new AppError('not_found', 'This account no longer exists.')

/** An account as its owner sees it. Throws `not_found`. */
export const readPerson = async ({ db }: Ctx, id: string): Promise<Person> => {
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
  if (user === undefined || user.held === null) throw accountGoneError()
  const { role, prompts, siteGrants } = toPersonRights(user.held)
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    mayPrompt: prompts,
    timeZone: user.timeZone,
    hasSites: siteGrants.length > 0,
    hasPassword: withPassword!.found,
    hasSecondFactor: user.twoFactorEnabled,
    passkeys: keys!.found,
  }
}

/** Finds the person of a session that has not ended, for resources that end with the session. */
export const findPerson = async ({ db, now }: Ctx, sessionId: string): Promise<PersonIdentity | null> =>
  (await findSessionById(db, sessionId, now()))?.person ?? null

/** `address` is the host name under which the browser reached Docket, `cookie` its `Cookie` header. */
export const describeSession = async (
  ctx: PeopleCtx,
  identity: Identity,
  { address, cookie }: { address: string | undefined; cookie: string | undefined },
) => ({
  person: identity?.kind === 'person' ? await readPerson(ctx, identity.userId) : null,
  needsSetup: identity === null && (await needsSetup(ctx.db)),
  passwordOptional: ctx.passwordOptional,
  ownAddress: identity?.kind === 'person' ? findOwnAddress(address, ctx.hosts) : null,
  methods: {
    password: true,
    passkey: findPasskeySite(ctx.hosts, address) !== null,
    oidc: ctx.oidc?.settings.name ?? null,
  },
  oidcSaid: await readProviderMessage(ctx, cookie),
})

/** Signs the browser in: sets the session cookie and marks the browser as known to the account. */
export const writeSession = async (
  { cookie, devices, now }: PeopleCtx,
  c: Context<AppEnv>,
  { token, userId, expiresAt }: Pick<OpenedSession, 'token' | 'userId' | 'expiresAt'>,
) => {
  await cookie.write(c, token, Math.round((expiresAt.getTime() - now()) / 1_000))
  await devices.remember(c, userId)
}

/** Returns the `sid` at the OIDC provider, see `sessions.oidcSid`. */
export const signOut = ({ db, now }: PeopleCtx, person: PersonIdentity, by: Actor): Promise<string | null> =>
  db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(eq(sessions.id, person.sessionId))
      .returning({ sid: sessions.oidcSid })
    await recordAudit(tx, by, { action: 'session.signed_out', at: new Date(now()) })
    return ended[0]?.sid ?? null
  })

/** Invalidates the session's cookie at `from`. Returns a one-time token that continues the session under Docket's own name. */
export const handOverToOwnName = ({ db, now, hosts }: PeopleCtx, person: PersonIdentity, from: string | undefined) => {
  if (findOwnAddress(from, hosts) === null)
    throw new AppError('conflict', 'Only a page at 127.0.0.1 or localhost can hand its session over.')
  return db.transaction((tx) => handOverSession(tx, person.sessionId, now()))
}

/** Continues a session that was handed over. Throws `not_signed_in` for a token that was used or is more than a minute old. */
export const continueHandedOverSession = ({ db, now }: PeopleCtx, handover: string) =>
  db.transaction((tx) => takeOverSession(tx, handover, now()))

/** Throws `too_many_requests` after too many attempts from one network. */
export const countLinkAttempt = ({ throttle }: PeopleCtx, address: string) =>
  throttle.take('address', toNetwork(address))
