import type { ArtifactDependencies } from './artifact-services.ts'
import type { BackupNeeds } from '#process/backup/scheduled/scheduled-backups.ts'
import type { Instance } from '#people/accounts/instance.ts'
import type { ReadChanges } from '#records/agent-jobs/agent-jobs.service.ts'
import type { CodeHost } from '#records/code-host/code-host.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { EmbeddedFacts } from '#service/connections/embedded-switch.ts'
import type { OpenClient } from '#service/connections/open-client.ts'
import type { Database } from '#ground/db/database.ts'
import type { ChannelAddresses } from '#releases/sites/ports.ts'
import type { Disks } from '#process/disks/watch-disks.ts'
import type { ReadWorkload } from '#overview/workload/workload.service.ts'
import type { Retention } from '#service/history/retention.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { Log } from '#ground/log/log.ts'
import type { Maintenance } from '#overview/maintenance/maintenance.service.ts'
import type { pullRequestService } from '#records/pull-requests/pull-requests.service.ts'
import type { TargetMachine } from '#releases/targets/open-target.ts'
import type { StatusFacts } from '#overview/status/status.service.ts'

/** Dependencies of the services. */
export type Dependencies = {
  db: Database
  instance: Instance
  hosts: OwnHosts
  /** Null: no single sign-on. */
  oidc: OidcSettings | null
  cleanUpBuilds: () => Promise<void>
  /** Connections for probes, which must answer while `db` is busy. */
  probes: Database
  /** Opens the client of a connection. */
  openClient: OpenClient
  /** Folder of the key files that a connection may name. */
  keysFolder: string | null
  /** The code hosts of the environment. */
  ownCodeHosts: Parameters<typeof pullRequestService>[0]['own']
  /** Secrets that the log hides. Grows. */
  secrets: Set<string>
  /** Tests every new key with one call. */
  testKeys: boolean
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  facts: StatusFacts
  embedded: EmbeddedFacts
  /** Null: this process runs no embedded service. */
  codeHost: CodeHost | null
  /** Null: this process runs no embedded service. */
  maintenance: Maintenance | null
  /** Null: this process runs no embedded service. */
  readWorkload: ReadWorkload | null
  /** Retention of the history. Days. */
  retentionDays: Retention
  /** Maximum wait of one request for the database. Milliseconds. */
  databaseWaitMs: number
  /** Retention of the audit. Days. */
  auditRetentionDays: number
  /** No other process uses the database. */
  alone: boolean
  /** Reads what jobs of the embedded service changed, where it runs in this process. */
  readChanges?: ReadChanges | undefined
  /** Stored bundles. */
  artifacts: ArtifactDependencies
  /** Where hosted channels open. */
  addresses: ChannelAddresses
  /** Where targets may be on this machine. */
  machine: TargetMachine
  /** Scheduled backups. Null: none. */
  backups: BackupNeeds | null
  /** Free space of the volumes that this process writes to. */
  disks: Pick<Disks, 'list' | 'hasRoom'>
}
