import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { createOidcProvider } from '#people/accounts/oidc/provider.ts'
import { withClient } from '#process/backup/database.ts'
import type { Config } from '#ground/config/config.ts'
import { findLocalFolder } from '#ground/config/stores.ts'
import { judgeCall } from '#service/connections/key-proof.ts'
import { endsWithin } from '#ground/clock.ts'
import { waitUntilDatabaseAnswers } from '#ground/db/connect.ts'
import {
  countPending,
  embeddedMigrationsTable,
  howToGrant,
  listAppliedMigrations,
  refuseForeignDatabase,
} from '#ground/db/migrate.ts'
import { schemas } from '#ground/db/schemas.ts'
import { inspectPooler } from '#ground/db/pooler.ts'
import { describeFailure } from '#ground/log/failure.ts'
import { openArtifacts } from '#process/start/open-stores.ts'
import { readKnownInstance, refuseWrongSecret } from '#ground/secret/right-secret.ts'
import { findSecrets } from '#ground/secret/secrets.ts'
import { fine, unwise, wrong, type Finding } from './finding.ts'

const limitMs = 45_000
const queryMs = 5_000
const oldestServer = 150_000
/** Smaller clock differences are harmless. Milliseconds. */
const toleratedMs = 1_000

/** Runs a check with a time limit. A failure becomes a finding. */
const runCheckInTime = async (name: string, check: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    const checking = check()
    if (await endsWithin(limitMs, checking)) return await checking
    return [wrong(`${name} did not answer within ${limitMs / 1_000} s.`)]
  } catch (error) {
    return [wrong(`${name}: ${describeFailure(error)}`)]
  }
}

const checkClock = async (client: Client): Promise<Finding> => {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  const aheadMs = (before + Date.now()) / 2 - rows[0]!.ms
  return Math.abs(aheadMs) <= toleratedMs
    ? fine('The clock of this machine agrees with that of the database.')
    : unwise(
        `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database. Set it; until then, Docket goes by the database’s.`,
      )
}

const checkServer = async (client: Client): Promise<Finding[]> => {
  const { rows } = await client.query<{ number: number; version: string; database: boolean; schema: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      has_database_privilege(current_database(), 'CREATE') as database,
      coalesce(has_schema_privilege(to_regnamespace($1)::oid, 'CREATE'), true) as schema`,
    [`"${schemas.own}"`],
  )
  const { number, version, database, schema } = rows[0]!
  return [
    number < oldestServer
      ? wrong(`PostgreSQL is ${version}. Docket needs 15 or newer.`)
      : fine(`PostgreSQL ${version}.`),
    ...(database && schema
      ? []
      : [
          wrong(
            `The role of the database may not create ${database ? `tables in the schema ${schemas.own}` : 'schemas'}: ${howToGrant}.`,
          ),
        ]),
  ]
}

const checkTables = async (client: Client, config: Config): Promise<Finding[]> => {
  await refuseForeignDatabase(client)
  const instance = await readKnownInstance(client)
  if (instance !== null) refuseWrongSecret(instance, await findSecrets(config))
  const migrations = await listAppliedMigrations(client)
  const embeddedMigrations = await listAppliedMigrations(client, embeddedMigrationsTable)
  const pending = countPending({ migrations, embeddedMigrations })
  return [
    fine(
      migrations.length === 0
        ? `The ${schemas.own === 'public' ? 'database' : `schema ${schemas.own}`} holds nothing of Docket yet. The first start makes its tables.`
        : pending === 0
          ? 'The tables are those of this version.'
          : `The next start runs ${pending} ${pending === 1 ? 'migration' : 'migrations'}. Make a backup first.`,
    ),
  ]
}

const checkDatabase = async (config: Config): Promise<Finding[]> => {
  const findings: Finding[] = []
  const [url, direct] = [config.databaseUrl?.(), config.databaseDirectUrl?.()]
  if (url !== undefined) {
    const quiet = { warn: () => {} }
    await inspectPooler(await waitUntilDatabaseAnswers(url, 0, quiet), {
      direct:
        direct === undefined
          ? undefined
          : await waitUntilDatabaseAnswers(direct, 0, quiet, { name: 'DATABASE_DIRECT_URL' }),
      warn: (problem) => findings.push(unwise(problem)),
    })
  }
  // Opening the embedded database would create it.
  else if ((await stat(join(config.dataDir, 'postgres', 'PG_VERSION')).catch(() => null)) === null)
    return [fine('There is no embedded database yet. The first start makes it.')]
  const place = { databaseUrl: direct ?? url ?? null, dataDir: config.dataDir }
  const options = { application_name: 'docket-check', connectionTimeoutMillis: queryMs, query_timeout: queryMs }
  return withClient(place, options, async (client) => {
    findings.push(...(await checkServer(client)), await checkClock(client))
    return [...findings, ...(await checkTables(client, config).catch((error) => [wrong(describeFailure(error))]))]
  })
}

const checkAdminApi = async (service: NonNullable<Config['adminApi']>, timeoutMs: number) => {
  const { baseUrl, key, readKey, extra } = service
  const timeouts = { headersMs: timeoutMs, totalMs: timeoutMs }
  const api = httpAdminApi({ baseUrl, key: readKey ?? key, readKey: undefined, extra: extra(), timeouts })
  try {
    const { outcome, message } = await judgeCall(() => api.getStaticExport(randomUUID()))
    if (outcome === 'proven') return [fine(`The Admin API at ${baseUrl} accepts the key (one call was made).`)]
    return [(outcome === 'rejected' ? wrong : unwise)(`The Admin API at ${baseUrl}: ${message}`)]
  } finally {
    await api.close()
  }
}

const checkStore = async (config: Config): Promise<Finding[]> => {
  const { needs, close } = await openArtifacts(config)
  try {
    await needs.storage.check()
    return [fine('The bucket of stored bundles takes, returns and deletes an object.')]
  } finally {
    close()
  }
}

const checkProvider = async (oidc: NonNullable<Config['oidc']>): Promise<Finding[]> => {
  const { issuer, scopes, groupsClaim, signOut, recheckMinutes } = oidc
  const offers = await createOidcProvider(oidc, Date.now).metadata()
  const hasScope = groupsClaim === 'groups' && offers.scopes_supported?.includes('groups') === true
  return [
    fine(`The provider of single sign-on at ${issuer.href} answers.`),
    ...(hasScope && !scopes.includes('groups')
      ? [unwise('The provider has a scope “groups”. It may send groups only with it: add it to OIDC_SCOPES.')]
      : []),
    ...(issuer.hostname === 'login.microsoftonline.com' && groupsClaim === 'groups'
      ? [
          unwise(
            'Entra ID sends IDs of groups, and none at all for people in more than 200. Use app roles with OIDC_GROUPS_CLAIM=roles, or send only groups assigned to Docket.',
          ),
        ]
      : []),
    ...(signOut && offers.end_session_endpoint === undefined
      ? [unwise('OIDC_SIGN_OUT is on, but the provider publishes no address to sign out at.')]
      : []),
    ...(recheckMinutes !== null &&
    !scopes.includes('offline_access') &&
    offers.scopes_supported?.includes('offline_access')
      ? [unwise('The provider may need the scope “offline_access” for OIDC_RECHECK_MINUTES: add it to OIDC_SCOPES.')]
      : []),
    ...(offers['backchannel_logout_supported'] === true
      ? [fine('The provider can end sessions: register PUBLIC_URL + /api/auth/oidc/backchannel-logout there.')]
      : []),
  ]
}

/**
 * Connects to the database, the Admin API (one call of a random ID for its first key), the bucket of bundles and the
 * provider of single sign-on. Migrates nothing and always ends.
 */
export const checkServices = async (config: Config): Promise<Finding[]> => {
  const { adminApi, artifacts, oidc } = config
  const checks = [
    runCheckInTime('The database', () => checkDatabase(config)),
    ...(adminApi === null
      ? []
      : [runCheckInTime('The Admin API', () => checkAdminApi(adminApi, Math.min(config.adminApiTimeoutMs, limitMs)))]),
    ...(artifacts.enabled && findLocalFolder(artifacts.store) === null
      ? [runCheckInTime('The bucket of stored bundles', () => checkStore(config))]
      : []),
    ...(oidc === null ? [] : [runCheckInTime('Single sign-on', () => checkProvider(oidc))]),
  ]
  return (await Promise.all(checks)).flat()
}
