import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { previewViolations } from './artifacts.table.ts'

type Violation = { page: string; directive: string; target: string }

/** Maximum number of distinct violations of one bundle, because pages could invent any number. */
const maxPerBundle = 500

export const createViolationStore = (db: Database) => {
  const { sha256: ofBundle, page, directive, target } = previewViolations
  return {
    /** Counts a violation. True when it is new. New violations beyond 500 per bundle, and those of a deleted bundle, are dropped. */
    record: async (sha256: string, violation: Violation, at: Date): Promise<boolean> => {
      const isSame = and(
        eq(ofBundle, sha256),
        eq(page, violation.page),
        eq(directive, violation.directive),
        eq(target, violation.target),
      )
      const { rowCount } = await db
        .update(previewViolations)
        .set({ count: sql`least(${previewViolations.count} + 1, 1000000)` })
        .where(isSame)
      if (rowCount !== 0) return false
      const [known] = await db.select({ found: count() }).from(previewViolations).where(eq(ofBundle, sha256))
      if (known!.found >= maxPerBundle) return false
      // The lock waits for a process that is storing the same bytes, so that exactly one of the two counts the violation.
      const inserted = await db.execute(
        sql`insert into ${previewViolations} (sha256, page, directive, target, count, first_seen_at)
          select sha256, ${violation.page}, ${violation.directive}, ${violation.target}, 1, ${at.toISOString()}::timestamptz
          from stored_bundles where sha256 = ${sha256} for share
          on conflict (sha256, page, directive, target) do nothing`,
      )
      return inserted.rowCount !== 0
    },
    list: (sha256: string) =>
      db
        .select({ page, directive, target, count: previewViolations.count })
        .from(previewViolations)
        .where(eq(ofBundle, sha256))
        .orderBy(desc(previewViolations.count), asc(target), asc(page))
        .limit(maxPerBundle),
  }
}
