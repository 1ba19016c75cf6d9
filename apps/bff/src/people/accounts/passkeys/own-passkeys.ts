import type { AddPasskey, PasskeyList, WebAuthnJson } from '@docket/api-types/accounts'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, count, eq, isNotNull, like, ne, or } from 'drizzle-orm'
import { z } from 'zod'
import { passkeys, sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import type { OwnRequest } from '#people/accounts/request-origin.ts'
import { isRecentSignIn, provePassword } from '#people/accounts/sign-in/own-password.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import type { PasskeySite } from './passkey-challenges.ts'

/** Names of common authenticators by AAGUID (see github.com/passkeydeveloper/passkey-authenticator-aaguids). */
const names = new Map([
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Apple Passwords'],
  ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain (Managed)'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['b78a0a55-6ef8-d246-a042-ba0f6d55050c', 'LastPass'],
  ['b84e4048-15dc-4dd0-8640-f4f60813c8af', 'NordPass'],
  ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass'],
  ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6', 'Keeper'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
])

/** Default name of a passkey. Most devices hide their model, so the name is then just "Passkey". */
const findAuthenticatorName = (aaguid: string): string => names.get(aaguid.toLowerCase()) ?? 'Passkey'

const maxPasskeys = 20

/** EdDSA, ES256 and RS256, as COSE numbers. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Connections of a device (`usb`, `internal`, …), as a hint for browsers. */
const Transports = z
  .array(z.string().regex(/^[a-z-]{1,20}$/))
  .max(10)
  .catch([])

const verifyNewPasskey = async (
  response: WebAuthnJson,
  { rpId, origin, challenge }: PasskeySite & { challenge: string },
) => {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verification = await verifyRegistrationResponse({
    // The library validates each field.
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch(() => null)
  return verification?.registrationInfo ?? null
}

/** Requires the password or a recent sign-in, so that nobody can gain lasting access through an unattended browser. */
const requireProof = async (ctx: PeopleCtx, password: string | undefined, { person, now }: OwnRequest) => {
  const recent = await isRecentSignIn(ctx.db, person, now)
  if (password === undefined && recent) return
  if ((await provePassword(ctx, person.userId, password, 'password')) !== null) return
  if (!recent)
    throw new AppError(
      'conflict',
      'Sign out, sign in again and add the passkey within ten minutes, or set a password first.',
    )
}

/** Refuses people who use single sign-on alone: a passkey would still work after their provider removes them. */
const refuseManagedAccount = async ({ db }: PeopleCtx, userId: string) => {
  const rows = await db.select().from(signInAccounts).where(eq(signInAccounts.userId, userId))
  const managed = rows.some(({ providerId }) => providerId !== 'credential')
  if (managed && rows.every(({ password }) => password === null))
    throw new AppError('conflict', 'You sign in with single sign-on, so you can’t add a passkey.')
}

const countOtherMethods = async (tx: Tx, userId: string, without: string) => {
  const others = and(eq(passkeys.userId, userId), ne(passkeys.id, without))
  const [[keys], [accounts]] = [
    await tx.select({ found: count() }).from(passkeys).where(others),
    await tx
      .select({ found: count() })
      .from(signInAccounts)
      .where(
        and(
          eq(signInAccounts.userId, userId),
          or(isNotNull(signInAccounts.password), like(signInAccounts.providerId, 'oidc:%')),
        ),
      ),
  ]
  return keys!.found + accounts!.found
}

export const listPasskeys = async ({ db }: PeopleCtx, userId: string): Promise<z.input<typeof PasskeyList>> => {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  return {
    items: rows.map((row) => ({
      passkeyId: row.id,
      name: row.name ?? 'Passkey',
      createdAt: (row.createdAt ?? new Date(0)).toISOString(),
      synced: row.backedUp,
    })),
  }
}

/** Returns options for the browser to make a passkey from, and the token for the cookie that binds them to it. */
export const makePasskeyOptions = async (
  ctx: PeopleCtx,
  password: string | undefined,
  request: OwnRequest,
  { rpId }: PasskeySite,
) => {
  const { userId, email } = request.person
  await refuseManagedAccount(ctx, userId)
  await requireProof(ctx, password, request)
  const existing = await ctx.db.select().from(passkeys).where(eq(passkeys.userId, userId))
  if (existing.length >= maxPasskeys)
    throw new AppError('conflict', `An account can have ${maxPasskeys} passkeys. Remove one first.`)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Docket',
    rpID: rpId,
    userName: email,
    userDisplayName: email,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
    excludeCredentials: existing.map(({ credentialID, transports }) => ({
      id: credentialID,
      ...(transports !== null && transports !== '' && { transports: transports.split(',') }),
    })),
  })
  const token = await ctx.challenges.begin(options.challenge, userId, request.now)
  return { options: { ...options } as WebAuthnJson, token }
}

export const addPasskey = async (
  { db, challenges }: PeopleCtx,
  { name, response }: z.output<typeof AddPasskey>,
  request: OwnRequest,
  site: PasskeySite,
) => {
  const { person, by, now } = request
  // Returns refusals instead of throwing them, so that the challenge stays used up.
  const added = await db.transaction(async (tx) => {
    const challenge = await challenges.take(tx, request.cookie, person.userId, now)
    const created = challenge === null ? null : await verifyNewPasskey(response, { ...site, challenge })
    if (created === null) return false
    // An admin may have ended the session in the meantime.
    const [alive] = await tx.select().from(sessions).where(eq(sessions.id, person.sessionId)).for('share')
    if (alive === undefined) return false
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = created
    const called = name || findAuthenticatorName(aaguid)
    const at = new Date(now)
    const [row] = await tx
      .insert(passkeys)
      .values({
        name: called,
        publicKey: Buffer.from(credential.publicKey).toString('base64'),
        userId: person.userId,
        credentialID: credential.id,
        counter: credential.counter,
        deviceType: credentialDeviceType,
        backedUp: credentialBackedUp,
        transports: Transports.parse(credential.transports).join(','),
        createdAt: at,
        aaguid,
      })
      .onConflictDoNothing()
      .returning({ id: passkeys.id })
    if (row === undefined) return false
    await recordAudit(tx, by, {
      action: 'user.passkey_added',
      at,
      target: { type: 'user', id: person.userId, name: person.name },
      details: { passkey: called },
    })
    return true
  })
  if (!added) throw new AppError('invalid_request', 'This passkey was not accepted. Try again.')
}

/** Removes a passkey. Throws `conflict` when the person could no longer sign in. */
export const removePasskey = ({ db }: PeopleCtx, passkeyId: string, { person, by, now }: OwnRequest): Promise<void> =>
  db.transaction(async (tx) => {
    // Locks the user, so that one method remains when concurrent requests remove the last two.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, person.userId)).for('no key update')
    const one = and(eq(passkeys.id, passkeyId), eq(passkeys.userId, person.userId))
    const [gone] = await tx.delete(passkeys).where(one).returning()
    if (gone === undefined) throw new AppError('not_found', 'This passkey no longer exists.')
    if ((await countOtherMethods(tx, person.userId, passkeyId)) === 0)
      throw new AppError('conflict', 'This is your only way to sign in. Set a password first.')
    await recordAudit(tx, by, {
      action: 'user.passkey_removed',
      at: new Date(now),
      target: { type: 'user', id: person.userId, name: person.name },
      details: { passkey: gone.name ?? 'Passkey' },
    })
  })
