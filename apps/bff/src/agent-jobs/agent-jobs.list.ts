import { and, asc, count, desc, isNull, lt, or, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { graceEndOf, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import { currentRevision } from '#db/revision.ts'
import { AppError } from '#http/app-error.ts'

const Cursor = z.tuple([z.int(), z.string(), z.string()])

const cursorOf = (row: AgentJobRow): string =>
  Buffer.from(JSON.stringify([row.followedAt.getTime(), row.projectId, row.id])).toString('base64url')

const afterCursor = (cursor: string) => {
  let place: z.infer<typeof Cursor>
  try {
    place = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    throw new AppError('invalid_request', 'This page of the list does not exist. Start from the first page.', {
      field: 'cursor',
      cause,
    })
  }
  const [followedMs, projectId, id] = place
  const followedAt = new Date(followedMs)
  return or(
    lt(agentJobs.followedAt, followedAt),
    and(eq(agentJobs.followedAt, followedAt), sql`(${agentJobs.projectId}, ${agentJobs.id}) > (${projectId}, ${id})`),
  )
}

/** How many jobs are followed, and how many of them can still change. */
export const countAgentJobs = async (db: Database): Promise<{ all: number; active: number }> => {
  const [counts] = await db
    .select({
      all: count(),
      active: sql<number>`(count(*) filter (where ${agentJobs.finishedAt} is null and ${agentJobs.goneAt} is null))::int`,
    })
    .from(agentJobs)
    .where(isNull(agentJobs.removedAt))
  return counts ?? { all: 0, active: 0 }
}

/** One page of followed jobs, newest followed first. */
export const pageOfAgentJobs = async (
  db: Database,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) => {
  const rows = await db
    .select()
    .from(agentJobs)
    .where(and(isNull(agentJobs.removedAt), cursor === undefined ? undefined : afterCursor(cursor)))
    .orderBy(desc(agentJobs.followedAt), asc(agentJobs.projectId), asc(agentJobs.id))
    .limit(limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}

/**
 * Names the content of a page. `finishing` ends by itself, without a change in the database, so the version carries the
 * earliest such end: from then on it is no longer current, whatever the watcher does.
 */
export const versionOf = (revision: number, rows: readonly AgentJobRow[], now: number): string => {
  const ends = rows.map(graceEndOf).filter((end) => end !== null && end > now)
  return ends.length === 0 ? String(revision) : `${revision}.${Math.min(...ends.map(Number))}`
}

/** The version among those a reader holds (an `If-None-Match` header) that is still current; reads one row. */
export const currentVersion = async (
  db: Database,
  held: string | undefined,
  now: number,
): Promise<{ revision: number; current: string | null }> => {
  const revision = await currentRevision(db, 'agent_jobs')
  for (const [, version, itsRevision, graceEnd] of held?.matchAll(/"((\d+)(?:\.(\d+))?)"/g) ?? [])
    if (Number(itsRevision) === revision && (graceEnd === undefined || now < Number(graceEnd)))
      return { revision, current: version ?? null }
  return { revision, current: null }
}
