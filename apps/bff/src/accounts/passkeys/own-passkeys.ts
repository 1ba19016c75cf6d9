import type { AddPasskey, PasskeyList, WebAuthnJson } from '@docket/api-types/accounts'
import { and, asc, count, eq, isNotNull, like, ne, or } from 'drizzle-orm'
import type { z } from 'zod'
import { passkeys, sessions, signInAccounts, users } from '#accounts/accounts.table.ts'
import { inTransaction } from '#accounts/better-auth.ts'
import type { OwnVisit } from '#accounts/second-factor/own-second-factor.ts'
import { provePassword } from '#accounts/sign-in/own-password.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { PasskeyDeps } from './sign-in-with-passkey.ts'
import type { PasskeySite } from './passkey-site.ts'

/** How lately somebody without a password must have signed in to add a passkey. Milliseconds. */
export const recentMs = 10 * 60_000

const mostPasskeys = 20

const refused = () => new AppError('invalid_request', 'This passkey was not accepted. Begin again.')

const headersOf = ({ cookie }: OwnVisit, origin: string) =>
  new Headers({ origin, ...(cookie !== undefined && { cookie }) })

/** One's own passkeys. */
export const ownPasskeys = (deps: PasskeyDeps) => {
  const { db, openAuth } = deps

  /** Whoever found an open browser must not be able to stay: the password is proved, or the session is new. */
  const prove = async (password: string | undefined, { person, now }: OwnVisit) => {
    const since = await db.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, person.sessionId))
    // Replicas' clocks may differ a little.
    const recent = Math.abs(now - (since[0]?.at.getTime() ?? 0)) < recentMs
    if (password === undefined && recent) return
    if ((await provePassword(deps, person.userId, password, 'password')) !== null) return
    if (!recent)
      throw new AppError(
        'conflict',
        'Sign out and in again, and add the passkey within ten minutes; or choose a password first.',
      )
  }

  /** Where the single sign-on alone decides who comes in, a passkey would go on working after it said no. */
  const refuseManaged = async (userId: string) => {
    const rows = await db.select().from(signInAccounts).where(eq(signInAccounts.userId, userId))
    const managed = rows.some(({ providerId }) => providerId !== 'credential')
    if (managed && rows.every(({ password }) => password === null))
      throw new AppError('conflict', 'You sign in with the single sign-on, so a passkey of this Docket is not for you.')
  }

  const ways = async (tx: Tx, userId: string, without: string) => {
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

  return {
    list: async (userId: string): Promise<z.input<typeof PasskeyList>> => {
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
    },
    /** What the browser is to make a passkey from. */
    options: async (password: string | undefined, visit: OwnVisit, { rpId, origin }: PasskeySite) => {
      await refuseManaged(visit.person.userId)
      await prove(password, visit)
      const mine = eq(passkeys.userId, visit.person.userId)
      const [row] = await db.select({ found: count() }).from(passkeys).where(mine)
      if (row!.found >= mostPasskeys)
        throw new AppError('conflict', `An account can have ${mostPasskeys} passkeys. Remove one first.`)
      const { api } = await openAuth(rpId)
      const { headers, response } = await api.generatePasskeyRegistrationOptions({
        headers: headersOf(visit, origin),
        query: {},
        returnHeaders: true,
      })
      return { options: { ...response } as WebAuthnJson, cookies: headers.getSetCookie() }
    },
    /** Keeps a passkey that the browser made. */
    add: async (
      { name, response: made }: z.output<typeof AddPasskey>,
      visit: OwnVisit,
      { rpId, origin }: PasskeySite,
    ) => {
      const [{ api }, { isAPIError }, { getAuthenticatorName }] = await Promise.all([
        openAuth(rpId),
        import('better-auth/api'),
        import('@better-auth/passkey'),
      ])
      // Once used, a challenge stays used up, so a refusal ends the transaction well.
      const added = await db.transaction(async (tx) => {
        const verify = () =>
          api.verifyPasskeyRegistration({
            body: { response: made },
            headers: headersOf(visit, origin),
            returnHeaders: true,
          })
        try {
          const { headers, response } = await inTransaction(tx, visit, verify)
          const called = name || (getAuthenticatorName(response.aaguid) ?? 'Passkey')
          const at = new Date(visit.now)
          await tx.update(passkeys).set({ name: called, createdAt: at }).where(eq(passkeys.id, response.id))
          await recordAudit(tx, visit.by, {
            action: 'user.passkey_added',
            at,
            target: { type: 'user', id: visit.person.userId, name: visit.person.name },
            details: { passkey: called },
          })
          return headers.getSetCookie()
        } catch (error) {
          if (isAPIError(error) || error instanceof SyntaxError) return null
          throw error
        }
      })
      if (added === null) throw refused()
      return added
    },
    /** Removes one; `conflict` when nothing else is left to sign in with. */
    remove: (passkeyId: string, { person, by, now }: OwnVisit): Promise<void> =>
      db.transaction(async (tx) => {
        // Of the last two, removed at once, one stays.
        await tx.select({ id: users.id }).from(users).where(eq(users.id, person.userId)).for('no key update')
        const one = and(eq(passkeys.id, passkeyId), eq(passkeys.userId, person.userId))
        const [gone] = await tx.delete(passkeys).where(one).returning()
        if (gone === undefined) throw new AppError('not_found', 'There is no such passkey any more.')
        if ((await ways(tx, person.userId, passkeyId)) === 0)
          throw new AppError('conflict', 'This is the only way you can sign in. Choose a password first.')
        await recordAudit(tx, by, {
          action: 'user.passkey_removed',
          at: new Date(now),
          target: { type: 'user', id: person.userId, name: person.name },
          details: { passkey: gone.name ?? 'Passkey' },
        })
      }),
  }
}
