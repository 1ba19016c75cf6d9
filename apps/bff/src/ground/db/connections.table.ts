import type {
  ConnectionColour,
  ConnectionKind,
  DeploymentKind,
  ProgressScale,
  StatusMeaning,
} from '@docket/api-types/connections'
import { sql, type SQL } from 'drizzle-orm'
import { boolean, date, integer, jsonb, pgTable, text, uniqueIndex, uuid, type PgColumn } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Connection of records without a known service: those from an earlier version, or from a replica that is not upgraded yet. */
export const unassignedId = '00000000-0000-0000-0000-000000000000'

export const connectionColumn = () => uuid('connection_id').notNull().default(unassignedId)

/** Connections to Admin APIs. A trigger renews the tag of `connections` with every change, so that every replica reads them again. */
export const connections = pgTable(
  'connections',
  {
    connectionId: uuid('connection_id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    kind: text('kind').$type<ConnectionKind>().notNull(),
    source: text('source').$type<'environment' | 'settings' | 'docket'>().notNull(),
    /** Origin and path, without a slash at the end. Null for `unassigned` and `embedded`, whose port changes. */
    baseUrl: text('base_url'),
    /** Keys, encrypted with the instance secret. Null when a file or the environment contains them. */
    sealedKey: text('sealed_key'),
    sealedReadKey: text('sealed_read_key'),
    /** Extra headers by name, and `ClientCertificate`, as encrypted JSON. Null without, and when the environment has them. */
    sealedHeaders: text('sealed_headers'),
    sealedClientCertificate: text('sealed_client_certificate'),
    headerNames: jsonb('header_names').$type<string[]>().notNull().default([]),
    clientCertificateExpiresOn: date('client_certificate_expires_on', { mode: 'string' }),
    /** Names of files below `CONNECTION_KEYS_DIR`. */
    keyFile: text('key_file'),
    readKeyFile: text('read_key_file'),
    keyPrefix: text('key_prefix'),
    deploymentKind: text('deployment_kind').$type<DeploymentKind>().notNull(),
    callsPerHour: integer('calls_per_hour').notNull(),
    timeoutMs: integer('timeout_ms').notNull(),
    bundleHosts: jsonb('bundle_hosts').$type<string[]>().notNull().default([]),
    agentJobCreation: boolean('agent_job_creation').notNull(),
    agentJobList: boolean('agent_job_list').notNull().default(false),
    colour: text('colour').$type<ConnectionColour>(),
    production: boolean('production').notNull().default(false),
    /** Last day of the key, as an admin entered it. */
    keyExpiresOn: date('key_expires_on', { mode: 'string' }),
    /** What people said that words of this service mean, by the word in lower case. */
    statusMeanings: jsonb('status_meanings').$type<Record<string, StatusMeaning>>().notNull().default({}),
    /** How the service counts progress, as an admin said. Null while Docket learns it from exports. */
    progressScale: text('progress_scale').$type<ProgressScale>(),
    pausedAt: instant('paused_at'),
    /** When an admin removed it, or the environment stopped describing it. */
    goneAt: instant('gone_at'),
    /** Whether an admin wants the embedded service to run. Null for other connections, and before an admin has decided. */
    switchedOn: boolean('switched_on'),
    /** True when an admin said that the environment's next connection is another service. */
    anotherService: boolean('another_service').notNull().default(false),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    // Two replicas that start at the same time create only one connection for the same service.
    uniqueIndex('connections_environment')
      .on(t.baseUrl)
      .where(sql`${t.source} = 'environment'`),
    uniqueIndex('connections_docket')
      .on(t.kind)
      .where(sql`${t.source} = 'docket'`),
  ],
)

/** Condition for a connection `c`. */
export const isUnwatchedConnection = sql`(c.gone_at is not null or c.paused_at is not null or c.kind = 'unassigned')`

/**
 * Condition for records that Docket watches: their connection is neither paused nor gone. Others keep their last state, but count neither
 * as in progress nor as needing attention.
 */
export const isWatched = (connectionId: PgColumn): SQL =>
  sql`${connectionId} <> all(array(select c.connection_id from connections c where ${isUnwatchedConnection}))`
