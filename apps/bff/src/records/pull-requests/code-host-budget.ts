import { and, eq, isNull, lte, lt, or, sql } from 'drizzle-orm'
import type { CodeHostRow } from '#service/connections/code-hosts.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import type { Database } from '#ground/db/database.ts'

const hourMs = 60 * 60_000
/** Reads of pull requests with one token in an hour, of up to three calls each. GitHub allows 5,000 calls. */
export const maxReadsPerHour = 600

/** Budget and pauses of a code host, which all replicas share. */
export const codeHostBudget = (db: Database) => {
  const isRow = ({ codeHostId, sealedToken }: CodeHostRow) =>
    // A new token starts anew.
    and(eq(codeHosts.codeHostId, codeHostId), sql`${codeHosts.sealedToken} is not distinct from ${sealedToken}`)

  return {
    /** Takes one read. False while the code host is paused or its budget is spent. */
    take: async (row: CodeHostRow, now: number): Promise<boolean> => {
      const at = new Date(now)
      const isNewHour = sql`coalesce(${codeHosts.hourBegan} <= ${new Date(now - hourMs)}, true)`
      const taken = await db
        .update(codeHosts)
        .set({
          hourBegan: sql`case when ${isNewHour} then ${at} else ${codeHosts.hourBegan} end`,
          readsInHour: sql`case when ${isNewHour} then 1 else ${codeHosts.readsInHour} + 1 end`,
        })
        .where(
          and(
            isRow(row),
            or(isNull(codeHosts.pausedUntil), lte(codeHosts.pausedUntil, at)),
            or(isNewHour, lt(codeHosts.readsInHour, maxReadsPerHour)),
          ),
        )
        .returning({ codeHostId: codeHosts.codeHostId })
      return taken.length > 0
    },
    /** Notes that the code host answered. `waitMs`: the limit it reported as spent. */
    noteAnswer: async (row: CodeHostRow, now: number, waitMs: number | null) => {
      const pausedUntil = waitMs === null ? null : new Date(now + Math.min(waitMs, hourMs))
      const set = { answeredAt: new Date(now), problem: null, failures: 0, pausedUntil }
      await db.update(codeHosts).set(set).where(isRow(row))
    },
    /** Pauses every call after a failure of the code host, or of its token. */
    pause: async (row: CodeHostRow, problem: string, until: Date) => {
      const set = { problem, pausedUntil: until, failures: sql`${codeHosts.failures} + 1` }
      await db.update(codeHosts).set(set).where(isRow(row))
    },
  }
}
