import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { verifications } from '#accounts/accounts.table.ts'
import type { Database } from '#db/database.ts'

/** Time to sign in at the provider. Milliseconds. */
export const pendingMs = 10 * 60_000

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
export type Pending = z.infer<typeof Pending>

/** Binds a sign-in to browser and state. A foreign response finds no row, and so it ends nothing. */
const hashPending = (browser: string, state: string) =>
  `oidc:${createHash('sha256').update(`${browser}.${state}`).digest('hex')}`

const secret = () => randomBytes(32).toString('base64url')

/** Begins a sign-in. `browser` belongs in a cookie; the database has only a hash of it. */
export const beginPending = async (
  db: Database,
  request: Pick<Pending, 'redirectUri' | 'returnTo' | 'replaces'>,
  now: number,
): Promise<{ browser: string; expiresAt: Date; pending: Pending }> => {
  const browser = secret()
  const pending = { state: secret(), nonce: secret(), verifier: secret(), ...request }
  const expiresAt = new Date(now + pendingMs)
  await db
    .insert(verifications)
    .values({ identifier: hashPending(browser, pending.state), value: JSON.stringify(pending), expiresAt })
  return { browser, expiresAt, pending }
}

/** Takes a pending sign-in. Of concurrent attempts, over all replicas, one gets it. Null when there is none, or it expired. */
export const takePending = async (
  db: Database,
  browser: string,
  state: string,
  now: number,
): Promise<Pending | null> => {
  const [row] = await db
    .delete(verifications)
    .where(and(eq(verifications.identifier, hashPending(browser, state)), gt(verifications.expiresAt, new Date(now))))
    .returning({ value: verifications.value })
  return row === undefined ? null : Pending.parse(JSON.parse(row.value))
}
