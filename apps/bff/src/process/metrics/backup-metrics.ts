import { Counter, Gauge, type Registry } from 'prom-client'

/** The last scheduled backup over all processes, and the failures of this one. */
export type BackupMetrics = {
  failures: number
  /** Milliseconds, since the epoch for `endedAt`. Undefined before the first backup. */
  last: { endedAt: number; ms: number; sizeBytes: number } | undefined
}

/** Gauges of scheduled backups. Returns a function that updates them; null without a schedule, or when the database is away. */
export const backupMetrics = (registry: Registry): ((backups: BackupMetrics | null) => void) => {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers, labelNames: [] })
  const success = gauge('docket_backup_last_success_timestamp_seconds', 'When the last scheduled backup was complete.')
  const duration = gauge('docket_backup_last_duration_seconds', 'How long that backup took.')
  const size = gauge('docket_backup_last_size_bytes', 'Size of that backup.')
  const failures = new Counter({
    name: 'docket_backup_failures_total',
    help: 'Scheduled backups that failed in this process.',
    registers,
  })
  let counted = 0
  return (backups) => {
    // Before the first one, 0 makes an alert about old backups fire.
    success.set(backups?.last === undefined ? 0 : backups.last.endedAt / 1000)
    duration.set((backups?.last?.ms ?? 0) / 1000)
    size.set(backups?.last?.sizeBytes ?? 0)
    if (backups === null) for (const one of [success, duration, size]) one.remove()
    failures.inc((backups?.failures ?? counted) - counted)
    counted = backups?.failures ?? counted
  }
}
