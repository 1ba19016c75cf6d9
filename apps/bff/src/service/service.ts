import type { EmbeddedFacts } from '#service/connections/embedded-switch.ts'
import type { OpenClient } from '#service/connections/open-client.ts'
import { connectionRegistry } from '#service/connections/connection-registry.ts'
import { openConnection, type OpenConnection, type ReadTable } from '#service/connections/open-connection.ts'
import { connectionReports } from '#service/connection-settings/connection-reports.ts'
import { connectionSettings } from '#service/connection-settings/connection-settings.service.ts'
import { projectService } from '#service/connection-settings/projects.ts'
import { resumeCalls } from '#service/connection-settings/resume-calls.ts'
import { deleteOldHistory, type Retention } from '#service/history/retention.ts'
import { pollingMetrics } from '#service/polling/metrics.ts'
import { deleteOldCalls } from '#service/rate-limit/call-report.ts'
import type { Database } from '#ground/db/database.ts'
import type { Ground } from '#ground/ground.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'

type Kinds = Parameters<typeof pollingMetrics>[0]['kinds']
type Kind = { table: ReadTable } & Kinds[keyof Kinds] &
  Parameters<typeof connectionReports>[0]['kinds'][number] &
  Parameters<typeof resumeCalls>[0]['kinds'][number]

/** The connections, what admins change about them, and what they tell. Nothing is polled before the ticks begin. */
export const openService = (
  ground: Ground,
  deps: {
    /** Opens the client of a connection. */
    openClient: OpenClient
    /** The kinds of records that are read at connections. */
    kinds: Record<keyof Kinds, Kind>
    embedded: EmbeddedFacts
    instance: KeyRing
    /** Folder of the key files that a connection may name. */
    keysFolder: string | null
    /** Tests every new key with one call. */
    testKeys: boolean
    /** No other process uses the database. */
    alone: boolean
    /** Retention of the history. Days. */
    retentionDays: Retention
    /** Connections for probes, which must answer while `db` is busy. */
    probes: Database
  },
) => {
  const { db, now, work, ticks } = ground
  const { openClient, embedded, instance, keysFolder, testKeys, alone, retentionDays, probes } = deps
  const kinds = Object.values(deps.kinds)
  const tables = kinds.map(({ table }) => table)
  const registry = connectionRegistry<OpenConnection>({
    ...ground,
    build: async (row, wake) =>
      openConnection(row, await openClient(row), { ...ground, tables, alone, testKeys, wake }),
    embedded,
  })
  const reports = connectionReports({ registry, kinds, retentionDays, now })
  ticks.add(2, registry.tick)
  work.add(
    { name: 'old-history', cron: '37 3 * * *', run: () => deleteOldHistory(db, now(), retentionDays) },
    { name: 'old-calls', cron: '27 * * * *', run: () => deleteOldCalls(db, now()) },
  )
  return {
    registry,
    summary: reports.summary,
    connections: {
      ...connectionSettings({ db, now, keysFolder, embedded, registry, reports, ring: instance }),
      report: reports.report,
      resume: resumeCalls({ db, registry, kinds, wake: registry.wake, now }),
      refresh: registry.refresh,
    },
    projects: projectService({ db, choose: registry.choose, now }),
    readPolling: pollingMetrics({ probes, kinds: deps.kinds, connections: registry.all, now }),
  }
}

export type Connections = ReturnType<typeof openService>['registry']
