import { lt, or, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { attempts, oneTimeLinks, sessions, verifications } from './accounts.table.ts'
import { sessionLimits } from './sessions.ts'

const day = 24 * 3_600_000

/** Deletes expired sessions and pending sign-ins, full buckets of attempts, and links a week after their expiry. */
export const deleteEndedSignIns = async (db: Database, now: number): Promise<void> => {
  const before = (ms: number) => new Date(now - ms)
  const over = or(lt(sessions.expiresAt, before(0)), lt(sessions.updatedAt, before(sessionLimits.idleMs)))
  // Every delete statement empties the session caches of all replicas, even one without rows.
  const [ended] = await db.select({ id: sessions.id }).from(sessions).where(over).limit(1)
  if (ended !== undefined) await db.delete(sessions).where(over)
  await db.delete(verifications).where(lt(verifications.expiresAt, before(0)))
  await db.delete(oneTimeLinks).where(lt(oneTimeLinks.expiresAt, before(7 * day)))
  // Expiry follows the database's clock.
  await db.delete(attempts).where(lt(attempts.at, sql`clock_timestamp() - interval '1 day'`))
}
