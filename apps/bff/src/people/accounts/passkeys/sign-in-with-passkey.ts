import type { WebAuthnJson } from '@docket/api-types/accounts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { passkeys, users } from '#people/accounts/accounts.table.ts'
import type { SignInRequest } from '#people/accounts/request-origin.ts'
import type { OpenedSession } from '#people/accounts/sessions.ts'
import { auditRefusedSignIn, completeSignIn, findEnabledUser } from '#people/accounts/sign-in/complete-sign-in.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import type { PasskeySite } from './passkey-challenges.ts'

/** Fields that a signature needs. Drops all other fields. */
const SignedChallenge = z.object({
  id: z
    .string()
    .max(1_400)
    .regex(/^[\w-]+$/),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
})
type SignedChallenge = z.infer<typeof SignedChallenge>

const passkeyRefusedError = () =>
  new AppError('not_signed_in', 'This passkey was not accepted. Try again, or sign in another way.')

const findPasskey = async (tx: Tx, credentialId: string) => {
  // Concurrent uses of one passkey wait for each other, so that its counter only grows.
  const [row] = await tx
    .select({ passkey: passkeys, user: { id: users.id, name: users.name } })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialID, credentialId))
    .for('update', { of: passkeys })
  return row ?? null
}
type Found = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

/** Verifies a signature and returns the new counter. Null when the signature is wrong or the device's counter did not grow. */
const verifySignature = async (
  { passkey }: Found,
  response: SignedChallenge,
  { rpId, origin, challenge }: PasskeySite & { challenge: string },
): Promise<number | null> => {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verification = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialID,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
      counter: passkey.counter,
    },
  }).catch(() => null)
  return verification?.verified === true ? verification.authenticationInfo.newCounter : null
}

/** Returns options for the browser, and the token for the cookie that binds them to it. They work once, for five minutes. */
export const makeSignInOptions = async (
  { challenges, throttle }: PeopleCtx,
  { by, now }: SignInRequest,
  { rpId }: PasskeySite,
): Promise<{ options: WebAuthnJson; token: string }> => {
  await throttle.take('address', toNetwork(by.address ?? 'unknown'))
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' })
  return { options: { ...options }, token: await challenges.begin(options.challenge, null, now) }
}

/** Signs a person in. Every refusal is `not_signed_in` and uses up the challenge. */
export const signInWithPasskey = async (
  { db, challenges, throttle }: PeopleCtx,
  response: WebAuthnJson,
  request: SignInRequest,
  site: PasskeySite,
): Promise<OpenedSession> => {
  const { by, now } = request
  const parsed = SignedChallenge.safeParse(response)
  if (!parsed.success) throw new AppError('invalid_request', 'The browser sent an invalid passkey. Try again.')
  const auditRefusal = (tx: Tx, found: Found | null) =>
    auditRefusedSignIn(tx, request, { with: 'passkey' }, found?.user ?? { id: null, name: null })
  // Returns refusals instead of throwing them, so that the challenge stays used up.
  const outcome = await db.transaction(async (tx) => {
    const challenge = await challenges.take(tx, request.cookie, null, now)
    if (challenge === null) return 'no challenge'
    const found = await findPasskey(tx, parsed.data.id)
    const counter = found === null ? null : await verifySignature(found, parsed.data, { ...site, challenge })
    if (found === null || counter === null || (await findEnabledUser(tx, found.user.id, 'no key update')) === null) {
      await auditRefusal(tx, found)
      return 'refused'
    }
    await tx.update(passkeys).set({ counter }).where(eq(passkeys.id, found.passkey.id))
    return completeSignIn(tx, found.user, request, { with: 'passkey' })
  })
  if (typeof outcome === 'object') return outcome
  // The throttle did not count this caller, who never requested a challenge. One row a minute keeps the audit small.
  const network = toNetwork(by.address ?? 'unknown')
  if (outcome === 'no challenge' && (await throttle.allows('note', `passkey ${network}`))) await auditRefusal(db, null)
  throw passkeyRefusedError()
}
