import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { verifications } from '#accounts/accounts.table.ts'
import type { Database } from '#db/database.ts'

/** How long somebody may take at the provider. Milliseconds. */
export const pendingMs = 10 * 60_000

/** A sign-in between leaving for the provider and coming back. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  returnTo: z.string(),
  /** The session that the browser had when it left, and that ends when a new one begins: its cookie stays behind on the way back. */
  replaces: z.string().nullable(),
})
export type Pending = z.infer<typeof Pending>

/** Both the browser and the answer have to be the right ones; a wrong answer leaves the sign-in as it is. */
const identifierOf = (browser: string, state: string) =>
  `oidc:${createHash('sha256').update(`${browser}.${state}`).digest('hex')}`

const secret = () => randomBytes(32).toString('base64url')

/** Begins a sign-in. `browser` belongs into a cookie of the browser that began it and is kept nowhere. */
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
    .values({ identifier: identifierOf(browser, pending.state), value: JSON.stringify(pending), expiresAt })
  return { browser, expiresAt, pending }
}

/** Takes a sign-in that is under way: of several attempts, over all replicas, one gets it. Null when there is none in time. */
export const takePending = async (
  db: Database,
  browser: string,
  state: string,
  now: number,
): Promise<Pending | null> => {
  const [row] = await db
    .delete(verifications)
    .where(and(eq(verifications.identifier, identifierOf(browser, state)), gt(verifications.expiresAt, new Date(now))))
    .returning({ value: verifications.value })
  return row === undefined ? null : Pending.parse(JSON.parse(row.value))
}
