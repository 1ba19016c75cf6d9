import type { Instance } from '#accounts/instance.ts'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { OidcSettings } from '#config/oidc.ts'
import type { Database } from '#db/database.ts'
import type { OwnHosts } from '#http/access/own-hosts.ts'
import type { Retention } from '#history/retention.ts'
import type { Log } from '#log/log.ts'
import type { StatusFacts } from '#status/status.service.ts'

/** What every slice is built from. */
export type Dependencies = {
  db: Database
  instance: Instance
  hosts: OwnHosts
  /** Null: no single sign-on. */
  oidc: OidcSettings | null
  /** For what must be answered while every connection of `db` is busy. */
  probes: Database
  adminApi: AdminApi
  /** Reads have an admin key of their own. */
  hasReadKey: boolean
  /** Most calls in any hour, for each key; 0: nothing is polled. */
  callsPerHour: number
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  facts: StatusFacts
  /** Hosts that bundle links may point to, with their ports; empty: any public one. */
  bundleHosts: readonly string[]
  /** How long history is kept. */
  retentionDays: Retention
  /** How long the audit is kept. */
  auditRetentionDays: number
  /** No other process uses the database. */
  alone: boolean
  /** Longest time for one call of the Admin API. Milliseconds. */
  callTimeoutMs: number
}
