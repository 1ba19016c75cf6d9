import type { PinnedSource } from '@docket/sources/site-sources'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import { schemas } from '#database/schemas.ts'
import { staticExports } from './static-exports.table.ts'

/** Lock for the places in the queue. Any number that nobody else locks in this database. */
const startLock = 7_366_539

/** Form of a job id; PostgreSQL rejects NUL. */
const plainName = /^[\w-]{1,100}$/

const unfinished = inArray(staticExports.status, ['queued', 'running'])

const silentMs = 5_000

const untouched = (ms: number) => lt(staticExports.touchedAt, sql`now() - make_interval(secs => ${ms / 1000})`)

const queued = sql`select from ${sql.identifier(schemas.queues)}.job
  where coalesce(singleton_key, '') = ${staticExports.jobId} and state <= 'active' and policy = 'exclusive'`

/** An attempt at an export. A worker whose attempt has another number has lost the export. */
export type Attempt = { jobId: string; attemptId: string }

export type Outcome = { status: 'completed'; pageCount: number } | { status: 'failed'; error: string }

export const createExportStore = (db: Database, now: () => Date) => {
  const isAt = ({ jobId, attemptId }: Attempt) =>
    and(eq(staticExports.jobId, jobId), eq(staticExports.attemptId, attemptId))

  return {
    find: async (jobId: string): Promise<ExportJob | null> => {
      if (!plainName.test(jobId)) return null
      return (await db.select().from(staticExports).where(eq(staticExports.jobId, jobId)))[0] ?? null
    },
    countUnfinished: (): Promise<number> => db.$count(staticExports, unfinished),
    countRivals: ({ domain, priority }: Pick<ExportJob, 'domain' | 'priority'>): Promise<number> =>
      db.$count(staticExports, and(unfinished, eq(staticExports.domain, domain), eq(staticExports.priority, priority))),
    /** An export that had begun counts after `sameExporterMs` too, because nobody may work on its exporter's queue any more. */
    listForgotten: (ms: number, sameExporterMs: number): Promise<ExportJob[]> => {
      const isStuck = and(isNotNull(staticExports.exporter), untouched(sameExporterMs))
      return db
        .select()
        .from(staticExports)
        .where(and(unfinished, untouched(ms), or(isStuck, sql`not exists (${queued})`)))
    },
    /** Null when `limit` exports wait or run already. */
    add: async (jobId: string, request: ExportRequest, limit: number): Promise<ExportJob | null> =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${startLock})`)
        const [row] = await tx.select({ count: count() }).from(staticExports).where(unfinished)
        if (row!.count >= limit) return null
        const at = now()
        const values = { jobId, ...request, status: 'queued', createdAt: at, updatedAt: at } as const
        return (await tx.insert(staticExports).values(values).returning())[0]!
      }),
    isForgotten: async (jobId: string, ms: number): Promise<boolean> =>
      (await db.$count(staticExports, and(eq(staticExports.jobId, jobId), untouched(ms)))) > 0,
    /** Takes an export for an attempt. Null when it is finished, or while another attempt still reports. */
    begin: async ({ jobId, attemptId }: Attempt, exporter: string): Promise<ExportJob | null> => {
      const [job] = await db
        .update(staticExports)
        .set({
          status: 'running',
          attemptId,
          exporter,
          // A living worker returns its export before it ends.
          losses: sql`${staticExports.losses} + (${staticExports.attemptId} is not null)::int`,
          updatedAt: now(),
          touchedAt: sql`now()`,
        })
        .where(
          and(eq(staticExports.jobId, jobId), unfinished, or(isNull(staticExports.attemptId), untouched(silentMs))),
        )
        .returning()
      return job ?? null
    },
    /** Records the progress of an attempt. False once it was cancelled or another worker has it. */
    note: async (
      attempt: Attempt,
      { progress, pageCount }: { progress: number; pageCount: number },
    ): Promise<boolean> => {
      const [row] = await db
        .update(staticExports)
        .set({
          progress: sql`greatest(${staticExports.progress}, ${Math.min(progress, 99)}::real)`,
          pageCount: sql`greatest(${staticExports.pageCount}, ${pageCount}::int)`,
          updatedAt: now(),
          touchedAt: sql`now()`,
        })
        .where(isAt(attempt))
        .returning({ cancelAskedAt: staticExports.cancelAskedAt })
      return row !== undefined && row.cancelAskedAt === null
    },
    /** Null when another worker has the export. */
    end: async (attempt: Attempt, outcome: Outcome): Promise<ExportJob | null> => {
      const ended = { ...outcome, attemptId: null, updatedAt: now(), touchedAt: sql`now()` }
      const [job] = await db
        .update(staticExports)
        .set(outcome.status === 'completed' ? { ...ended, progress: 100 } : ended)
        .where(isAt(attempt))
        .returning()
      return job ?? null
    },
    /** Returns an export to the queue for another attempt. `crashed` is true when the export itself ended the attempt. */
    release: async (attempt: Attempt, { crashed }: { crashed: boolean }): Promise<void> => {
      await db
        .update(staticExports)
        .set({
          status: 'queued',
          attemptId: null,
          crashes: sql`${staticExports.crashes} + ${Number(crashed)}::int`,
          updatedAt: now(),
          touchedAt: sql`now()`,
        })
        .where(isAt(attempt))
    },
    releaseAll: async (): Promise<void> => {
      await db
        .update(staticExports)
        .set({ attemptId: null, losses: sql`${staticExports.losses} + 1` })
        .where(and(unfinished, isNotNull(staticExports.attemptId)))
    },
    /** Requests the end of an export; a waiting one ends at once. Resolves with the job's state afterwards. */
    askCancel: async (jobId: string, reason: string): Promise<ExportJob | null> => {
      const at = now()
      const isQueued = sql`${staticExports.status} = 'queued'`
      const [job] = await db
        .update(staticExports)
        .set({
          cancelAskedAt: sql`coalesce(${staticExports.cancelAskedAt}, ${at.toISOString()}::timestamptz)`,
          status: sql`case when ${isQueued} then 'failed' else ${staticExports.status} end`,
          error: sql`case when ${isQueued} then ${reason} else ${staticExports.error} end`,
          updatedAt: at,
        })
        .where(and(eq(staticExports.jobId, jobId), unfinished))
        .returning()
      return job ?? null
    },
    lend: async (jobId: string, until: Date): Promise<void> => {
      const lentUntil = sql`greatest(${staticExports.lentUntil}, ${until.toISOString()}::timestamptz)`
      await db.update(staticExports).set({ lentUntil }).where(eq(staticExports.jobId, jobId))
    },
    /** Exports that ended at or before `at` and whose bundle links have expired, oldest first. */
    listEndedBefore: (at: Date, limit: number): Promise<ExportJob[]> =>
      db
        .select()
        .from(staticExports)
        .where(
          and(
            inArray(staticExports.status, ['completed', 'failed']),
            lte(staticExports.updatedAt, at),
            or(isNull(staticExports.lentUntil), lt(staticExports.lentUntil, now())),
          ),
        )
        .orderBy(asc(staticExports.updatedAt))
        .limit(limit),
    remove: async (jobId: string): Promise<void> => {
      await db.delete(staticExports).where(eq(staticExports.jobId, jobId))
    },
    /** Commits that the next exports may read: those of unfinished exports, and the newest of each repository. */
    listPins: async (): Promise<PinnedSource[]> => {
      const pinned = isNotNull(staticExports.pin)
      const repository = sql`${staticExports.pin}->>'repository', ${staticExports.pin}->>'ref'`
      const newest = await db
        .selectDistinctOn([repository], { pin: staticExports.pin })
        .from(staticExports)
        .where(pinned)
        .orderBy(repository, desc(staticExports.createdAt))
      const waiting = await db.select({ pin: staticExports.pin }).from(staticExports).where(and(pinned, unfinished))
      return [...newest, ...waiting].map(({ pin }) => pin!)
    },
  }
}

export type ExportStore = ReturnType<typeof createExportStore>

/** A static export: the fields of the Admin API (§2.3) and the state of the work. */
export type ExportJob = typeof staticExports.$inferSelect

export type ExportRequest = Pick<ExportJob, 'domain' | 'version' | 'paths' | 'pin' | 'priority'>
