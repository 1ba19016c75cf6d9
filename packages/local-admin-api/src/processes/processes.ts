import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, lt, ne, sql, asc, not } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import { schemas } from '#database/schemas.ts'
import type { Log } from '#log.ts'
import { processes } from './processes.table.ts'

const everyMs = 5_000
const silentSeconds = 15

export type ProcessRole = Pick<
  typeof processes.$inferInsert,
  'host' | 'serves' | 'exports' | 'agents' | 'exporter' | 'store'
>

export const isSilent = lt(processes.seenAt, sql`now() - make_interval(secs => ${silentSeconds})`)

export const joinProcesses = async (db: Database, role: ProcessRole, log: Log) => {
  const id = randomUUID()
  let codeHost: string | null = null
  const reportAlive = async () => {
    await db
      .insert(processes)
      .values({ id, ...role, codeHost })
      .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`now()` } })
    await db.delete(processes).where(isSilent)
  }
  await reportAlive()
  const timer = setInterval(() => {
    reportAlive().catch((error: unknown) => log.debug({ err: error }, 'this process could not say that it is alive'))
  }, everyMs).unref()
  return {
    listOthers: () => db.select().from(processes).where(ne(processes.id, id)),
    /** Resolves to null when no process has a different one. Else changes nothing, and resolves to such a process. */
    claimCodeHost: (marker: string): Promise<{ host: string } | null> =>
      db.transaction(async (tx) => {
        // If several processes start at the same moment, one is first.
        await tx.execute(sql`lock table ${processes} in share row exclusive mode`)
        const isOther = and(ne(processes.id, id), isNotNull(processes.codeHost), ne(processes.codeHost, marker))
        const [other] = await tx.select({ host: processes.host }).from(processes).where(isOther)
        if (other) return other
        await tx.update(processes).set({ codeHost: marker }).where(eq(processes.id, id))
        codeHost = marker
        return null
      }),
    /** Call it before the connections to the database close. */
    close: async () => {
      clearInterval(timer)
      await db.delete(processes).where(eq(processes.id, id))
    },
  }
}

/** Removes the processes of a database that only this one can use: a crash left them. */
export const forgetProcesses = async (db: Database): Promise<void> => {
  await db.delete(processes)
}

export type Processes = Awaited<ReturnType<typeof joinProcesses>>

/** pg-boss has an entry for each job of an agent, but only while it waits or runs. */
const agentQueues = 'docket-agent%'

type Counts = { waiting: string; running: string; oldest: Date | null }

/** Both counts use indexes that leave out finished work. */
export const readWorkload = async (db: Database, now: () => Date) => {
  const toWork = ({ rows: [row] }: { rows: Counts[] }) => ({
    waiting: Number(row?.waiting ?? 0),
    running: Number(row?.running ?? 0),
    /** How long the oldest one has waited. Milliseconds; 0 when none is waiting. */
    oldestWaitMs: row?.oldest ? Math.max(0, now().getTime() - new Date(row.oldest).getTime()) : 0,
  })
  const { host, serves, exports, agents, startedAt } = processes
  const alive = await db
    .select({ host, serves, exports, agents, startedAt })
    .from(processes)
    .where(not(isSilent))
    .orderBy(asc(startedAt))
  const ofExports = await db.execute<Counts>(sql`
    select count(*) filter (where status = 'queued') as waiting, count(*) filter (where status = 'running') as running,
      min(updated_at) filter (where status = 'queued') as oldest
    from ${sql.identifier(schemas.embedded)}.static_exports where status in ('queued', 'running')`)
  const ofAgents = await db.execute<Counts>(sql`
    select count(*) filter (where state <> 'active') as waiting, count(*) filter (where state = 'active') as running,
      min(greatest(created_on, start_after)) filter (where state <> 'active') as oldest
    from ${sql.identifier(schemas.queues)}.job where name like ${agentQueues} and state in ('created', 'retry', 'active')`)
  return { processes: alive, exports: toWork(ofExports), agents: toWork(ofAgents) }
}
