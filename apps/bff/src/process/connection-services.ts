import { eq } from 'drizzle-orm'
import { agentJobOperations } from '#records/agent-jobs/agent-job-operations.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { promptOperations } from '#records/agent-jobs/prompts/prompt-operations.ts'
import { bundleFetch } from '#bundles/download/storage/bundle-fetch.ts'
import { bundleService, type BundleRecords } from '#bundles/download/bundles.service.ts'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import { pullRequestWatcher } from '#records/pull-requests/pull-request-watcher.ts'
import { keyHealth } from '#service/connections/key-health.ts'
import type { ServiceClient } from '#service/connections/open-client.ts'
import type { Ctx } from '#ground/ctx.ts'
import { readFailedNow } from '#service/polling/due-reads.ts'
import { readDemand } from '#service/polling/demand.ts'
import { leaseDuration, polling } from '#service/polling/polling.ts'
import { floorMs } from '#service/polling/read-interval.ts'
import { schedule } from '#service/polling/schedule.ts'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import { rateLimit } from '#service/rate-limit/rate-limit.ts'
import { exportOperations } from '#records/static-exports/export-operations.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'

/** Everything that runs for one active connection: its budget, its schedule, and what each kind of record does there. */
export const connectionServices = (
  row: ConnectionRow,
  client: ServiceClient,
  deps: Ctx & {
    bundleRecords: BundleRecords
    codeHosts: Omit<Parameters<typeof pullRequestWatcher>[0], 'db' | 'connectionId' | 'now' | 'log'>
    bundleDelivery: 'stream' | 'redirect'
    /** No other process uses the database. */
    alone: boolean
    /** Tests every new key. */
    testKeys: boolean
  },
) => {
  const { db, now, log, alone } = deps
  const { connectionId, callsPerHour, timeoutMs } = row
  const { adminApi, hasReadKey } = client
  const embedded = row.kind === 'embedded'
  const shortest = { floorMs: floorMs({ embedded }) }
  const plan = schedule({
    callsPerHour,
    ...shortest,
    demand: (nowMs) => readDemand(db, [staticExports, agentJobs], { connectionId, nowMs, ...shortest }),
    now,
  })
  const limits = rateLimit({ db, connectionId, hasReadKey, callsPerHour, leaseMs: leaseDuration(timeoutMs), now, log })
  const { limiters } = limits
  const pollingBy = (limiter: CallLimiter) =>
    polling({ connectionId, now, limiter, schedule: plan, embedded, alone, callTimeoutMs: timeoutMs })
  const exportsHere = exportOperations({
    db,
    adminApi,
    polling: pollingBy(limiters.static_exports),
    now,
    events: deps.events,
    log,
  })
  const jobsPolling = pollingBy(limiters.agent_jobs)
  const pullRequests = pullRequestWatcher({
    ...deps.codeHosts,
    own: embedded ? deps.codeHosts.own : [],
    db,
    connectionId,
    now,
    log,
  })
  const jobsHere = agentJobOperations({
    db,
    adminApi,
    polling: jobsPolling,
    listAllowed: row.agentJobList,
    promptsAllowed: row.agentJobCreation,
    readPullRequest: pullRequests.readNow,
    log,
  })
  const promptsHere = promptOperations({
    db,
    adminApi,
    polling: jobsPolling,
    limiter: limiters.agent_prompts,
    wake: jobsHere.watcher.wake,
    allowed: row.agentJobCreation,
    log,
  })
  const bundles = bundleService({
    records: deps.bundleRecords,
    adminApi: {
      generateBundle: (jobId) => limiters.static_exports.call(() => adminApi.generateBundle(jobId), 'generateBundle'),
    },
    fetch: bundleFetch({ adminOrigin: adminApi.origin, hosts: row.bundleHosts }),
    delivery: deps.bundleDelivery,
    now,
  })
  const watchers = [exportsHere.watcher, jobsHere.watcher]
  const readRejectedNow = async () => {
    for (const table of [staticExports, agentJobs]) {
      const readable = eq(table.connectionId, connectionId)
      await readFailedNow(db, table, { code: 'upstream_key_rejected', now: now(), readable })
    }
    watchers.forEach((watcher) => watcher.wake())
  }
  const keys = keyHealth({
    db,
    row,
    client,
    limiters,
    onNewKey: limits.reopen,
    onProven: readRejectedNow,
    now,
    log,
  })
  client.onOutcome(keys.hear)
  return {
    row,
    origin: adminApi.origin,
    limits,
    schedule: plan,
    keys,
    staticExports: exportsHere,
    agentJobs: jobsHere,
    agentPrompts: promptsHere,
    bundles,
    pullRequests,
    start: () => watchers.forEach((watcher) => watcher.start()),
    tick: async () => {
      pullRequests.tick()
      if (deps.testKeys) await keys.tick()
    },
    stop: async () => {
      await Promise.all([
        pullRequests.stop(),
        promptsHere.settled(),
        exportsHere.settled(),
        ...watchers.map((watcher) => watcher.stop()),
      ])
      await limits.close()
    },
    close: async () => {
      await Promise.all([bundles.close(), client.close()])
    },
  }
}

/** What runs for one connection. */
export type ConnectionServices = ReturnType<typeof connectionServices>
