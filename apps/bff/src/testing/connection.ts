import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import { type EmbeddedFacts, readEmbeddedSwitch } from '#service/connections/embedded-switch.ts'
import type { EnvironmentSettings } from '#service/connections/describe-environment.ts'
import type { ServiceClient } from '#service/connections/open-client.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Database, Tx } from '#ground/db/database.ts'

/** The one connection of most tests. In test databases, records without another connection belong to it. */
export const testConnectionId = '11111111-1111-4111-8111-111111111111'

/** Adds that connection to the template of test databases. */
export const addTestConnection = async (client: Client): Promise<void> => {
  await client.query(
    `insert into connections (connection_id, name, kind, source, base_url, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation, gone_at)
     values ('${testConnectionId}', 'Test', 'service', 'docket', 'http://127.0.0.1:1', 'cloud', 3600, 10000, true, now())`,
  )
  for (const table of ['static_exports', 'agent_jobs', 'agent_prompts'])
    await client.query(`alter table ${table} alter column connection_id set default '${testConnectionId}'`)
}

type TestSettings = Pick<ConnectionRow, 'kind' | 'callsPerHour' | 'timeoutMs' | 'bundleHosts' | 'agentJobCreation'>

/** Gives the connection the settings of a test. */
export const describeTestConnection = async (db: Database, settings: TestSettings): Promise<void> => {
  const { kind, callsPerHour, timeoutMs, bundleHosts, agentJobCreation } = settings
  const hosts = JSON.stringify(bundleHosts)
  await db.execute(sql`update connections set kind = ${kind}, calls_per_hour = ${callsPerHour}, timeout_ms = ${timeoutMs},
    bundle_hosts = ${hosts}::jsonb, agent_job_creation = ${agentJobCreation}, gone_at = null
    where connection_id = ${testConnectionId}::uuid and (kind, calls_per_hour, timeout_ms, bundle_hosts, agent_job_creation, gone_at)
      is distinct from (${kind}, ${callsPerHour}, ${timeoutMs}, ${hosts}::jsonb, ${agentJobCreation}, null)`)
}

const rejectKey = () =>
  Promise.reject(new AdminApiError('upstream_key_rejected', 'This key isn’t valid.', { effect: 'none' }))

/** A client made by the test, of a service that rejects keys that can't be valid. */
export const testClient = (adminApi: AdminApi): ServiceClient => ({
  adminApi,
  hasReadKey: false,
  fingerprint: () => Promise.resolve('test'),
  onOutcome: () => {},
  withOneKey: (key) => ({
    ...adminApi,
    ...(key === 'invalid' && { getStaticExport: rejectKey, getAgentJob: rejectKey }),
    close: async () => {},
  }),
  close: async () => {},
})

/** Settings of the connection that come from the environment. */
export const environmentSettings: EnvironmentSettings = {
  deploymentKind: 'cloud',
  callsPerHour: 3600,
  timeoutMs: 30_000,
  bundleHosts: [],
  agentJobCreation: false,
  agentJobList: false,
  keyPrefix: null,
  headerNames: [],
  clientCertificateExpiresOn: null,
}

type EmbeddedVariables = Parameters<typeof readEmbeddedSwitch>[0]

/** Sites and projects of the local service, and the variables that decide whether it runs. Default: none. */
export const embeddedFacts = ({
  domains = [],
  projectIds = [],
  ...variables
}: Partial<EmbeddedVariables> & { domains?: string[]; projectIds?: string[] }): EmbeddedFacts => ({
  domains,
  projectIds,
  readSwitch: (tx: Tx) =>
    readEmbeddedSwitch({ localAdminApi: null, adminApi: null, local: { sites: null }, ...variables }, tx),
})

/** One connection with the operations that it offers for records. */
export const onlyConnection = <Operations>(operations: Operations): PerConnection<Operations> => ({
  open: () => operations,
  find: () => operations,
  choose: () => Promise.resolve(testConnectionId),
  all: () => [operations],
  isEmbedded: () => false,
})
