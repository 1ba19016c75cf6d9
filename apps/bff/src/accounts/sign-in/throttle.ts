import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { attempts } from '#accounts/accounts.table.ts'
import type { Instance } from '#accounts/instance.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'

/** A bucket of attempts: how many it holds, and how many come back in a minute. */
type Limit = { most: number; perMinute: number }

/**
 * What is counted. Nobody can be locked out for ever by somebody who guesses: an account's bucket refills by one a minute, and a
 * browser that has signed in to this account before has one of its own, whatever happens to the account's.
 */
const limits = {
  /** Passwords for one account, by its e-mail address, whether it exists or not. */
  account: { most: 10, perMinute: 1 },
  /** Passwords from a browser that knows the account. */
  device: { most: 10, perMinute: 1 },
  /** Anything one network tries without a session. Many people may share one. */
  address: { most: 40, perMinute: 8 },
  /** Codes for one account whose password was right. */
  second_factor: { most: 6, perMinute: 0.5 },
  /** Passwords somebody who is signed in proves again. */
  proof: { most: 10, perMinute: 1 },
  /** Audit rows about attempts that were not even looked at. */
  note: { most: 1, perMinute: 1 },
} satisfies Record<string, Limit>

/** What attempts are counted for. */
export type Counted = keyof typeof limits

/** Counts attempts for all replicas, also over restarts. */
export type Throttle = {
  /** Takes one attempt before anything is looked at; `too_many_requests` when none is left. Not undone with a transaction. */
  take: (counted: Counted, subject: string) => Promise<void>
  /** As `take`, but says no instead of throwing. */
  allows: (counted: Counted, subject: string) => Promise<boolean>
  /** Fills a bucket again, after a success. */
  giveBack: (counted: Counted, subject: string) => Promise<void>
}

// The database's own clock: replicas whose clocks differ would otherwise refill for each other.
const now = sql`clock_timestamp()`

/** What is in a bucket at this moment. A clock that was set back must not fill it, and not stop it for longer than a minute. */
const leftNow = ({ most, perMinute }: Limit) =>
  sql<number>`least(${most}::float8, ${attempts.left} + greatest(0, extract(epoch from ${now} - ${attempts.at})) * ${perMinute / 60}::float8)`

const waitOf = (left: number, { perMinute }: Limit): number => ((1 - left) / perMinute) * 60_000

const inWords = (ms: number): string =>
  ms <= 90_000 ? `${Math.max(1, Math.ceil(ms / 1000))} seconds` : `${Math.ceil(ms / 60_000)} minutes`

/** What is counted for is kept as a keyed hash, so the table names nobody. */
export const throttle = ({ db, instance }: { db: Database; instance: Instance }): Throttle => {
  const keyOf = (counted: Counted, subject: string) =>
    createHmac('sha256', instance.secret).update(`attempts\n${counted}\n${subject}`).digest('hex')

  /** Milliseconds to wait; 0 when one was taken. */
  const tryTake = async (counted: Counted, subject: string): Promise<number> => {
    const [key, limit] = [keyOf(counted, subject), limits[counted]]
    const taken = await db
      .insert(attempts)
      .values({ key, left: limit.most - 1, at: now as unknown as Date })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          left: sql`${leftNow(limit)} - 1`,
          at: sql`least(greatest(${attempts.at}, ${now}), ${now} + interval '1 minute')`,
        },
        setWhere: sql`${leftNow(limit)} >= 1`,
      })
      .returning({ key: attempts.key })
    if (taken.length > 0) return 0
    const [row] = await db
      .select({ left: leftNow(limit) })
      .from(attempts)
      .where(eq(attempts.key, key))
    return Math.max(1_000, waitOf(row?.left ?? 0, limit))
  }

  return {
    take: async (counted, subject) => {
      const waitMs = await tryTake(counted, subject)
      if (waitMs > 0)
        throw new AppError('too_many_requests', `Too many attempts. Try again in ${inWords(waitMs)}.`, {
          retryAfterMs: waitMs,
        })
    },
    allows: async (counted, subject) => (await tryTake(counted, subject)) === 0,
    giveBack: async (counted, subject) => {
      await db.delete(attempts).where(eq(attempts.key, keyOf(counted, subject)))
    },
  }
}
