import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { sessions } from '#people/accounts/accounts.table.ts'
import { isAliveSession } from '#people/accounts/sessions.ts'
import type { OidcCtx } from '#people/people-ctx.ts'
import { pickJitteredPause } from '#ground/clock.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { Ground } from '#ground/ground.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { decryptText, encryptText } from '#ground/secret/encrypted-text.ts'
import { admit, auditEnded } from './admit.ts'
import { followKnown, lockBySubject } from './person.ts'
import { OidcRefused } from './provider.ts'

const minute = 60_000
/** Longer than any check takes. After this time, another process may check a session whose process died. */
const claimMs = 5 * minute
const atOnce = 4

/** What a session keeps of its sign-in, encrypted. */
const Kept = z.object({ issuer: z.string(), subject: z.string(), refreshToken: z.string() })

const told = new WeakSet<OidcSettings>()

const seal = ({ instance }: OidcCtx, kept: z.infer<typeof Kept>) => ({
  sealedRefreshToken: encryptText(instance, JSON.stringify(kept)),
})

/** What a new session needs to be checked later. Nothing unless `OIDC_RECHECK_MINUTES` is set and the provider gave a refresh token. */
export const planRecheck = (ctx: OidcCtx, subject: string, refreshToken: string | null) => {
  const { settings } = ctx.oidc
  if (settings.recheckMinutes === null) return {}
  if (refreshToken !== null)
    return {
      ...seal(ctx, { issuer: settings.issuer.href, subject, refreshToken }),
      recheckAt: new Date(ctx.now() + settings.recheckMinutes * minute),
    }
  if (!told.has(settings))
    ctx.log.warn(
      'the provider of single sign-on gives no refresh token, so groups are read at sign-ins only: OIDC_RECHECK_MINUTES may need the scope offline_access in OIDC_SCOPES',
    )
  told.add(settings)
  return {}
}

const readKept = ({ instance }: OidcCtx, sealed: string | null) => {
  try {
    return Kept.parse(JSON.parse(decryptText(instance, sealed ?? '')))
  } catch {
    throw new OidcRefused('provider_refused', 'The refresh token can’t be decrypted')
  }
}

const isDue = (at: number) => and(lte(sessions.recheckAt, new Date(at)), isAliveSession(at))

/** Checks the session that has waited longest. False when none is due, or the provider doesn't answer. */
const recheckNext = async (ctx: OidcCtx, everyMs: number): Promise<boolean> => {
  const { db, now, oidc } = ctx
  const at = now()
  const recheckAt = new Date(at + claimMs)
  const next = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(isDue(at))
    .orderBy(asc(sessions.recheckAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [claimed] = await db
    .update(sessions)
    .set({ recheckAt, recheckFailures: sql`${sessions.recheckFailures} + 1` })
    .where(eq(sessions.id, sql`(${next})`))
    .returning({ id: sessions.id, failures: sessions.recheckFailures, sealed: sessions.sealedRefreshToken })
  if (claimed === undefined) return false
  // A sign-out ends the claim, and so does another process after its time.
  const own = and(eq(sessions.id, claimed.id), eq(sessions.recheckAt, recheckAt))
  try {
    const kept = readKept(ctx, claimed.sealed)
    if (kept.issuer !== oidc.settings.issuer.href)
      throw new OidcRefused('provider_refused', 'OIDC_ISSUER was another one when the session began')
    const claims = await oidc.provider.claimsAgain(kept, (refreshToken) =>
      db
        .update(sessions)
        .set(seal(ctx, { ...kept, refreshToken }))
        .where(own),
    )
    await admit(ctx, claims, docketActor, async (tx, role, coming) => {
      await lockBySubject(tx, coming)
      const checked = { recheckAt: new Date(now() + everyMs), recheckFailures: 0 }
      const still = await tx.update(sessions).set(checked).where(own).returning({ id: sessions.id })
      if (still.length > 0 && (await followKnown(tx, role, coming)) === null)
        throw new OidcRefused('no_access', 'The person no longer has an account')
    })
  } catch (error) {
    if (!(error instanceof OidcRefused)) throw error
    const { word, message: because } = error
    if (word === 'provider_unavailable' || word === 'clock') {
      ctx.log.warn({ because }, 'groups cannot be read again now, and sessions stay as they are')
      const pause = minute + pickJitteredPause(claimed.failures, { baseMs: minute, capMs: 60 * minute })
      await db
        .update(sessions)
        .set({ recheckAt: new Date(now() + pause) })
        .where(own)
      return false
    }
    ctx.log.warn({ reason: word, because }, 'single sign-on ended a session')
    await db.transaction(async (tx) => {
      const ended = await tx.delete(sessions).where(own).returning({ userId: sessions.userId })
      await auditEnded(tx, docketActor, new Date(now()), ended)
    })
  }
  return true
}

/** Reads groups, names and addresses again while sessions last. */
export const startRechecks = (ctx: OidcCtx, { work, ticks }: Pick<Ground, 'work' | 'ticks'>): void => {
  const { recheckMinutes } = ctx.oidc.settings
  if (recheckMinutes === null) return
  const recheckDue = async (signal: AbortSignal) => {
    while (!signal.aborted && (await recheckNext(ctx, recheckMinutes * minute)));
  }
  const { request } = work.addWaiting(
    {
      name: 'docket-rechecks',
      run: (_, signal) => Promise.all(Array.from({ length: atOnce }, () => recheckDue(signal))),
    },
    async () => ((await ctx.db.$count(sessions, isDue(ctx.now()))) > 0 ? ['sessions'] : []),
  )
  ticks.add(30, request)
}
