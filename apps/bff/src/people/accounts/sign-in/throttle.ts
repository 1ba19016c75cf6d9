import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { attempts } from '#people/accounts/accounts.table.ts'
import type { Instance } from '#people/accounts/instance.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'

type Limit = { max: number; perMinute: number }

/** Limits by subject. Guessing locks no owner out: buckets refill, and a browser that signed in to the account before has its own. */
const limits = {
  /** Passwords for an e-mail address, with or without an account. */
  account: { max: 10, perMinute: 1 },
  /** Passwords from a browser that knows the account. */
  device: { max: 10, perMinute: 1 },
  /** All attempts of a network without a session. Many people may share a network. */
  address: { max: 40, perMinute: 8 },
  /** Attempts to enter a code for one account, after its correct password. */
  second_factor: { max: 6, perMinute: 0.5 },
  /** Passwords that a signed-in person proves again. */
  proof: { max: 10, perMinute: 1 },
  /** Audit rows about attempts that were refused unchecked. */
  note: { max: 1, perMinute: 1 },
} satisfies Record<string, Limit>

export type Subject = keyof typeof limits

// The database's clock. Replicas with different clocks would refill for each other.
const now = sql`clock_timestamp()`

/** Current content of a bucket. After a clock change the bucket neither fills at once nor stops refilling for more than a minute. */
const computeContent = ({ max, perMinute }: Limit) =>
  sql<number>`least(${max}::float8, ${attempts.left} + greatest(0, extract(epoch from ${now} - ${attempts.at})) * ${perMinute / 60}::float8)`

const computeWaitMs = (left: number, { perMinute }: Limit): number => ((1 - left) / perMinute) * 60_000

const formatWait = (ms: number): string =>
  ms <= 90_000 ? `${Math.max(1, Math.ceil(ms / 1000))} seconds` : `${Math.ceil(ms / 60_000)} minutes`

/** Stores subjects as keyed hashes, so that the table contains no names or addresses. */
export const createThrottle = ({ db, instance }: { db: Database; instance: Instance }) => {
  const hashSubject = (kind: Subject, subject: string) =>
    createHmac('sha256', instance.secret).update(`attempts\n${kind}\n${subject}`).digest('hex')

  /** Takes an attempt and returns 0, or returns the milliseconds to wait. */
  const tryTake = async (kind: Subject, subject: string): Promise<number> => {
    const [key, limit] = [hashSubject(kind, subject), limits[kind]]
    const rows = await db
      .insert(attempts)
      .values({ key, left: limit.max - 1, at: now as unknown as Date })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          left: sql`${computeContent(limit)} - 1`,
          at: sql`least(greatest(${attempts.at}, ${now}), ${now} + interval '1 minute')`,
        },
        setWhere: sql`${computeContent(limit)} >= 1`,
      })
      .returning({ key: attempts.key })
    if (rows.length > 0) return 0
    const [row] = await db
      .select({ left: computeContent(limit) })
      .from(attempts)
      .where(eq(attempts.key, key))
    return Math.max(1_000, computeWaitMs(row?.left ?? 0, limit))
  }

  return {
    /** Takes one attempt. Throws `too_many_requests` when none is left. Call it before any check and outside of a transaction. */
    take: async (kind: Subject, subject: string) => {
      const waitMs = await tryTake(kind, subject)
      if (waitMs > 0)
        throw new AppError('too_many_requests', `Too many attempts. Try again in ${formatWait(waitMs)}.`, {
          retryAfterMs: waitMs,
        })
    },
    /** Like `take`, but returns false instead of throwing. */
    allows: async (kind: Subject, subject: string) => (await tryTake(kind, subject)) === 0,
    /** Refills a bucket after a success. */
    giveBack: async (kind: Subject, subject: string) => {
      await db.delete(attempts).where(eq(attempts.key, hashSubject(kind, subject)))
    },
  }
}

/** Counts attempts across all replicas and restarts. */
export type Throttle = ReturnType<typeof createThrottle>
