import { Client } from 'pg'
import { openForBackup, type Place } from '#process/backup/database.ts'
import { listTables, qualified } from '#process/backup/catalog.ts'
import { embeddedMigrationsTable, knownEmbeddedMigrations, knownMigrations } from '#ground/db/migrate.ts'
import { describeFailure } from '#ground/log/failure.ts'

const queryMs = 10_000
const allMs = 60_000

// Names, counts and times. No column that people or services fill with free text.
const questions = {
  server: `select current_setting('server_version') as version, current_setting('max_connections') as max_connections,
    pg_database_size(current_database())::float8 as bytes, pg_is_in_recovery() as recovering,
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  appliedMigrations: `select hash, created_at::float8 as "createdAt" from drizzle.__drizzle_migrations order by created_at, id`,
  appliedEmbeddedMigrations: `select hash, created_at::float8 as "createdAt" from drizzle.${embeddedMigrationsTable} order by created_at, id`,
  backgroundJobs: `select name, state::text, count(*)::int from pgboss.job group by 1, 2 order by 1, 2`,
  connections: `select c.connection_id as id, c.kind, c.source, c.base_url, c.deployment_kind, c.calls_per_hour, c.timeout_ms,
    c.bundle_hosts, c.paused_at, c.gone_at, c.key_expires_on,
    case when c.sealed_key is not null then 'stored' when c.key_file is not null then 'file' else 'none here' end as key
    from connections c order by c.created_at`,
  keys: `select connection_id as id, check_outcome, checked_at, last_accepted_at, last_rejected_at from connection_keys`,
  answers: `select origin as connection, operation, at, ok_at, code, ms from call_answers order by 1, 2`,
  staticExports: `select connection_id as connection, list_group as state, count(*)::int,
    count(*) filter (where started_at > now() - interval '7 days')::int as last_7_days
    from static_exports where removed_at is null group by 1, 2 order by 1, 2`,
  agentJobs: `select connection_id as connection, list_group as state, count(*)::int,
    count(*) filter (where followed_at > now() - interval '7 days')::int as last_7_days
    from agent_jobs where removed_at is null group by 1, 2 order by 1, 2`,
  storedBundles: `select state, count(*)::int, sum(stored_bytes)::float8 as bytes from stored_bundles group by 1 order by 1`,
  bundlesOfExports: `select state, reason, count(*)::int from artifacts group by 1, 2 order by 1, 2`,
  latestAuditActions: `select action, outcome, count(*)::int from
    (select action, outcome from audit_events order by audit_id desc limit 10000) latest group by 1, 2 order by 3 desc`,
}

type Ask = (statement: string) => Promise<unknown>

const askUntil =
  (client: Client, until: number): Ask =>
  async (statement) => {
    if (performance.now() > until) return { failed: 'The database was too slow to ask for this as well.' }
    return client.query(statement).then(
      ({ rows }) => rows as unknown,
      (error: unknown) => ({ failed: describeFailure(error) }),
    )
  }

const countRows = async (client: Client, ask: Ask) => {
  const counted = []
  for (const { name } of await listTables(client)) {
    const table = qualified(name)
    const size = `pg_total_relation_size(${client.escapeLiteral(table)}::regclass)::float8`
    counted.push({
      table: name,
      found: await ask(`select count(*)::int as rows, ${size} as bytes from ${table}`),
    })
  }
  return counted
}

/** Facts about the database: versions, sizes, counts and states. Never throws: what cannot be read says why. */
export const readDatabaseFacts = async (place: Place): Promise<unknown> => {
  await using ending = new AsyncDisposableStack()
  try {
    const { config, close } = await openForBackup(place)
    ending.defer(close)
    const client = new Client({
      application_name: 'docket-support',
      connectionTimeoutMillis: queryMs,
      query_timeout: queryMs,
      ...config,
    })
    client.on('error', () => {})
    ending.defer(() => client.end().catch(() => {}))
    await client.connect()
    await client.query('set default_transaction_read_only = on')
    const ask = askUntil(client, performance.now() + allMs)
    const facts: Record<string, unknown> = {}
    for (const [name, statement] of Object.entries(questions)) facts[name] = await ask(statement)
    return {
      ...facts,
      knownMigrations: knownMigrations(),
      knownEmbeddedMigrations: knownEmbeddedMigrations(),
      tables: await countRows(client, ask),
    }
  } catch (error) {
    return { failed: describeFailure(error) }
  }
}
