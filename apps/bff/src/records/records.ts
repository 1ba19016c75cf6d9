import { countActive as countActiveJobs, jobReads } from '#records/agent-jobs/agent-jobs.list.ts'
import { agentJobOperations } from '#records/agent-jobs/agent-job-operations.ts'
import { agentJobService, type ReadChanges } from '#records/agent-jobs/agent-jobs.service.ts'
import { agentJobs as agentJobTable } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentPromptService } from '#records/agent-jobs/prompts/agent-prompts.service.ts'
import { promptOperations } from '#records/agent-jobs/prompts/prompt-operations.ts'
import { endTimedOutPrompts } from '#records/agent-jobs/prompts/prompt-outcome.ts'
import { pullRequestReadsAt } from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import { savedPromptService } from '#records/agent-jobs/saved-prompts/saved-prompts.service.ts'
import type { CodeHost } from '#records/code-host/code-host.ts'
import { codeHostLinks } from '#records/code-host/code-host-link.ts'
import { codeHostService } from '#records/code-host/code-host.service.ts'
import { codeHostSettings } from '#records/pull-requests/code-hosts.service.ts'
import { codeHostOpener, type OwnCodeHost } from '#records/pull-requests/open-code-hosts.ts'
import { pullRequestWatcher, type ReadOutcome } from '#records/pull-requests/pull-request-watcher.ts'
import { exportOperations } from '#records/static-exports/export-operations.ts'
import { countActive as countActiveExports, exportReads } from '#records/static-exports/static-exports.list.ts'
import { staticExportService } from '#records/static-exports/static-exports.service.ts'
import { staticExports as staticExportTable } from '#records/static-exports/static-exports.table.ts'
import { endTimedOutStarts } from '#records/static-exports/static-exports.watcher.ts'
import type { OpenConnection } from '#service/connections/open-connection.ts'
import { pickPart } from '#service/connections/per-connection.ts'
import type { Retention } from '#service/history/retention.ts'
import type { RecordKind } from '#service/polling/read-interval.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { type RecordName, trackViewers } from '#service/polling/viewers.ts'
import type { Connections } from '#service/service.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Ground } from '#ground/ground.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'

/** What the area below needs to know of both kinds of records. */
export const recordKinds = ({ db, now }: Pick<Ctx, 'db' | 'now'>) => ({
  static_exports: { ...exportReads(db, now), table: staticExportTable, countActive: countActiveExports },
  agent_jobs: { ...jobReads(db, now), table: agentJobTable, countActive: countActiveJobs },
})

type Watching = Pick<Parameters<typeof pullRequestWatcher>[0], 'jobs' | 'open' | 'own' | 'onRead'>

/** What each kind of record does at one connection. */
const openRecordsAt = (base: OpenConnection, ctx: Ctx, watching: Watching) => {
  const { row, adminApi, embedded, pollingBy } = base
  const { limiters } = base.limits
  const polling = pollingBy(limiters.agent_jobs)
  const exports = exportOperations({ ...ctx, adminApi, polling: pollingBy(limiters.static_exports) })
  const pullRequests = pullRequestWatcher({
    ...watching,
    ...ctx,
    own: embedded ? watching.own : [],
    connectionId: row.connectionId,
  })
  const jobs = agentJobOperations({
    ...ctx,
    adminApi,
    polling,
    listAllowed: row.agentJobList,
    promptsAllowed: row.agentJobCreation,
    readPullRequest: pullRequests.readNow,
  })
  const prompts = promptOperations({
    ...ctx,
    adminApi,
    polling,
    limiter: limiters.agent_prompts,
    wake: jobs.watcher.wake,
    allowed: row.agentJobCreation,
  })
  const watchers = [exports.watcher, jobs.watcher]
  return {
    here: { exports, jobs, prompts, pullRequests },
    start: () => watchers.forEach((watcher) => watcher.start()),
    tick: async () => pullRequests.tick(),
    wake: () => watchers.forEach((watcher) => watcher.wake()),
    stop: () =>
      Promise.all([
        pullRequests.stop(),
        prompts.settled(),
        exports.settled(),
        ...watchers.map((watcher) => watcher.stop()),
      ]),
  }
}

/** Exports and agent jobs, and what belongs to jobs: prompts, pull requests, and the code host of the embedded service. */
export const openRecords = (
  ground: Ground,
  deps: {
    registry: Connections
    instance: KeyRing
    /** The code hosts of the environment. */
    ownCodeHosts: readonly OwnCodeHost[]
    /** Secrets that the log hides. Grows. */
    secrets: Set<string>
    /** Address that readers use. Null: none is set. */
    publicUrl: URL | null
    /** Null: this process runs no embedded service. */
    codeHost: CodeHost | null
    /** A maintenance order in words. Null: this process runs no embedded service. */
    describeOrder: Parameters<typeof agentPromptService>[0]['describeOrder']
    /** Reads what jobs of the embedded service changed, where it runs in this process. */
    readChanges?: ReadChanges | undefined
    /** False when the embedded service does maintenance only. */
    hasAgent: boolean
    /** Docket's copies of the bundles of these completed exports. */
    readArtifacts: Parameters<typeof staticExportService>[0]['readArtifacts']
    /** Retention of the history. Days. */
    retentionDays: Retention
    /** Maximum wait of one request for the database. Milliseconds. */
    databaseWaitMs: number
  },
) => {
  const { db, now, log, work, ticks } = ground
  const { registry, instance, ownCodeHosts: own, secrets, publicUrl, codeHost, readArtifacts, retentionDays } = deps
  const pullRequestReads = pullRequestReadsAt(db)
  const openCodeHost = codeHostOpener({ ring: instance, own, secrets })
  const readListeners: ((outcome: ReadOutcome, kind: string) => void)[] = []
  const watching: Watching = {
    jobs: pullRequestReads,
    open: openCodeHost,
    own,
    onRead: (...read) => readListeners.forEach((hear) => hear(...read)),
  }
  const connections = registry.addPart((base) => openRecordsAt(base, ground, watching))
  const exportsHere = pickPart(connections, ({ exports }) => exports)
  const jobsHere = pickPart(connections, ({ jobs }) => jobs)

  const staticExports = staticExportService({
    ...ground,
    readArtifacts,
    connections: exportsHere,
    retentionDays: retentionDays.staticExports,
  })
  const agentJobs = agentJobService({
    db,
    connections: jobsHere,
    now,
    retentionDays: retentionDays.agentJobs,
    ownLink: codeHostLinks({ publicUrl, projectIds: codeHost?.projectIds ?? [] }),
    changes: deps.readChanges ?? null,
    hasAgent: deps.hasAgent,
  })
  const agentPrompts = agentPromptService({
    db,
    connections: pickPart(connections, ({ prompts }) => prompts),
    jobs: agentJobs,
    describeOrder: deps.describeOrder,
    now,
  })
  const { static_exports: exportKind, agent_jobs: jobKind } = recordKinds(ground)
  const viewers = trackViewers({
    db,
    kinds: {
      static_exports: {
        ...exportKind,
        key: [staticExportTable.exportId],
        wake: () => exportsHere.all().forEach(({ watcher }) => watcher.wake()),
      },
      agent_jobs: {
        ...jobKind,
        key: [agentJobTable.connectionId, agentJobTable.projectId, agentJobTable.id],
        wake: () => jobsHere.all().forEach(({ watcher }) => watcher.wake()),
      },
    },
    scheduleOf: (connectionId) => registry.find(connectionId)?.schedule,
    now,
    log,
  })
  // Ends calls at connections that nobody watches any more, too.
  ticks.add(10, () => endTimedOutStarts(db, now()))
  ticks.add(10, () => endTimedOutPrompts(db, { now: now(), schedule: idleSchedule }))
  work.add(
    { name: 'removed-exports', cron: '7 3 * * *', run: staticExports.purgeRemoved },
    { name: 'removed-jobs', cron: '17 3 * * *', run: agentJobs.purgeRemoved },
  )
  return {
    /** What records can do at each connection. */
    recordsHere: connections,
    staticExports,
    agentJobs,
    agentPrompts,
    savedPrompts: savedPromptService({ db, prompts: agentPrompts, now }),
    codeHosts: codeHostSettings({ db, ring: instance, open: openCodeHost, ...pullRequestReads, now }),
    codeHost: codeHostService({
      db,
      codeHost,
      findConnection: () => registry.list().find(({ row }) => row.kind === 'embedded')?.row.connectionId ?? null,
      refreshJob: async (job) => {
        const reading = jobsHere.find(job.connectionId)?.readNow(job, null)
        await reading?.catch((error: unknown) => log.debug({ err: error }, 'a job was not read after its pull request'))
      },
      databaseWaitMs: deps.databaseWaitMs,
      now,
    }),
    /** The records on people's screens. */
    viewers: {
      ...viewers,
      note: (kind: RecordKind, names: readonly RecordName[]) => {
        viewers.note(kind, names)
        if (kind !== 'agent_jobs') return
        for (const [connectionId = '', projectId = '', id = ''] of names)
          connections.find(connectionId)?.pullRequests.note([{ projectId, id }])
      },
    },
    /** Calls `hear` after every read of a pull request. */
    onPullRequestRead: (hear: (typeof readListeners)[number]) => void readListeners.push(hear),
  }
}

export type Records = ReturnType<typeof openRecords>
