import { countActive as countActiveJobs, jobReads } from '#records/agent-jobs/agent-jobs.list.ts'
import { jobDurations } from '#records/agent-jobs/agent-jobs.history.ts'
import { agentJobs as agentJobTable } from '#records/agent-jobs/agent-jobs.table.ts'
import { openJobsAt } from '#records/agent-jobs/agent-jobs.watcher.ts'
import { endTimedOutPrompts } from '#records/agent-jobs/prompts/prompt-outcome.ts'
import { openPromptsAt } from '#records/agent-jobs/prompts/send-prompt.ts'
import { purgeRemovedJobs } from '#records/agent-jobs/remove-job.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import type { RepositoriesCtx } from '#records/code-host/repositories.ts'
import type { CodeHostsCtx } from '#records/pull-requests/code-hosts.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { codeHostLinks } from '#records/code-host/code-host-link.ts'
import { createCodeHostOpener, type OpenCodeHost, type OwnCodeHost } from '#records/pull-requests/open-code-hosts.ts'
import { createPullRequestWatcher, type ReadOutcome } from '#records/pull-requests/pull-request-watcher.ts'
import { purgeRemovedExports } from '#records/static-exports/remove-export.ts'
import { exportDurations } from '#records/static-exports/static-exports.history.ts'
import { countActive as countActiveExports, exportReads } from '#records/static-exports/static-exports.list.ts'
import { staticExports as staticExportTable } from '#records/static-exports/static-exports.table.ts'
import { endTimedOutStarts, openExportsAt } from '#records/static-exports/static-exports.watcher.ts'
import type { OpenConnection } from '#service/connections/open-connection.ts'
import { understandAnswers } from '#service/connections/status-meanings.ts'
import { createReadQueries } from '#service/polling/due-reads.ts'
import type { RecordKind } from '#service/polling/read-interval.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { type RecordName, trackViewers } from '#service/polling/viewers.ts'
import type { Connections } from '#service/service.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Ground } from '#ground/ground.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'

type RecordsCtx = ExportsCtx & JobsCtx & CodeHostsCtx & RepositoriesCtx

export const recordKinds = (ctx: Pick<Ctx, 'db' | 'now'>) => ({
  static_exports: { ...createReadQueries(ctx, exportReads), table: exportReads.table, countActive: countActiveExports },
  agent_jobs: { ...createReadQueries(ctx, jobReads), table: jobReads.table, countActive: countActiveJobs },
})

type Watching = {
  open: OpenCodeHost
  own: readonly OwnCodeHost[]
  onRead: (outcome: ReadOutcome, kind: string) => void
}

const openRecordsAt = (base: OpenConnection, ctx: Ctx, watching: Watching) => {
  const { row, embedded, pollingBy } = base
  const adminApi = understandAnswers(base.adminApi, { db: ctx.db, row })
  const { limiters } = base.limits
  const exports = openExportsAt({ ...ctx, adminApi, polling: pollingBy(limiters.static_exports) })
  const pullRequests = createPullRequestWatcher({
    ...watching,
    ...ctx,
    own: embedded ? watching.own : [],
    connectionId: row.connectionId,
  })
  const jobs = openJobsAt({
    ...ctx,
    adminApi,
    polling: pollingBy(limiters.agent_jobs),
    listAllowed: row.agentJobList,
    promptsAllowed: row.agentJobCreation,
    readPullRequest: pullRequests.readNow,
  })
  const prompts = openPromptsAt({ ...ctx, limiter: limiters.agent_prompts, jobs })
  const watchers = [exports.watcher, jobs.watcher]
  return {
    here: { exports, jobs, prompts, pullRequests },
    start: () => watchers.forEach((watcher) => watcher.start()),
    tick: async () => pullRequests.tick(),
    wake: () => watchers.forEach((watcher) => watcher.wake()),
    stop: () =>
      Promise.all([
        pullRequests.stop(),
        prompts.calls.settled(),
        exports.starts.settled(),
        ...watchers.map((watcher) => watcher.stop()),
      ]),
  }
}

export const openRecords = (
  ground: Ground,
  deps: Pick<
    RecordsCtx,
    'codeHost' | 'describeOrder' | 'hasAgent' | 'readArtifacts' | 'retentionDays' | 'databaseWaitMs'
  > & {
    readChanges?: RecordsCtx['readChanges']
    registry: Connections
    instance: KeyRing
    ownCodeHosts: readonly OwnCodeHost[]
    /** The log hides these. Entries are added at run time. */
    secrets: Set<string>
    /** Null when no public address is set. */
    publicUrl: URL | null
  },
) => {
  const { db, now, log, events, work, ticks } = ground
  const { registry, instance: ring, ownCodeHosts: own, secrets, publicUrl, codeHost } = deps
  const openCodeHost = createCodeHostOpener({ ring, own, secrets })
  const readListeners: Watching['onRead'][] = []
  const watching: Watching = {
    open: openCodeHost,
    own,
    onRead: (...read) => readListeners.forEach((hear) => hear(...read)),
  }
  const connections = registry.addPart((base) => openRecordsAt(base, ground, watching))
  const { describeOrder, hasAgent, readArtifacts, readChanges, retentionDays, databaseWaitMs } = deps
  const ctx: RecordsCtx = {
    db,
    now,
    log,
    events,
    connections,
    retentionDays,
    readArtifacts,
    exportDurations: exportDurations(db, now),
    jobDurations: jobDurations(db, now),
    ownLink: codeHostLinks({ publicUrl, projectIds: codeHost?.projectIds ?? [] }),
    readChanges,
    hasAgent,
    describeOrder,
    ring,
    openCodeHost,
    codeHost,
    findEmbedded: () => registry.list().find(({ row }) => row.kind === 'embedded')?.row.connectionId ?? null,
    databaseWaitMs,
  }
  const { static_exports: exportKind, agent_jobs: jobKind } = recordKinds(ground)
  const viewers = trackViewers({
    db,
    kinds: {
      static_exports: {
        ...exportKind,
        key: [staticExportTable.exportId],
        wake: () => connections.all().forEach(({ exports }) => exports.watcher.wake()),
      },
      agent_jobs: {
        ...jobKind,
        key: [agentJobTable.connectionId, agentJobTable.projectId, agentJobTable.id],
        wake: () => connections.all().forEach(({ jobs }) => jobs.watcher.wake()),
      },
    },
    scheduleOf: (connectionId) => registry.find(connectionId)?.schedule,
    now,
    log,
  })
  // Also ends calls at connections that no process polls any more.
  ticks.add(10, () => endTimedOutStarts(db, now()))
  ticks.add(10, () => endTimedOutPrompts(db, { now: now(), schedule: idleSchedule }))
  work.add(
    { name: 'removed-exports', cron: '7 3 * * *', run: () => purgeRemovedExports(ctx) },
    { name: 'removed-jobs', cron: '17 3 * * *', run: () => purgeRemovedJobs(ctx) },
  )
  return {
    records: { ...ctx, connections },
    viewers: {
      ...viewers,
      note: (kind: RecordKind, names: readonly RecordName[]) => {
        viewers.note(kind, names)
        if (kind !== 'agent_jobs') return
        for (const [connectionId = '', projectId = '', id = ''] of names)
          connections.find(connectionId)?.pullRequests.note([{ projectId, id }])
      },
    },
    onPullRequestRead: (hear: (typeof readListeners)[number]) => void readListeners.push(hear),
  }
}
