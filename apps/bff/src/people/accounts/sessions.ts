import { randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { selectHeld, toPersonRights } from '#ground/identity/rights.ts'
import { sessions, users } from './accounts.table.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'

/** Maximum idle time and total lifetime of a session. Milliseconds. */
export const sessionLimits = { idleMs: 3 * 24 * 3_600_000, absoluteMs: 30 * 24 * 3_600_000 }

/** Minimum time between two updates of the last use. Milliseconds. */
const touchMs = 5 * 60_000

export type FoundSession = { person: PersonIdentity; usedAt: Date; expiresAt: Date }

export const isWithinLimits = ({ usedAt, expiresAt }: FoundSession, now: number): boolean =>
  now < expiresAt.getTime() && now < usedAt.getTime() + sessionLimits.idleMs

/** A new session. `token` belongs in the cookie; the database has only its hash. */
export type OpenedSession = { token: string; sessionId: string; userId: string; expiresAt: Date }

/** Opens a session without an audit row. `completeSignIn` writes both. */
export const openSession = async (
  tx: Tx,
  userId: string,
  { now, address, userAgent }: { now: number; address: Actor['address']; userAgent: string | undefined },
): Promise<OpenedSession> => {
  const token = randomBytes(32).toString('base64url')
  const at = new Date(now)
  const expiresAt = new Date(now + sessionLimits.absoluteMs)
  const [row] = await tx
    .insert(sessions)
    .values({
      token: hashKey(token),
      userId,
      expiresAt,
      ipAddress: address,
      userAgent: userAgent?.slice(0, 300) ?? null,
      createdAt: at,
      updatedAt: at,
    })
    .returning({ id: sessions.id })
  return { token, sessionId: row!.id, userId, expiresAt }
}

/** Condition for sessions within both limits. */
export const isAliveSession = (now: number) =>
  and(gt(sessions.expiresAt, new Date(now)), gt(sessions.updatedAt, new Date(now - sessionLimits.idleMs)))

const readSession = async (db: Database, which: SQL, now: number): Promise<FoundSession | null> => {
  const [row] = await db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      name: users.name,
      email: users.email,
      held: selectHeld(sql`users.id`),
      usedAt: sessions.updatedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(which, isAliveSession(now)))
  if (row === undefined || row.held === null) return null
  const { usedAt, expiresAt, held, ...person } = row
  return { person: { kind: 'person', ...person, ...toPersonRights(held) }, usedAt, expiresAt }
}

/** Finds the session of a token. Null when it has ended or its user has no access. */
export const findSession = (db: Database, token: string, now: number): Promise<FoundSession | null> =>
  readSession(db, eq(sessions.token, hashKey(token)), now)

/** Finds a session by its id, without using it. Null when it has ended or its user has no access. */
export const findSessionById = (db: Database, sessionId: string, now: number): Promise<FoundSession | null> =>
  readSession(db, eq(sessions.id, sessionId), now)

/** Updates the last use of a session, at most every five minutes. */
export const touchSession = async (db: Database, found: FoundSession, now: number): Promise<FoundSession> => {
  const { person, usedAt } = found
  if (now - usedAt.getTime() < touchMs) return found
  const at = new Date(now)
  await db
    .update(sessions)
    .set({ updatedAt: at })
    .where(and(eq(sessions.id, person.sessionId), lt(sessions.updatedAt, at)))
  return { ...found, usedAt: at }
}

/** Time within which a handed-over session must be continued. Milliseconds. */
const handoverMs = 60_000

// Differs from the hash of every token.
const hashHandover = (handover: string) => hashKey(`handover ${handover}`)

/**
 * Invalidates the token of a session. Returns the token with which `takeOverSession` can continue the session within a minute. Needs a
 * transaction.
 */
export const handOverSession = async (tx: Tx, sessionId: string, now: number): Promise<string> => {
  const [row] = await tx.select({ expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.id, sessionId))
  // The hash covers the expiry of the session, so that nobody can extend it.
  const handover = `${row?.expiresAt.getTime() ?? 0}-${randomBytes(32).toString('base64url')}`
  await tx
    .update(sessions)
    .set({ token: hashHandover(handover), expiresAt: new Date(now + handoverMs) })
    .where(eq(sessions.id, sessionId))
  return handover
}

/**
 * Continues a session with a new token and its old limits, once. Throws `not_signed_in` for a used or expired token. Needs a transaction.
 */
export const takeOverSession = async (
  tx: Tx,
  handover: string,
  now: number,
): Promise<{ token: string; userId: string; expiresAt: Date }> => {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Number.parseInt(handover, 10))
  const [row] = await tx
    .update(sessions)
    .set({ token: hashKey(token), expiresAt })
    .where(and(eq(sessions.token, hashHandover(handover)), gt(sessions.expiresAt, new Date(now))))
    .returning({ userId: sessions.userId })
  if (row === undefined) throw new AppError('not_signed_in', 'This address took too long to open. Sign in again.')
  return { token, expiresAt, ...row }
}

/**
 * Hashes plain-text tokens of an earlier version. Runs at every start: replicas of that version still write some during a rolling upgrade.
 */
export const hashClearTokens = async (tx: Tx): Promise<void> => {
  const hash = sql`encode(sha256(convert_to(${sessions.token}, 'UTF8')), 'hex')`
  await tx
    .update(sessions)
    .set({ token: hash })
    .where(sql`${sessions.token} !~ '^[0-9a-f]{64}$'`)
}
