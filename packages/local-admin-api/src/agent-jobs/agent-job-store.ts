import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import { parseAgentJob, type AgentJobRecord, type Turn } from './agent-job.ts'
import { agentJobs } from './agent-jobs.table.ts'

/** An attempt at a job's current turn. A worker whose attempt has another number has lost the job. */
export type Attempt = { id: string; attemptId: string }

export class LostJob extends Error {}

type Begun = { kind: 'over' } | { kind: 'later' } | { kind: 'begun'; job: AgentJobRecord; losses: number }

type Row = typeof agentJobs.$inferSelect
type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Form of a job id; PostgreSQL rejects NUL. */
const plainName = /^[\w-]{1,100}$/

export const createAgentJobStore = (db: Database) => {
  const lock = async (tx: Transaction, id: string): Promise<Row | null> =>
    (await tx.select().from(agentJobs).where(eq(agentJobs.id, id)).for('update'))[0] ?? null
  const save = async (tx: Transaction, job: AgentJobRecord, more: Partial<Row> = {}) => {
    const row = toRow(job)
    const lost = job.status === 'active' ? {} : { attemptId: null, losses: 0 }
    await tx
      .update(agentJobs)
      .set({ ...row, ...lost, ...more })
      .where(eq(agentJobs.id, job.id))
    return job
  }
  const isProject = (projectId: string) => eq(agentJobs.projectId, projectId)

  const change = (id: string, make: (job: AgentJobRecord) => AgentJobRecord | null): Promise<AgentJobRecord> =>
    db.transaction(async (tx) => {
      const row = await lock(tx, id)
      if (row === null) throw new Error('There is no such agent job.')
      const job = toRecord(row)
      const changed = make(job)
      return changed === null ? job : save(tx, changed)
    })
  const changeTurn = (
    { id, attemptId }: Attempt,
    position: number,
    make: (turn: Turn) => Partial<Turn>,
    more: Partial<AgentJobRecord> = {},
  ): Promise<AgentJobRecord> =>
    db.transaction(async (tx) => {
      const row = await lock(tx, id)
      if (row?.attemptId !== attemptId) throw new LostJob('Another worker has this job.')
      const job = toRecord(row)
      const turn = { ...job.turns[position]!, ...make(job.turns[position]!) }
      const changed = deriveJob({ ...job, ...more }, job.turns.with(position, turn))
      return save(tx, changed, turn.outcome === null ? {} : { attemptId: null, losses: 0 })
    })

  return {
    find: async (id: string): Promise<AgentJobRecord | null> => {
      if (!plainName.test(id)) return null
      const [row] = await db.select().from(agentJobs).where(eq(agentJobs.id, id))
      return row ? toRecord(row) : null
    },
    add: async (job: AgentJobRecord): Promise<AgentJobRecord> => {
      await db.insert(agentJobs).values({ ...toRow(job), queuedAt: sql`now()` })
      return job
    },
    /** Changes a job based on its current state; null changes nothing. Changes of one job never overlap. */
    change,
    /** Changes a turn that an attempt works on, with `more` of its job. Throws `LostJob` when the attempt has lost it. */
    changeTurn,
    /** Takes the job's first unfinished turn for an attempt, unless another job of the project is running. */
    begin: (attempt: Attempt, position: number): Promise<Begun> =>
      db.transaction(async (tx): Promise<Begun> => {
        const row = await lock(tx, attempt.id)
        const turn = row && toRecord(row).turns[position]
        if (!row || !turn || turn.outcome !== null) return { kind: 'over' }
        const first = row.turns.findIndex(({ outcome }) => outcome === null)
        if (first !== position) return { kind: 'later' }
        const [before] = await tx
          .select({ id: agentJobs.id })
          .from(agentJobs)
          .where(and(isProject(row.projectId), isNotNull(agentJobs.attemptId), ne(agentJobs.id, row.id)))
        if (before) return { kind: 'later' }
        const losses = row.losses + Number(row.attemptId !== null)
        await tx.update(agentJobs).set({ attemptId: attempt.attemptId, losses }).where(eq(agentJobs.id, row.id))
        return { kind: 'begun', job: toRecord(row), losses }
      }),
    release: async ({ id, attemptId }: Attempt): Promise<void> => {
      const isAt = and(eq(agentJobs.id, id), eq(agentJobs.attemptId, attemptId))
      await db.update(agentJobs).set({ attemptId: null }).where(isAt)
    },
    /** Null once the attempt has lost its job. */
    check: async (
      { id, attemptId }: Attempt,
      position: number,
    ): Promise<{ isCancelled: boolean; isPushing: boolean } | null> => {
      const turn = sql`${agentJobs.turns}->${position}::int`
      const [row] = await db
        .select({
          isCancelled: sql<boolean>`${turn}->>'cancelAskedAt' is not null`,
          isPushing: sql<boolean>`${turn}->>'commit' is not null`,
        })
        .from(agentJobs)
        .where(and(eq(agentJobs.id, id), eq(agentJobs.attemptId, attemptId)))
      return row ?? null
    },
    /** Marks jobs as queued now, except those of embedded code hosts other than `codeHost`. */
    takeForgotten: async (
      seconds: number,
      limit: number,
      codeHost: string | null,
    ): Promise<Pick<AgentJobRecord, 'id' | 'projectId' | 'codeHost' | 'turns'>[]> => {
      const isElsewhere = isNull(agentJobs.codeHost)
      const forgotten = db
        .select({ id: agentJobs.id })
        .from(agentJobs)
        .where(
          and(
            eq(agentJobs.status, 'active'),
            codeHost === null ? isElsewhere : or(isElsewhere, eq(agentJobs.codeHost, codeHost)),
            or(isNull(agentJobs.queuedAt), lt(agentJobs.queuedAt, sql`now() - make_interval(secs => ${seconds})`)),
          ),
        )
        .orderBy(sql`${agentJobs.queuedAt} nulls first`)
        .limit(limit)
        .for('update', { skipLocked: true })
      const rows = await db
        .update(agentJobs)
        .set({ queuedAt: sql`now()` })
        .where(inArray(agentJobs.id, forgotten))
        .returning()
      return rows.toSorted((a, b) => a.seq - b.seq)
    },
    listProject: async (projectId: string, { skip, take }: { skip: number; take: number }) => {
      if (projectId.includes('\0')) return []
      const rows = await db
        .select()
        .from(agentJobs)
        .where(isProject(projectId))
        .orderBy(desc(agentJobs.createdAt), desc(agentJobs.seq))
        .limit(take)
        .offset(skip)
      return rows.map(toRecord)
    },
    hasJobs: async (projectId: string): Promise<boolean> => {
      if (projectId.includes('\0')) return false
      return (await db.select({ id: agentJobs.id }).from(agentJobs).where(isProject(projectId)).limit(1)).length > 0
    },
    /** Times (ISO 8601) of a project's new jobs, or of its follow-up messages, since `at`. */
    listSent: async (projectId: string, kind: 'jobs' | 'messages', at: Date): Promise<string[]> => {
      if (kind === 'jobs') {
        const rows = await db
          .select({ createdAt: agentJobs.createdAt })
          .from(agentJobs)
          .where(and(isProject(projectId), gte(agentJobs.createdAt, at)))
        return rows.map(({ createdAt }) => createdAt.toISOString())
      }
      const { rows } = await db.execute<{ sent_at: string }>(
        sql`select turn->>'sentAt' as sent_at from ${agentJobs}, jsonb_array_elements(${agentJobs.turns} - 0) turn
            where ${and(isProject(projectId), gte(agentJobs.changedAt, at))} and turn->>'sentAt' >= ${at.toISOString()}`,
      )
      return rows.map((row) => row.sent_at)
    },
    /** Reported cost of the turns that ended on a day (UTC). US dollars. */
    sumDayCost: async (day: string): Promise<number> => {
      const { rows } = await db.execute<{ cost: number }>(
        sql`select coalesce(sum((turn->'usage'->>'costUsd')::float8), 0)::float8 as cost
            from ${agentJobs}, jsonb_array_elements(${agentJobs.turns}) turn
            where ${gte(agentJobs.changedAt, new Date(`${day}T00:00:00.000Z`))} and starts_with(turn->>'finishedAt', ${day})`,
      )
      return rows[0]!.cost
    },
    /** Jobs that ended at `at` or before, the oldest first. */
    listEnded: async (at: Date, limit: number): Promise<string[]> => {
      const rows = await db
        .select({ id: agentJobs.id })
        .from(agentJobs)
        .where(and(inArray(agentJobs.status, ['completed', 'failed']), lte(agentJobs.changedAt, at)))
        .orderBy(asc(agentJobs.changedAt))
        .limit(limit)
      return rows.map(({ id }) => id)
    },
    listUntidy: async (limit: number): Promise<string[]> => {
      const rows = await db
        .select({ id: agentJobs.id })
        .from(agentJobs)
        .where(and(eq(agentJobs.status, 'archived'), eq(agentJobs.branchRemoved, false)))
        .orderBy(desc(agentJobs.archivedAt))
        .limit(limit)
      return rows.map(({ id }) => id)
    },
    /** Place of a job in the queue; 1 is next. Each project runs one job at a time. Null when the job is not waiting. */
    findPosition: async (id: string): Promise<number | null> => {
      const { rows } = await db.execute<{ place: number }>(
        sql`with waiting as (
              select id, row_number() over (order by round, since, seq)::int as place from (
                select ${agentJobs.id}, ${agentJobs.seq}, ${agentJobs.waitingSince} as since,
                  row_number() over (partition by ${agentJobs.projectId} order by ${agentJobs.waitingSince}, ${agentJobs.seq}) as round
                from ${agentJobs} where ${isNotNull(agentJobs.waitingSince)}
              ) ordered
            )
            select place from waiting where id = ${id}`,
      )
      return rows[0]?.place ?? null
    },
  }
}

export type AgentJobStore = ReturnType<typeof createAgentJobStore>

export const deriveJob = (job: AgentJobRecord, turns: Turn[]): AgentJobRecord => {
  if (job.status === 'archived') return { ...job, turns }
  const isActive = turns.some(({ outcome }) => outcome === null)
  const status = turns.at(-1)!.outcome === 'completed' ? 'completed' : 'failed'
  return { ...job, turns, status: isActive ? 'active' : status }
}

export const toRow = (record: AgentJobRecord) => {
  const job = removeUnstorable(record)
  const { turns, createdAt, archivedAt } = job
  const first = turns.find(({ outcome }) => outcome === null)
  const changes = turns.flatMap(({ sentAt, startedAt, finishedAt }) => [sentAt, startedAt, finishedAt])
  return {
    ...job,
    createdAt: new Date(createdAt),
    archivedAt: archivedAt === null ? null : new Date(archivedAt),
    changedAt: new Date(Math.max(...changes.map((time) => Date.parse(time ?? createdAt)))),
    waitingSince: first && first.startedAt === null ? new Date(first.sentAt) : null,
  }
}

/** PostgreSQL refuses NUL and lone surrogates in text. */
const removeUnstorable = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'string' ? each.replaceAll('\0', '\ufffd').toWellFormed() : each,
    ),
  ) as T

/** Throws when another version of Docket wrote the row. */
export const toRecord = (row: Row): AgentJobRecord => {
  const times = { createdAt: row.createdAt.toISOString(), archivedAt: row.archivedAt?.toISOString() ?? null }
  const job = parseAgentJob({ ...row, ...times }, row.id)
  if (job === null) throw new Error(`The agent job ${row.id} has a row that this version cannot read.`)
  return job
}

const pauseMs = 500
const patienceMs = 20_000

/** Retries a database call that must survive a restart of the database. Rejects after 20 s, or at once with `LostJob`. */
export const retryDatabase = async <T>(work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LostJob) throw error
      // The original message contains the query and its values.
      if (performance.now() > until) throw new Error('The database did not answer.', { cause: error })
      await sleep(pauseMs)
    }
  }
}
