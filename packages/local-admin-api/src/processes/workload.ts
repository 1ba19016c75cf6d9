import { asc, not, sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import { isSilent } from './processes.ts'
import { processes } from './processes.table.ts'

export type Work = {
  waiting: number
  running: number
  /** How long the oldest of them waits. Milliseconds; 0 when none does. */
  oldestWaitMs: number
}

export type Workload = {
  processes: { host: string; serves: boolean; exports: number; agents: number; startedAt: Date }[]
  exports: Work
  agents: Work
}

/** pg-boss has an entry for each job of an agent, but only while it waits or runs. */
const agentQueues = 'docket-agent%'

type Counts = { waiting: string; running: string; oldest: Date | null }

/** Reads the workload of the service. Both counts use indexes that leave out finished work. */
export const readWorkload = async (db: Database, now: () => Date): Promise<Workload> => {
  const toWork = ({ rows: [row] }: { rows: Counts[] }): Work => ({
    waiting: Number(row?.waiting ?? 0),
    running: Number(row?.running ?? 0),
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
    from embedded_service.static_exports where status in ('queued', 'running')`)
  const ofAgents = await db.execute<Counts>(sql`
    select count(*) filter (where state <> 'active') as waiting, count(*) filter (where state = 'active') as running,
      min(greatest(created_on, start_after)) filter (where state <> 'active') as oldest
    from pgboss.job where name like ${agentQueues} and state in ('created', 'retry', 'active')`)
  return { processes: alive, exports: toWork(ofExports), agents: toWork(ofAgents) }
}
