import type { Projects } from '@docket/code-hosts/code-host'
import type { Repositories } from '@docket/code-hosts/embedded/repositories'
import { createCommandRunner } from '@docket/doc-agent/runners/command'
import { noAgentRunner, testRunner } from '@docket/doc-agent/runners/runner'
import { openWorkFolders } from '@docket/sandbox/work-folders'
import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { createJobLogs } from '#agent-jobs/job-logs.ts'
import { readPullRequest } from '#agent-jobs/job-details.ts'
import type { Database } from '#database/database.ts'
import type { Queues } from '#database/queues.ts'
import { schemas } from '#database/schemas.ts'
import type { Log } from '#log.ts'
import { createMaintenanceRoutes, createMaintenancePreviews } from '#maintenance/preview.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import type { OwnCodeHost } from '#service/claims.ts'
import { createAgentJobStore } from './agent-job-store.ts'
import { createAgentJobRoutes } from './agent-jobs.routes.ts'
import { createAgentJobService } from './agent-jobs.service.ts'
import { importAgentJobs } from './import-agent-jobs.ts'
import { sentinelJobs } from './sentinels.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { commonQueue, toQueue } from './work-on-jobs.ts'

export const openAgentJobs = async (
  options: Pick<LocalAdminApiOptions, 'agent' | 'strict' | 'hasRoom'>,
  around: {
    projects: Projects
    repositories: Repositories
    codeHost: OwnCodeHost | null
    place: (...names: string[]) => string
    db: Database
    queues: () => Queues
    origin: () => string
    now: () => Date
    log: Log
  },
) => {
  const { agent = {}, strict = false, hasRoom } = options
  const { projects, repositories, codeHost, place, db, queues, origin, now, log } = around
  await importAgentJobs(db, { jobs: place('agent-jobs'), logs: place('agent-job-logs') }, codeHost, log)
  const remoteIds = projects.projectIds.filter((id) => !repositories.projectIds.includes(id))
  await adoptJobs(db, { own: codeHost, remoteIds }, log)
  const { command = null } = agent
  const hidden = [place(), ...(agent.hidden ?? [])]
  const runner =
    command === null ? (testRunner.current ?? noAgentRunner) : createCommandRunner({ ...agent, command, hidden })
  const workFolders = await openWorkFolders(place())
  const agentJobs = createAgentJobService({
    store: createAgentJobStore(db),
    queues,
    projects,
    codeHost,
    runner,
    workFolders,
    logs: createJobLogs(db, log),
    now,
    log,
    limits: agent,
    hasRoom,
  })
  const maintenance = createMaintenancePreviews({ projects, workFolders, log })
  const { repositoryUrl } = projects
  return {
    agentJobs,
    maintenance,
    hasAgent: runner !== noAgentRunner,
    routes: createAgentJobRoutes({
      agentJobs,
      sentinels: sentinelJobs(),
      repositoryUrl,
      readPullRequest: (job) => readPullRequest(job, repositories),
      origin,
      strict,
    }),
    maintenanceRoutes: strict ? null : createMaintenanceRoutes(maintenance),
  }
}

/** When `own` is not null, no other running process has an embedded code host, so jobs of other data folders belong here. */
const adoptJobs = async (
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
  /** Removes queue entries whose jobs are finished or in another queue now. */
  const forget = (which: ReturnType<typeof sql>) =>
    db.execute(
      sql`delete from ${sql.identifier(schemas.queues)}.job where starts_with(name, ${`${commonQueue}-`}) and ${which}`,
    )

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
