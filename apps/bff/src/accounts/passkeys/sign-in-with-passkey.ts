import type { WebAuthnJson } from '@docket/api-types/accounts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { passkeys, sessions, users } from '#accounts/accounts.table.ts'
import { inTransaction, type OpenAuth } from '#accounts/better-auth.ts'
import type { SignInVisit } from '#accounts/sign-in/password-sign-in.ts'
import type { Throttle } from '#accounts/sign-in/throttle.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import { networkOf } from '#http/load/client-address.ts'
import type { PasskeySite } from './passkey-site.ts'

/** What passkeys are built from. */
export type PasskeyDeps = { db: Database; openAuth: OpenAuth; throttle: Throttle }

/** What a browser sends of a passkey, without what nobody looks at. */
const Used = z.object({
  id: z
    .string()
    .max(1_400)
    .regex(/^[\w-]+$/),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
})

const refusal = () => new AppError('not_signed_in', 'This passkey was not accepted. Try again, or sign in another way.')

const findOwner = async (tx: Tx, credentialId: string) => {
  // Uses of one passkey wait for each other, so that its counter only grows.
  const [row] = await tx
    .select({ userId: users.id, name: users.name })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialID, credentialId))
    .for('update', { of: passkeys })
  return row ?? null
}
type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>

/** Signing in with a passkey: the browser asks which, so nobody has to say who they are before. */
export const passkeySignIn = ({ db, openAuth, throttle }: PasskeyDeps) => ({
  /** What the browser is to sign, and the cookie that binds it to this browser. Good for five minutes, once. */
  options: async (visit: SignInVisit, { rpId }: PasskeySite): Promise<{ options: WebAuthnJson; cookies: string[] }> => {
    await throttle.take('address', networkOf(visit.by.address ?? 'unknown'))
    const { api } = await openAuth(rpId)
    const { headers, response } = await api.generatePasskeyAuthenticationOptions({
      headers: new Headers(),
      returnHeaders: true,
    })
    return { options: { ...response, userVerification: 'required' }, cookies: headers.getSetCookie() }
  },
  /** Signs in; every refusal is `not_signed_in`, and uses the challenge up. */
  signIn: async (
    used: WebAuthnJson,
    visit: SignInVisit,
    { rpId, origin }: PasskeySite,
  ): Promise<{ userId: string; cookies: string[] }> => {
    const parsed = Used.safeParse(used)
    if (!parsed.success) throw new AppError('invalid_request', 'This is not what a browser sends of a passkey.')
    const [{ api }, { isAPIError }] = await Promise.all([openAuth(rpId), import('better-auth/api')])
    const audit = (tx: Tx, by: Actor, outcome: 'ok' | 'refused', owner: Owner | null) =>
      recordAudit(tx, by, {
        action: 'session.signed_in',
        outcome,
        at: new Date(visit.now),
        target: { type: 'user', id: owner?.userId ?? null, name: owner?.name ?? null },
        details: { with: 'passkey' },
      })
    const done = await db.transaction(async (tx) => {
      const owner = await findOwner(tx, parsed.data.id)
      const verify = () =>
        api.verifyPasskeyAuthentication({
          body: { response: { ...parsed.data, clientExtensionResults: {} } },
          headers: new Headers({ origin, ...(visit.cookie !== undefined && { cookie: visit.cookie }) }),
          returnHeaders: true,
        })
      try {
        const { headers } = await inTransaction(tx, visit, verify)
        if (owner === null) throw refusal()
        if (visit.replaces !== null) await tx.delete(sessions).where(eq(sessions.id, visit.replaces))
        await audit(tx, { ...visit.by, kind: 'person', id: owner.userId, name: owner.name }, 'ok', owner)
        return { userId: owner.userId, cookies: headers.getSetCookie() }
      } catch (error) {
        // The signed cookie of a second factor, in the place of this one, names no challenge.
        if (error instanceof SyntaxError) return 'no challenge'
        if (!isAPIError(error)) throw error
        // The challenge stays used up, so this ends the transaction well.
        if (error.body?.code === 'CHALLENGE_NOT_FOUND') return 'no challenge'
        await audit(tx, visit.by, 'refused', owner)
        return 'refused'
      }
    })
    if (typeof done === 'object') return done
    // Whoever asked for no challenge was not counted. Once a minute, so that nobody fills the audit.
    const network = networkOf(visit.by.address ?? 'unknown')
    if (done === 'no challenge' && (await throttle.allows('note', `passkey ${network}`)))
      await audit(db, visit.by, 'refused', null)
    throw refusal()
  },
})
