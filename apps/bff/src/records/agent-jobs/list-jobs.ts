import type { ListedAgentJobs } from '@docket/api-types/agent-jobs'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Polling } from '#service/polling/polling.ts'
import { agentJobs } from './agent-jobs.table.ts'

// Entries carry their to-dos, and an answer of more than 10,000 parts is refused.
const take = 25
/** A shorter page is the last one, also of a service that ignores `take` and sends its usual 12. */
const minPage = 12

const notAllowed = () =>
  new AppError(
    'conflict',
    'The list of agent jobs is off for this connection. An admin can turn it on in Settings, if the service offers it.',
  )

/**
 * One page of the jobs of a project, as the service lists them. Makes one call, which a person pays for. Rejects with `conflict`
 * unless `listAllowed`, or with `upstream_*`.
 */
export const listProjectJobs = async (
  deps: { db: Database; adminApi: AdminApi; polling: Polling; listAllowed: boolean },
  { projectId, skip }: { projectId: string; skip: number },
): Promise<ListedAgentJobs> => {
  const { db, adminApi, listAllowed } = deps
  const { limiter, connectionId } = deps.polling
  if (!listAllowed) throw notAllowed()
  const { jobs, entries, skipped } = await limiter.call(
    () => adminApi.listAgentJobs({ projectId, skip, take }),
    'listAgentJobs',
  )
  const ids = jobs.map(({ id }) => id)
  const isListed = and(
    eq(agentJobs.connectionId, connectionId),
    eq(agentJobs.projectId, projectId),
    inArray(agentJobs.id, ids),
    isNull(agentJobs.removedAt),
  )
  const rows = ids.length === 0 ? [] : await db.select({ id: agentJobs.id }).from(agentJobs).where(isListed)
  const followed = new Set(rows.map(({ id }) => id))
  return {
    jobs: jobs.map((job) => ({ ...job, followed: followed.has(job.id) })),
    next: entries < minPage ? null : skip + entries,
    skipped,
  }
}
