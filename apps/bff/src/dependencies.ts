import type { Instance } from '#accounts/instance.ts'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { OidcSettings } from '#config/oidc.ts'
import type { Database } from '#db/database.ts'
import type { OwnHosts } from '#http/access/own-hosts.ts'
import type { Retention } from '#history/retention.ts'
import type { Log } from '#log/log.ts'
import type { StatusFacts } from '#status/status.service.ts'

/** Dependencies of the slices. */
export type Dependencies = {
  db: Database
  instance: Instance
  hosts: OwnHosts
  /** Null: no single sign-on. */
  oidc: OidcSettings | null
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
  /** Longest wait of one request for the database. Milliseconds. */
  databaseWaitMs: number
  /** Retention of the history. Days. */
  retentionDays: Retention
  /** Retention of the audit. Days. */
  auditRetentionDays: number
  /** No other process uses the database. */
  alone: boolean
  /** Limit for one call of the Admin API. Milliseconds. */
  callTimeoutMs: number
}
