import { sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { PostgresLog } from '@docket/embedded-postgres'

/** Smaller differences are within the error of the comparison, and harmless. Milliseconds. */
const toleratedMs = 1_000
const everyMs = 10_000

export const readDatabaseClock = async (db: Database): Promise<number> => {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return rows[0]!.ms
}

/**
 * The time that all Dockets on one database share, in milliseconds since the epoch: this machine's clock, corrected by the database's
 * when they differ by more than a second. Claims, starts and the budget of calls count on it.
 */
export const databaseClock = (deps: {
  read: () => Promise<number>
  log: Pick<PostgresLog, 'warn'>
  local?: () => number
}) => {
  const { read, log, local = Date.now } = deps
  let aheadMs = 0
  const compare = async (): Promise<void> => {
    const before = local()
    const theirs = await read().catch(() => undefined)
    const after = local()
    // The comparison is unreliable when the response was slow or the clock was set meanwhile.
    if (theirs === undefined || after < before || after - before > toleratedMs) return
    const difference = (before + after) / 2 - theirs
    if (Math.abs(difference - aheadMs) <= toleratedMs) return
    aheadMs = Math.round(difference)
    const seconds = Math.round(Math.abs(aheadMs) / 1000)
    if (seconds === 0) log.warn('The clock of this machine agrees with that of the database again.')
    else
      log.warn(
        `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database. Docket goes by the database's.`,
      )
  }
  return {
    now: () => local() - aheadMs,
    /** Compares the clock with the database's. Never rejects: without a response, the last known difference stays in use. */
    compare,
    keep: () => {
      const timer = setInterval(() => void compare(), everyMs).unref()
      return async () => clearInterval(timer)
    },
  }
}
