import { accountService } from '#accounts/accounts.service.ts'
import { deleteEndedSignIns } from '#accounts/clean-up.ts'
import { signInMethods } from '#accounts/sign-in-methods.ts'
import { activityService } from '#activity/activity.service.ts'
import { countActive as countActiveJobs, jobReads, jobTitles, workingJobs } from '#agent-jobs/agent-jobs.list.ts'
import { agentPromptService } from '#agent-jobs/prompts/agent-prompts.service.ts'
import { agentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { apiTokenService } from '#api-tokens/api-tokens.service.ts'
import { tokenFinder } from '#api-tokens/find-token.ts'
import { auditService } from '#audit/audit.service.ts'
import { auditSealing } from '#audit/chain/sealing.ts'
import { refusals } from '#audit/refusals.ts'
import { background } from '#background/background.ts'
import { agentJobs as agentJobTable } from '#agent-jobs/agent-jobs.table.ts'
import { bundleFetch } from '#bundles/storage/bundle-fetch.ts'
import { bundleService } from '#bundles/bundles.service.ts'
import { codeHostService } from '#code-host/code-host.service.ts'
import { connectionService } from '#connection/connection.service.ts'
import type { Instance } from '#accounts/instance.ts'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { OidcSettings } from '#config/oidc.ts'
import type { Database } from '#db/database.ts'
import type { OwnHosts } from '#http/access/own-hosts.ts'
import type { Log } from '#log/log.ts'
import type { StatusFacts } from '#status/status.service.ts'
import { deleteOldHistory, type Retention } from '#history/retention.ts'
import type { CallLimiter } from '#rate-limit/limiter.ts'
import { deleteOldCalls } from '#rate-limit/call-report.ts'
import { rateLimit } from '#rate-limit/rate-limit.ts'
import { leaseDuration, polling } from '#polling/polling.ts'
import { trackViewers } from '#polling/viewers.ts'
import { pollingMetrics } from '#polling/metrics.ts'
import { floorMs } from '#polling/read-interval.ts'
import { readDemand } from '#polling/demand.ts'
import { schedule } from '#polling/schedule.ts'
import {
  countActive as countActiveExports,
  exportReads,
  exportTitles,
  runningExports,
} from '#static-exports/static-exports.list.ts'
import { normaliseDomain } from '#static-exports/domain.ts'
import { staticExportService } from '#static-exports/static-exports.service.ts'
import { staticExports as staticExportTable } from '#static-exports/static-exports.table.ts'
import { statusService } from '#status/status.service.ts'

/** Dependencies of the slices. */
type Dependencies = {
  db: Database
  instance: Instance
  hosts: OwnHosts
  /** Null: no single sign-on. */
  oidc: OidcSettings | null
  cleanUpBuilds: () => Promise<void>
  /** Connections for probes, which must answer while `db` is busy. */
  probes: Database
  adminApi: AdminApi
  /** Reads use a second admin key. */
  hasReadKey: boolean
  /** Maximum calls in any hour, for each key. 0: no polling. */
  callsPerHour: number
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  facts: StatusFacts
  /** Hosts with ports that bundle links may point to. Empty: any public host. */
  bundleHosts: readonly string[]
  /** Retention of the history. Days. */
  retentionDays: Retention
  /** Maximum wait of one request for the database. Milliseconds. */
  databaseWaitMs: number
  /** Retention of the audit. Days. */
  auditRetentionDays: number
  /** No other process uses the database. */
  alone: boolean
  /** Limit for one call of the Admin API. Milliseconds. */
  callTimeoutMs: number
}

/** Builds every slice from the same few dependencies, for the server and for tests. Nothing runs before `start`. */
export const buildServices = (dependencies: Dependencies) => {
  const {
    db,
    instance,
    hosts,
    oidc,
    probes,
    adminApi,
    hasReadKey,
    callsPerHour,
    now,
    log,
    facts,
    bundleHosts,
    databaseWaitMs,
    retentionDays,
    auditRetentionDays,
    alone,
    callTimeoutMs,
  } = dependencies
  const embedded = facts.mode === 'local'
  const shortest = { floorMs: floorMs({ embedded }) }
  const plan = schedule({
    callsPerHour,
    ...shortest,
    demand: (nowMs) => readDemand(db, [staticExportTable, agentJobTable], { nowMs, ...shortest }),
    now,
  })
  const leaseMs = leaseDuration(callTimeoutMs)
  const audit = auditService({ db, now, retentionDays: auditRetentionDays })
  const sealing = auditSealing({ db, log })
  const refused = refusals({ db, now, log })
  const limits = rateLimit({ db, origin: adminApi.origin, hasReadKey, callsPerHour, leaseMs, now, log })
  const pollingOfOneKind = (limiter: CallLimiter) =>
    polling({ now, limiter, schedule: plan, embedded, alone, callTimeoutMs })
  const pollingByKind = {
    static_exports: pollingOfOneKind(limits.limiters.static_exports),
    agent_jobs: pollingOfOneKind(limits.limiters.agent_jobs),
  }
  const staticExports = staticExportService({
    db,
    adminApi,
    polling: pollingByKind.static_exports,
    log,
    retentionDays: retentionDays.staticExports,
  })
  const bundles = bundleService({
    records: staticExports,
    adminApi: {
      generateBundle: (jobId) =>
        limits.limiters.static_exports.call(() => adminApi.generateBundle(jobId), 'generateBundle'),
    },
    fetch: bundleFetch({ adminOrigin: adminApi.origin, hosts: bundleHosts }),
    delivery: facts.bundleDelivery,
    now,
  })
  const agentJobs = agentJobService({
    db,
    adminApi,
    polling: pollingByKind.agent_jobs,
    log,
    retentionDays: retentionDays.agentJobs,
  })
  const agentPrompts = agentPromptService({
    db,
    adminApi,
    polling: pollingByKind.agent_jobs,
    limiter: limits.limiters.agent_prompts,
    jobs: agentJobs,
    allowed: facts.agentJobCreation,
    log,
  })
  const watchers = [staticExports.watcher, agentJobs.watcher]
  const interest = trackViewers({
    db,
    kinds: {
      static_exports: {
        table: staticExportTable,
        key: [staticExportTable.exportId],
        wake: staticExports.watcher.wake,
      },
      agent_jobs: {
        table: agentJobTable,
        key: [agentJobTable.projectId, agentJobTable.id],
        wake: agentJobs.watcher.wake,
      },
    },
    schedule: plan,
    now,
    log,
  })
  const tokens = tokenFinder({ db, now, log })
  const accounts = accountService({
    db,
    instance,
    hosts,
    oidcName: oidc?.name ?? null,
    now,
    bearer: tokens.find,
  })
  const work = background({
    runSql: (text, values) => db.$client.query(text, values),
    log,
    works: [
      { name: 'removed-exports', cron: '7 3 * * *', run: staticExports.purgeRemoved },
      { name: 'removed-jobs', cron: '17 3 * * *', run: agentJobs.purgeRemoved },
      { name: 'old-history', cron: '37 3 * * *', run: () => deleteOldHistory(db, now(), retentionDays) },
      { name: 'old-audit', cron: '47 3 * * *', run: audit.purge },
      { name: 'old-builds', cron: '57 3 * * *', run: dependencies.cleanUpBuilds },
      { name: 'seal-audit', cron: '*/5 * * * *', often: true, run: sealing.run },
      { name: 'ended-sign-ins', cron: '47 * * * *', run: () => deleteEndedSignIns(db, now()) },
      { name: 'old-calls', cron: '27 * * * *', run: () => deleteOldCalls(db, now()) },
    ],
  })
  return {
    audit,
    refusals: refused,
    /** Milliseconds since the epoch. */
    now,
    accounts,
    apiTokens: { ...apiTokenService({ db, normaliseDomain, now }), settled: tokens.settled },
    signInMethods: signInMethods({ db, instance, accounts, oidc }),
    staticExports,
    bundles,
    agentJobs,
    agentPrompts,
    status: statusService({
      facts,
      now,
      report: async () => {
        const { connection, watching } = await limits.report()
        return { connection: { ...connection, origin: adminApi.origin }, watching }
      },
      active: async (scope) => {
        const [exporting, working] = await Promise.all([staticExports.countActive(scope), agentJobs.countActive(scope)])
        return { staticExports: exporting, agentJobs: working }
      },
    }),
    activity: activityService({
      db,
      staticExports: {
        titles: ({ domains }) => exportTitles(db, domains),
        running: (limit, { domains }) => runningExports(db, limit, domains),
        countRunning: staticExports.countActive,
      },
      agentJobs: {
        titles: ({ projectIds }) => jobTitles(db, projectIds),
        running: (limit, { projectIds }) => workingJobs(db, limit, { now: now(), projectIds }),
        countRunning: agentJobs.countActive,
      },
      now,
    }),
    connection: connectionService({
      limits,
      kinds: [exportReads(db, now), jobReads(db, now)],
      retentionDays,
    }),
    codeHost: codeHostService({
      db,
      codeHostUrl: facts.local?.codeHostUrl ?? null,
      personOfSession: accounts.personOfSession,
      noteRefused: refused.note,
      databaseWaitMs,
      now,
    }),
    /** Recurring work, started and stopped with the server. */
    background: work,
    /** Reads the polling metrics over all processes from the database. */
    reading: pollingMetrics({
      probes,
      kinds: {
        static_exports: { table: staticExportTable, countActive: countActiveExports },
        agent_jobs: { table: agentJobTable, countActive: countActiveJobs },
      },
      limits,
      callsPerHour,
      leaseMs,
      now,
    }),
    /** The records on people's screens. */
    viewers: interest,
    /** Starts polling. */
    start: () => {
      for (const watcher of watchers) watcher.start()
      sealing.start(() => work.request('seal-audit'))
    },
    /** Stops polling and waits for the reads in flight. */
    stop: async () => {
      sealing.stop()
      await Promise.all([interest.stop(), agentPrompts.settled(), ...watchers.map((watcher) => watcher.stop())])
      await Promise.all([limits.close(), refused.stop()])
      await tokens.settled()
    },
    /** Closes the remaining connections. Call it after `stop`. */
    close: () => bundles.close(),
  }
}

/** Every slice, and the work that runs without a request. */
export type Services = ReturnType<typeof buildServices>
