import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { commonQueue, toQueue } from '#agent-jobs/queue/queue-names.ts'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'
import type { OwnCodeHost } from '#service/service-code-host.ts'

/**
 * Moves active jobs to the queue of the code host that their project has now, because LOCAL_PROJECTS or the data folder may have changed.
 * `own` not null: no other live process has an embedded code host, so jobs of other data folders belong here.
 */
export const adoptJobs = async (
  db: Database,
  { own, remoteIds }: { own: OwnCodeHost | null; remoteIds: readonly string[] },
  log: Log,
): Promise<void> => {
  const move = async (where: ReturnType<typeof and>, codeHost: string | null) => {
    const moved = await db
      .update(agentJobs)
      .set({ codeHost, queuedAt: null })
      .where(and(eq(agentJobs.status, 'active'), where))
      .returning({ id: agentJobs.id })
    if (moved.length > 0)
      log.warn({ jobs: moved.map(({ id }) => id) }, 'agent jobs moved to the code host that their projects have now')
  }
  /** Their jobs are in another queue now, or over. */
  const forget = (which: ReturnType<typeof sql>) =>
    db.execute(sql`delete from pgboss.job where starts_with(name, ${`${commonQueue}-`}) and ${which}`)

  if (remoteIds.length > 0) {
    await move(and(isNotNull(agentJobs.codeHost), inArray(agentJobs.projectId, [...remoteIds])), null)
    await forget(inArray(sql`group_id`, [...remoteIds]))
  }
  if (own === null) return
  const isOther = ne(agentJobs.codeHost, own.marker)
  const isOurs = and(isNull(agentJobs.codeHost), inArray(agentJobs.projectId, [...own.projectIds]))
  await move(or(isOther, isOurs), own.marker)
  await forget(sql`name <> ${toQueue(own.marker)}`)
}
