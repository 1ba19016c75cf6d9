import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Connection } from '#admin-api/connection.ts'
import { agentJobService, type AgentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { bundleFetch } from '#bundles/storage/bundle-fetch.ts'
import { bundleService, type BundleService } from '#bundles/bundles.service.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log.ts'
import { polling } from '#watch/polling.ts'
import { staticExportService, type StaticExportService } from '#static-exports/static-exports.service.ts'
import { statusService, type StatusFacts, type StatusService } from '#status/status.service.ts'

/** What every slice is built from. */
export type Dependencies = {
  db: Database
  adminApi: AdminApi
  /** How the Admin API behaves right now. */
  connection: () => Connection
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  facts: StatusFacts
  /** Hosts that bundle links may point to; empty: any public one. */
  bundleHosts: readonly string[]
  /** Longest time for one call of the Admin API. Milliseconds. */
  callTimeoutMs: number
}

/** Every slice, and what runs without a request. */
export type Services = {
  staticExports: StaticExportService
  bundles: BundleService
  agentJobs: AgentJobService
  status: StatusService
  /** Starts to watch. */
  start(): void
  /** Ends the watching and waits for the reads in flight. */
  stop(): Promise<void>
}

/** Builds every slice from the same few dependencies, for the server and for tests. Nothing runs before `start`. */
export const buildServices = (dependencies: Dependencies): Services => {
  const { db, adminApi, connection, now, log, facts, bundleHosts, callTimeoutMs } = dependencies
  // One each, so that a limit on one kind of calls does not hold the other back.
  const pollingOfOneKind = () => polling({ now, embedded: facts.mode === 'local', callTimeoutMs })
  const staticExports = staticExportService({ db, adminApi, polling: pollingOfOneKind(), log })
  const bundles = bundleService({
    records: staticExports,
    adminApi,
    fetch: bundleFetch({ adminOrigin: adminApi.origin, hosts: bundleHosts }),
    delivery: facts.bundleDelivery,
    now,
  })
  const agentJobs = agentJobService({ db, adminApi, polling: pollingOfOneKind(), log })
  const watchers = [staticExports.watcher, agentJobs.watcher]
  return {
    staticExports,
    bundles,
    agentJobs,
    status: statusService({
      facts,
      now,
      connection: () => ({ ...connection(), origin: adminApi.origin }),
      active: async () => {
        const [exporting, working] = await Promise.all([staticExports.countActive(), agentJobs.countActive()])
        return { staticExports: exporting, agentJobs: working }
      },
    }),
    start: () => {
      for (const watcher of watchers) watcher.start()
    },
    stop: async () => {
      await Promise.all(watchers.map((watcher) => watcher.stop()))
      await bundles.close()
    },
  }
}
