import { mkdir, rename, rm, stat, writeFile, lstat, readdir, statfs, readFile } from 'node:fs/promises'
import { dirname, resolve, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import { proxyNames } from '@docket/outbound/proxy'
import { syncToDisk } from '#ground/data-folder.ts'
import { redactLinks, replaceSecrets } from '#ground/log/redact.ts'
import { checkAll, findDataDir, readSettings } from './check/check.ts'
import { formatFindings } from './check-config.ts'
import type { Command } from './command.ts'
import { listVersions } from './version.ts'
import { describeFailure } from '#ground/log/failure.ts'
import { environment } from '#ground/config/environment.ts'
import { VariableDescription, listSecretVariables } from '#ground/config/variable.ts'
import { type Config, toDatabasePlace } from '#ground/config/config.ts'
import { locatePreviousSecretFile, locateSecretFile } from '#ground/secret/secrets.ts'
import type { Client } from 'pg'
import { withClient, type Place } from '#process/backup/database.ts'
import { listTables, qualifyName } from '#process/backup/catalog.ts'
import { schemas } from '#ground/db/schemas.ts'
import {
  embeddedMigrationsTable,
  listKnownEmbeddedMigrations,
  listKnownMigrations,
  ownMigrationsTable,
} from '#ground/db/migrate.ts'

const queryMs = 10_000
const allMs = 60_000

// Only names, counts and times, and no column that people or services fill with free text.
const questions = {
  server: `select current_setting('server_version') as version, current_setting('max_connections') as max_connections,
    pg_database_size(current_database())::float8 as bytes, pg_is_in_recovery() as recovering,
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  appliedMigrations: `select hash, created_at::float8 as "createdAt" from ${schemas.migrations}.${ownMigrationsTable} order by created_at, id`,
  appliedEmbeddedMigrations: `select hash, created_at::float8 as "createdAt" from ${schemas.migrations}.${embeddedMigrationsTable} order by created_at, id`,
  backgroundJobs: `select name, state::text, count(*)::int from ${schemas.queues}.job group by 1, 2 order by 1, 2`,
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

const countTableRows = async (client: Client, ask: Ask) => {
  const counted = []
  for (const { name } of await listTables(client)) {
    const table = qualifyName(name)
    const size = `pg_total_relation_size(${client.escapeLiteral(table)}::regclass)::float8`
    counted.push({
      table: name,
      found: await ask(`select count(*)::int as rows, ${size} as bytes from ${table}`),
    })
  }
  return counted
}

/** Facts about the database: versions, sizes, counts and states. Never throws; a fact that cannot be read is replaced by the reason. */
const readDatabaseFacts = async (place: Place): Promise<unknown> => {
  const options = { application_name: 'docket-support', connectionTimeoutMillis: queryMs, query_timeout: queryMs }
  return withClient(place, options, async (client): Promise<unknown> => {
    await client.query('set default_transaction_read_only = on')
    const ask = askUntil(client, performance.now() + allMs)
    const facts: Record<string, unknown> = {}
    for (const [name, statement] of Object.entries(questions)) facts[name] = await ask(statement)
    return {
      ...facts,
      knownMigrations: listKnownMigrations(),
      knownEmbeddedMigrations: listKnownEmbeddedMigrations(),
      tables: await countTableRows(client, ask),
    }
  }).catch((error: unknown) => ({ failed: describeFailure(error) }))
}

/** Settings that are no secrets by themselves, and whose values name people, commands or halves of credentials. */
const unshownSettings: readonly string[] = [
  ...listSecretVariables(environment.shape),
  // Their credentials also count as secrets.
  ...proxyNames.filter((name) => !/^no_/i.test(name)),
  'SETUP_ADMIN_EMAIL',
  'ARTIFACT_S3_ACCESS_KEY_ID',
  'LOCAL_S3_ACCESS_KEY_ID',
  'ADMIN_API_KEY_PREFIX',
  'AGENT_COMMAND',
  'AGENT_CHECK_COMMAND',
  'AGENT_COMMIT_AUTHOR',
  'AGENT_COMMIT_COMMITTER',
  'AGENT_PULL_REQUEST_REVIEWERS',
]

const maxFileBytes = 65_536

const readSmallFile = async (file: string | undefined): Promise<string> => {
  if (file === undefined || file === '') return ''
  const found = await stat(file).catch(() => null)
  // Reading a pipe would wait for its writer.
  if (found === null || !found.isFile() || found.size > maxFileBytes) return ''
  return readFile(file, 'utf8').catch(() => '')
}

const readPasswords = (address: string): string[] => {
  const [, inLogin = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^:/@]*:(.*)@/is.exec(address) ?? []
  const [, inQuery = ''] = /[?&]password=([^&]*)/s.exec(address) ?? []
  return [inLogin, inQuery].flatMap((text) => [text, safeDecode(text)])
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Every secret that this environment and its data folder hold, to be removed from everything that leaves. */
const findKnownSecrets = async (
  env: NodeJS.ProcessEnv,
  dataDir: string,
  config: Config | null,
): Promise<Set<string>> => {
  const inEnvironment = await Promise.all(
    unshownSettings.map(async (name) => [env[name] ?? '', await readSmallFile(env[`${name}_FILE`]?.trim())]),
  )
  const keyFolder = env['CONNECTION_KEYS_DIR']?.trim()
  const keyNames = keyFolder ? await readdir(keyFolder).catch(() => []) : []
  const files = [
    locateSecretFile(dataDir),
    locatePreviousSecretFile(dataDir),
    join(dataDir, 'local-admin-api.key'),
    ...keyNames.map((name) => join(keyFolder!, name)),
  ]
  const inFiles = await Promise.all(files.map(readSmallFile))
  const agentEnv = await readSmallFile(env['AGENT_COMMAND_ENV_FILE']?.trim())
  const hosts = (config?.local.codeHosts ?? []).map((host) => ('token' in host ? host.token() : host.app.privateKey()))
  const found = [
    ...inEnvironment.flat(),
    ...inFiles,
    ...hosts,
    ...agentEnv.split('\n').map((line) => line.slice(line.indexOf('=') + 1)),
  ].map((text) => text.trim())
  return new Set([...found, ...found.flatMap(readPasswords)].filter((text) => text !== ''))
}

/** Every setting with its value, one line each. Secrets are only `set` or `not set`. */
const formatSettings = (env: NodeJS.ProcessEnv): string =>
  Object.entries(environment.shape)
    .map(([name, schema]) => {
      const value = env[name]?.trim() || undefined
      const { byDefault } = VariableDescription.parse(schema.meta())
      if (value === undefined) return `${name}: not set${byDefault === undefined ? '' : ` (default ${byDefault})`}`
      return `${name}: ${unshownSettings.includes(name) ? 'set' : redactLinks(value).replaceAll(/\s+/g, ' ')}`
    })
    .join('\n')

const maxMs = 30_000

type Use = { bytes: number; files: number }

const measureFolder = async (path: string, until: number): Promise<Use> => {
  const found = await lstat(path).catch(() => null)
  if (found === null) return { bytes: 0, files: 0 }
  const names = found.isDirectory() && performance.now() < until ? await readdir(path).catch(() => []) : []
  const use = { bytes: found.blocks * 512, files: found.isDirectory() ? 0 : 1 }
  for (const name of names) {
    const below = await measureFolder(join(path, name), until)
    use.bytes += below.bytes
    use.files += below.files
  }
  return use
}

/** Free disk space of a folder, and the size of each of its entries. Stops counting after half a minute. */
const readDiskUse = async (folder: string): Promise<unknown> => {
  try {
    const until = performance.now() + maxMs
    const { bavail, blocks, bsize } = await statfs(folder)
    const entries = []
    for (const name of (await readdir(folder)).toSorted())
      entries.push({ name, ...(await measureFolder(join(folder, name), until)) })
    const complete = performance.now() < until
    return { folder, freeBytes: bavail * bsize, sizeBytes: blocks * bsize, complete, entries }
  } catch (error) {
    return { failed: describeFailure(error) }
  }
}

const contents = {
  'README.txt': 'This list.',
  'versions.txt': 'Versions of Docket, Node and PostgreSQL, and the flags of Node.',
  'settings.txt': 'All settings. Secrets are only "set" or "not set"; addresses stay, without credentials.',
  'check-config.txt': 'The result of check-config, without connecting anywhere.',
  'database.json':
    'Versions, sizes of tables, counts of records by state, connections without keys, audit actions by count.',
  'disk.json': 'Free room, and what each entry of DATA_DIR takes.',
} as const

const formatReadme = (madeAt: string) => `Support bundle of Docket, made ${madeAt}.

${Object.entries(contents)
  .map(([name, about]) => `${name}: ${about}`)
  .join('\n')}

It holds host names and folders, and no keys, passwords, tokens, presigned links or names of people. Read it before you
send it. Log lines are not in it, because Docket writes them to standard error: add those of your service manager, such
as journalctl -u docket --since -1h, or docker logs.
`

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const collectFiles = async (env: NodeJS.ProcessEnv, madeAt: string): Promise<Record<keyof typeof contents, string>> => {
  const dataDir = findDataDir(env)
  const { config } = await readSettings(env)
  const secrets = await findKnownSecrets(env, dataDir, config)
  const flags = [...process.execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').trim()
  const texts = {
    'README.txt': formatReadme(madeAt),
    'versions.txt': [...(await listVersions()), `Flags of Node: ${flags || 'none'}`, ''].join('\n'),
    'settings.txt': `${formatSettings(env)}\n`,
    'check-config.txt': `${formatFindings(await checkAll(env, { reach: false }))}\n`,
    // Without a valid configuration, the database is unknown.
    'database.json': formatJson(
      config === null ? { failed: 'see check-config.txt' } : await readDatabaseFacts(toDatabasePlace(config)),
    ),
    'disk.json': formatJson(await readDiskUse(dataDir)),
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, replaceSecrets(redactLinks(text), secrets)]),
  ) as typeof texts
}

/** Writes a private file that appears whole under its name or not at all. */
const writeWhole = async (file: string, bytes: Uint8Array): Promise<void> => {
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx', flush: true })
    await rename(unfinished, file)
    await syncToDisk(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Writes facts for support to one file, without secrets. Docket may be running or stopped. */
export const supportBundle: Command = async ({ args, env, from, usage, print }) => {
  const [named, ...more] = args
  if (more.length > 0 || named?.startsWith('-') === true) throw new Error(usage)
  const madeAt = new Date()
  const stamp = madeAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const file = resolve(from, named ?? `docket-support-${stamp}.tar.gz`)
  if (await stat(file).catch(() => undefined)) throw new Error(`${file} exists already. Name another file.`)
  const texts = await collectFiles(env, madeAt.toISOString())
  const entries = Object.entries(texts).map(([name, body]) => ({
    header: { name: `docket-support/${name}`, size: Buffer.byteLength(body), mode: 0o600, mtime: madeAt },
    body,
  }))
  await writeWhole(file, await promisify(gzip)(await packTar(entries)))
  print(`Wrote ${file}:`)
  for (const [name, about] of Object.entries(contents)) print(`  ${name.padEnd(18)}${about}`)
  print('Log lines are not in it. Read it before you send it.')
  return 0
}
