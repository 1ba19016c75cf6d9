import { Gauge, type Registry, Counter } from 'prom-client'
import { endsWithin } from '#ground/clock.ts'
import type { PollingMetrics } from '#service/connections/polling-metrics.ts'

const createGauges =
  (registry: Registry) =>
  <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })

type Work = { waiting: number; running: number; oldestWaitMs: number }

type WorkloadMetrics = {
  processes: readonly { serves: boolean; exports: number; agents: number }[]
  exports: Work
  agents: Work
}

/** The returned function updates the gauges. Pass it null without the service, or when the database is unavailable. */
const registerWorkloadMetrics = (registry: Registry): ((workload: WorkloadMetrics | null) => void) => {
  const gauge = createGauges(registry)
  const processes = gauge(
    'docket_embedded_processes',
    'Processes of the embedded service that take this kind of work.',
    ['work'],
  )
  const jobs = gauge('docket_embedded_jobs', 'Exports and agent jobs of the embedded service that wait or run.', [
    'work',
    'state',
  ])
  const wait = gauge('docket_embedded_oldest_wait_seconds', 'How long the oldest one waits.', ['work'])
  return (workload) => {
    for (const one of [processes, jobs, wait]) one.reset()
    if (workload === null) return
    processes.set({ work: 'requests' }, workload.processes.filter(({ serves }) => serves).length)
    for (const work of ['exports', 'agents'] as const) {
      processes.set({ work }, workload.processes.filter((one) => one[work] > 0).length)
      jobs.set({ work, state: 'waiting' }, workload[work].waiting)
      jobs.set({ work, state: 'running' }, workload[work].running)
      wait.set({ work }, workload[work].oldestWaitMs / 1000)
    }
  }
}

type BackupMetrics = {
  failures: number
  /** Milliseconds, since the epoch for `endedAt`. Undefined before the first backup. */
  last: { endedAt: number; ms: number; sizeBytes: number } | undefined
}

/** The returned function updates the gauges. Pass it null without a schedule, or when the database is unavailable. */
const registerBackupMetrics = (registry: Registry): ((backups: BackupMetrics | null) => void) => {
  const gauge = createGauges(registry)
  const success = gauge('docket_backup_last_success_timestamp_seconds', 'When the last scheduled backup was complete.')
  const duration = gauge('docket_backup_last_duration_seconds', 'How long that backup took.')
  const size = gauge('docket_backup_last_size_bytes', 'Size of that backup.')
  const failures = new Counter({
    name: 'docket_backup_failures_total',
    help: 'Scheduled backups that failed in this process.',
    registers: [registry],
  })
  let counted = 0
  return (backups) => {
    // Before the first backup, 0 makes an alert about old backups fire.
    success.set(backups?.last === undefined ? 0 : backups.last.endedAt / 1000)
    duration.set((backups?.last?.ms ?? 0) / 1000)
    size.set(backups?.last?.sizeBytes ?? 0)
    if (backups === null) for (const one of [success, duration, size]) one.remove()
    failures.inc((backups?.failures ?? counted) - counted)
    counted = backups?.failures ?? counted
  }
}

export type StorageMetrics = { bundles: number; bytes: number; waiting: number }
export type DatabaseReading = PollingMetrics & {
  /** Null when this process stores no bundles. */
  storage: StorageMetrics | null
  /** Null without the embedded service. */
  workload: WorkloadMetrics | null
  /** Null without a schedule. */
  backups: BackupMetrics | null
}

export type PoolUse = { total: number; idle: number; waiting: number }

/** Maximum wait of a scrape for the database, and maximum age of a reading. */
const limits = { timeoutMs: 1_000, freshMs: 5_000 }

/** Returns the last reading, or null when the database did not answer in time. Concurrent callers share one query. */
const cacheReading = (read: () => Promise<DatabaseReading>, now: () => number) => {
  let last: { at: number; reading: DatabaseReading | null } | null = null
  let underWay: Promise<void> | undefined
  const ask = async () => {
    const reading = await read().catch(() => null)
    last = { at: now(), reading }
  }
  return async (): Promise<DatabaseReading | null> => {
    if (last === null || now() - last.at >= limits.freshMs) {
      underWay ??= ask().finally(() => void (underWay = undefined))
      if (!(await endsWithin(limits.timeoutMs, underWay))) return null
    }
    return last?.reading ?? null
  }
}

/**
 * Gauges of polling, budget and database. Returns a function that updates them before a scrape. That function never rejects: it omits what
 * it cannot read, and sets `docket_database_up` to 0.
 */
export const createDatabaseMetrics = (
  registry: Registry,
  source: { read: () => Promise<DatabaseReading>; pool: () => PoolUse; now: () => number },
): (() => Promise<void>) => {
  const gauge = createGauges(registry)
  const active = gauge('docket_active_records', 'Records that can still change, by kind.', ['connection', 'kind'])
  const lag = gauge('docket_poll_lag_seconds', 'How overdue the most overdue read is.', ['connection', 'kind'])
  const lease = gauge('docket_oldest_lease_seconds', 'For how long the longest read under way is leased.', [
    'connection',
    'kind',
  ])
  const gates = gauge('docket_upstream_held_back', '1 while a class of calls is held back.', ['connection', 'calls'])
  const left = gauge('docket_call_budget_left', 'Calls that may still be made within the running hour.', ['connection'])
  const limit = gauge('docket_call_budget_limit', 'Calls an hour that Docket may make.', ['connection'])
  const up = gauge('docket_database_up', '1 when the database answered this scrape, or one a moment ago.')
  const connections = gauge('docket_database_connections', 'Connections of this process to the database.', ['state'])
  const bundles = gauge('docket_stored_bundles', 'Bundles that Docket stores.')
  const bytes = gauge('docket_stored_bytes', 'Bytes of stored bundles and of what Docket made from them.')
  const waiting = gauge('docket_bundles_waiting', 'Bundles that wait to be stored, or are being stored.')
  const showBackups = registerBackupMetrics(registry)
  const showWorkload = registerWorkloadMetrics(registry)
  const current = cacheReading(source.read, source.now)

  return async () => {
    for (const [state, count] of Object.entries(source.pool())) connections.set({ state }, count)
    const reading = await current()
    up.set(reading === null ? 0 : 1)
    // Old values would look current.
    for (const labelled of [active, lag, lease, gates, left, limit, bundles, bytes, waiting]) labelled.reset()
    showBackups(reading?.backups ?? null)
    showWorkload(reading?.workload ?? null)
    // A gauge without labels is 0 after a reset.
    for (const one of [bundles, bytes, waiting]) one.remove()
    if (reading === null) return
    if (reading.storage !== null) {
      bundles.set(reading.storage.bundles)
      bytes.set(reading.storage.bytes)
      waiting.set(reading.storage.waiting)
    }
    for (const [connection, polling] of Object.entries(reading.connections)) {
      for (const [kind, { active: count, pollLagMs, oldestLeaseMs }] of Object.entries(polling.kinds)) {
        active.set({ connection, kind }, count)
        lag.set({ connection, kind }, pollLagMs / 1000)
        lease.set({ connection, kind }, oldestLeaseMs / 1000)
      }
      for (const [calls, state] of Object.entries(polling.gates))
        gates.set({ connection, calls }, state === 'closed' ? 1 : 0)
      if (polling.budget === null) continue
      left.set({ connection }, polling.budget.left)
      limit.set({ connection }, polling.budget.callsPerHour)
    }
  }
}
