import { lt, or, sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { attempts, oneTimeLinks, sessions, verifications } from './accounts.table.ts'
import { sessionLimits } from './sessions.ts'

const day = 24 * 3_600_000

/**
 * Deletes what nobody can use any more: sessions over one of their limits, links and half-done sign-ins that are over, and buckets of
 * attempts that are full again. Links are kept for a week after their end.
 */
export const deleteEndedSignIns = async (db: Database, now: number): Promise<void> => {
  const before = (ms: number) => new Date(now - ms)
  const over = or(lt(sessions.expiresAt, before(0)), lt(sessions.updatedAt, before(sessionLimits.idleMs)))
  // Every deletion makes replicas look sessions up again, also one of nothing.
  const [ended] = await db.select({ id: sessions.id }).from(sessions).where(over).limit(1)
  if (ended !== undefined) await db.delete(sessions).where(over)
  await db.delete(verifications).where(lt(verifications.expiresAt, before(0)))
  await db.delete(oneTimeLinks).where(lt(oneTimeLinks.expiresAt, before(7 * day)))
  // By the clock they are counted by.
  await db.delete(attempts).where(lt(attempts.at, sql`clock_timestamp() - interval '1 day'`))
}
