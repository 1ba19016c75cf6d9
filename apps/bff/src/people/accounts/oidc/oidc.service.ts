import { createHash, randomBytes } from 'node:crypto'
import { safeReturnTo } from '@docket/return-to'
import type { RequestOrigin } from '#people/accounts/request-origin.ts'
import { completeSignIn } from '#people/accounts/sign-in/complete-sign-in.ts'
import type { OidcCtx, PeopleCtx } from '#people/people-ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { type Database, takeTurn } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import { admit, auditEnded, writeRefusal } from './admit.ts'
import { findBySubject, findOrCreatePerson, toOidcProviderId } from './person.ts'
import { maxLogoutAge, OidcRefused, type SignedIn } from './provider.ts'
import { planRecheck } from './recheck.ts'
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { sessions, verifications } from '#people/accounts/accounts.table.ts'

/** Time to sign in at the provider. Milliseconds. */
const pendingMs = 10 * 60_000

/** A sign-in while the browser is at the provider. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  returnTo: z.string(),
  /** Session that the browser had when it left, which the new one ends. The browser does not send its cookie on the way back. */
  replaces: z.string().nullable(),
})
type Pending = z.infer<typeof Pending>

/** Binds a sign-in to its browser and state. A response for another browser finds no row, so it cannot end this sign-in. */
const hashPending = (browser: string, state: string) =>
  `oidc:${createHash('sha256').update(`${browser}.${state}`).digest('hex')}`

const makeRandomText = () => randomBytes(32).toString('base64url')

/** Begins a sign-in. `browser` belongs in a cookie; the database has only a hash of it. */
export const beginPending = async (
  db: Database,
  request: Pick<Pending, 'redirectUri' | 'returnTo' | 'replaces'>,
  now: number,
): Promise<{ browser: string; expiresAt: Date; pending: Pending }> => {
  const browser = makeRandomText()
  const pending = { state: makeRandomText(), nonce: makeRandomText(), verifier: makeRandomText(), ...request }
  const expiresAt = new Date(now + pendingMs)
  await db
    .insert(verifications)
    .values({ identifier: hashPending(browser, pending.state), value: JSON.stringify(pending), expiresAt })
  return { browser, expiresAt, pending }
}

/** Takes a pending sign-in. Of concurrent attempts in all replicas, only one gets it. Null when there is none or it has expired. */
const takePending = async (db: Database, browser: string, state: string, now: number): Promise<Pending | null> => {
  const [row] = await db
    .delete(verifications)
    .where(and(eq(verifications.identifier, hashPending(browser, state)), gt(verifications.expiresAt, new Date(now))))
    .returning({ value: verifications.value })
  return row === undefined ? null : Pending.parse(JSON.parse(row.value))
}

/** Caller of a request, without its time: single sign-on has its own clock. */
type Visitor = Omit<RequestOrigin, 'now'>

/** The browser's return from the provider: the whole query, and the value of its cookie. */
type Return = { query: string; state: string; browser: string | undefined }

/** The redirect address, which the operator registers at the provider. */
export const callbackPath = '/api/auth/oidc/callback'

/** Tells this signed cookie from others. */
export const saidPrefix = 'sso said '

/** What the provider said when it refused this browser within the last minute, by its `Cookie` header. Null otherwise. */
export const readProviderMessage = async ({ oidc }: PeopleCtx, header: string | undefined): Promise<string | null> => {
  const said = (await oidc?.said.read(header)) ?? ''
  return said.startsWith(saidPrefix) ? said.slice(saidPrefix.length) : null
}

const openSessionFor = (
  ctx: OidcCtx,
  { claims, refreshToken }: SignedIn,
  replaces: string | null,
  { by, userAgent }: Visitor,
) =>
  admit(ctx, claims, by, async (tx, role, coming) => {
    const user = await findOrCreatePerson(tx, role, coming)
    const request = { by, userAgent, now: coming.now, replaces }
    const opened = await completeSignIn(tx, user, request, { with: 'single sign-on' })
    await tx
      .update(sessions)
      .set({ oidcSid: claims.sid ?? '', ...planRecheck(ctx, claims.subject, refreshToken) })
      .where(eq(sessions.id, opened.sessionId))
    return opened
  })

/** Where to sign out at the provider, after the person signed out here. Null for other sessions, and unless `OIDC_SIGN_OUT` is on. */
export const findSignOutUrl = async ({ oidc }: PeopleCtx, sid: string | null, origin: string): Promise<string | null> =>
  oidc?.settings.signOut === true && sid !== null ? oidc.provider.signOutUrl(`${origin}/sign-in`, sid) : null

/**
 * Ends the sessions that a logout token of the provider names: one by `sid`, or all of a person. Throws `OidcRefused` for a token that is
 * invalid or was used before.
 */
export const endSessionsByToken = async ({ db, now, oidc }: OidcCtx, token: string, by: Actor): Promise<void> => {
  const { id, subject, sid } = await oidc.provider.readLogoutToken(token)
  const identifier = `oidc-logout:${createHash('sha256').update(id).digest('hex')}`
  const at = new Date(now())
  await db.transaction(async (tx) => {
    await takeTurn(tx, identifier)
    if ((await tx.$count(verifications, eq(verifications.identifier, identifier))) > 0)
      throw new OidcRefused('provider_refused', 'This logout token was used before')
    const expiresAt = new Date(at.getTime() + 2 * maxLogoutAge * 1_000)
    await tx.insert(verifications).values({ identifier, value: '', expiresAt })
    const user = subject === null ? null : await findBySubject(tx, toOidcProviderId(oidc.settings.issuer), subject)
    if (subject !== null && user === null) return
    const ended = await tx
      .delete(sessions)
      .where(
        and(
          sid === null ? undefined : eq(sessions.oidcSid, sid),
          user === null ? undefined : eq(sessions.userId, user.id),
        ),
      )
      .returning({ userId: sessions.userId })
    await auditEnded(tx, by, at, ended)
  })
}

/** `replaces` is the session that the new session ends. Throws `busy` when the provider does not answer. */
export const beginOidc = async (
  { db, now, throttle, oidc }: OidcCtx,
  start: { returnTo: string; origin: string; address: string; replaces: string | null },
) => {
  const { returnTo, origin, address, replaces } = start
  await throttle.take('address', toNetwork(address))
  const request = { redirectUri: `${origin}${callbackPath}`, returnTo: safeReturnTo(returnTo), replaces }
  const { browser, expiresAt, pending } = await beginPending(db, request, now())
  try {
    return { url: await oidc.provider.authorizationUrl(pending), browser, expiresAt }
  } catch (error) {
    if (!(error instanceof OidcRefused)) throw error
    const why =
      error.word === 'provider_unavailable'
        ? 'does not answer right now. Try again in a moment.'
        : 'cannot be used as it is configured. Whoever runs Docket finds the reason in its log.'
    throw new AppError('busy', `${oidc.settings.name} ${why}`, { cause: error })
  }
}

/** Completes a sign-in and returns the session token and redirect target. Throws `OidcRefused` without signing anybody in. */
export const finishOidc = async (ctx: OidcCtx, { query, state, browser }: Return, visitor: Visitor) => {
  const pending = browser === undefined ? null : await takePending(ctx.db, browser, state, ctx.now())
  if (pending === null) throw new OidcRefused('expired', 'No such sign-in is under way in this browser')
  const signedIn = await ctx.oidc.provider.claims(query, pending).catch(async (error: unknown) => {
    if (error instanceof OidcRefused) await writeRefusal(ctx, null, error.word, visitor.by)
    throw error
  })
  const { token } = await openSessionFor(ctx, signedIn, pending.replaces, visitor)
  return { token, returnTo: pending.returnTo }
}
