import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedMigrations, embeddedMigrationsTable, migrate, readMigrations } from '@docket/local-admin-api/migrate'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrateDatabase, refuseForeignDatabase } from '#ground/db/migrate.ts'
import { testDatabase } from '#testing/database.ts'

/** SHA-256 of every migration. Databases know them: add a line for a new one, and never change a line. */
const recorded: Readonly<Record<string, string>> = {
  '0000_initial.sql': 'a43a7a10bd308d68b583c70e6d907008063b571c0dc373bd2987f70c9a313ef6',
  '0001_list_counts.sql': '42115b469b6ad71fb8dbce1fc99dd6bc033845c68e51cd0528325034f2319c44',
  '0002_audit_chain.sql': 'b59f964b4335733f3731bf8c71b5f1f02215a3af2e03e013d722e5383ff1da82',
  '0003_secret_leaves_database.sql': '22c963ea4c9498fcfee75ef0552c4a8025522a848e71cb1052248237c7820f25',
  '0004_web_builds.sql': '8f8cfff742f1e71859628058dbdeb211bbb42d67473cf5a3cae13a512781c260',
  '0005_connections.sql': 'e50cfd71922688a83e9e927af54a7553a02eabd0dc47a8872f76253734ff76c7',
  '0006_what_reads_mean.sql': 'd640a76947f0af34224152fb50ed55d984d7f1e9f7dc2a06cb27c69cdd3e77fe',
  '0007_attention_and_notes.sql': 'd6a16a07a422f2e9234d110655a749e33852a4d8e6d9487f5e96fc47f05ba47b',
  '0008_saved_views.sql': '1b13c6b6d80b3bdbdbc02e385af43c3e160cbdb0a4af51aafe016c25b5bfd101',
  '0009_story_of_a_job.sql': '456655e441ec3dedf945af07be12383d73865769333a6f350f972220ad15620b',
  '0010_pull_request_reads.sql': '2686491df81197e57868fb28c9dfb17d5d36aeb1cdad16f06e72ca71fb6dff1f',
  '0011_maintenance.sql': 'adc75b5371ab4e36388d7536736133e38eddb46ee8f072c5850fd7ae2b9d0ff4',
  '0012_saved_prompts.sql': '1e077f7632b65b432dce63e9e291a087f0c6a6cd9ac8879f3b75d1fae2c6c8d4',
  '0013_artifacts.sql': '65d145b3001bc69a3e5c228a91c343fc56e053c84a77e915cb752bd14994c64b',
  '0014_previews.sql': 'cf24d199cab00c635b264bd768d74c7c22807f64f2e7716fd9cdf22b1ad47468',
  '0015_versions.sql': '6b00b2c0e9703809d3c3a365fa90e183e74c137c40a7dff6c6263734c8426742',
  '0016_backup_runs.sql': 'd5272e92d40cc6904030c5610591ee1298dfe5e5d693a07100fa3aead9f9bc43',
  '0017_channels.sql': '7cfcce8030131c3aedea4c4816f78bef541060fac51a870536dfe2d2bb9c4323',
  '0018_exporter_of_exports.sql': '64bfbf594de2cc22358ed7e4df84adb0617671961808b85515989145a4130174',
  '0019_statistics_of_words.sql': '1f77e134de6fb2634fd85f7d83df049b37890665c15c00a6b827ca09d9bdb7c4',
  '0020_paused_tokens.sql': '0b699eaf767eaf873b54b02424d4560788b9cfe8b1ffccd1c1a61d3d43ec6b42',
  '0021_what_proposals_ask.sql': '50cbbe110b4bfe22b3813665c40d244e9ec3f5d2b115a54cfbae2c92659b10e2',
  '0022_known_stores.sql': '43f39ac4c73e80e0a00f15edefba562ce60a1bb3fe131ac2ad478da57d3fef65',
  '0023_embedded_switch.sql': '2e2fe30bf8f3d64680925598a7b695b933d339df941c9c650945fde8ebe9d818',
  '0024_publishing.sql': 'cb2e57dcb2622a1d305b7555c6ca8a4c24245707bc9fda0506ecd35b3764535e',
  '0025_time_zones.sql': '53000221e7f551de44b4400d02eaf6e213d2e6eebff14ff5fe71783e710ade9c',
  '0026_ready_is_work.sql': 'bfcd0f5c0fc2a84fa02581e7c35a6578414617611c0691e2b0be31f77197380d',
  '0027_pictures.sql': '16ad8420f4d6d01d3a74f1559dce2669e6bc7499f96f82a2b1745898aabf6f85',
  '0028_main_channel.sql': '54b2db99933fe69c52cccad05dc6e37beb871f9132149d24cfb5c8e8864cc9db',
  '0029_what_a_service_says.sql': '0c60c3dc9d2acb9c5d8a7c245fa37a7f1c6c39c280cc52e375af2ba95762f9a4',
  '0030_another_service.sql': '8b463b20e6dceb93d9456a2aa70a7cf9365e7631251f4f31e8dfe2fb0b2629aa',
  '0031_oidc_sessions.sql': '498c8220f23efae82c2b3989ae00ce049cb38f3912dd7a1ba34b38fc1717f425',
  '0032_oidc_rechecks.sql': 'c13d178c4f8c3afbacdf55ad040dadcc3072189a848e6f7688ce368646e96131',
  '0033_portable_uploads.sql': '2eb9749636a9445d43e5cdbae93c8412c811624952f4473564cae737d45758c7',
}

const folder = join(import.meta.dirname, 'migrations')

test('recorded migrations never change, and a new one is recorded and comes last', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const hashes = await Promise.all(
    names.map(async (name) => [
      name,
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    ]),
  )
  expect(Object.fromEntries(hashes)).toEqual(recorded)
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[]
  }
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(names)
  const times = journal.entries.map(({ when }) => when)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

/** A copy of a folder as Git for Windows may check it out. */
const copyWithWindowsLines = async (from: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'docket-windows-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(from, copy, { recursive: true })
  for (const name of await readdir(copy, { recursive: true }))
    if (/\.(sql|json)$/.test(name)) {
      const text = await readFile(join(copy, name), 'utf8')
      await writeFile(join(copy, name), text.replaceAll('\n', '\r\n'))
    }
  return copy
}

const connect = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('migrations name schemas only in the form that is replaced where Docket has schemas of its own', () => {
  for (const { sql: statements } of [folder, embeddedMigrations].flatMap(readMigrations)) {
    const text = statements.join('\n').replaceAll('"public".', '').replaceAll('"embedded_service"', '')
    expect(text).not.toMatch(/\bpublic"?\s*\.|embedded_service|pgboss|\bdrizzle\b|search_path|current_schema/i)
  }
})

test('checkouts with Windows and with Unix line ends have the same migrations, and use each other’s databases', async () => {
  const windows = [await copyWithWindowsLines(folder), await copyWithWindowsLines(embeddedMigrations)] as const
  expect(await readFile(join(windows[0], '0000_initial.sql'), 'utf8')).toContain('\r\n')
  expect(readMigrations(windows[0])).toEqual(readMigrations(folder))
  expect(readMigrations(windows[1])).toEqual(readMigrations(embeddedMigrations))
  expect(readMigrations(windows[0]).map(({ hash }) => hash)).toEqual(Object.values(recorded))

  const unix = await testDatabase()
  onTestFinished(unix.drop)
  await refuseForeignDatabase(await connect(unix.url), windows)

  const { url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  const client = await connect(url)
  await migrate(client, windows[0], '__drizzle_migrations')
  await migrate(client, windows[1], embeddedMigrationsTable)
  await migrateDatabase({ connectionString: url })
})

const refusal = async (change: string, { empty = false } = {}) => {
  const { db, url, drop } = await testDatabase({ empty })
  onTestFinished(drop)
  await db.execute(sql.raw(change))
  const dump = () =>
    db.execute(sql`select table_schema, table_name, column_name from information_schema.columns
      where table_schema in ('public', 'drizzle', 'pgboss') order by 1, 2, 3`)
  const before = await dump()
  const error: unknown = await migrateDatabase({ connectionString: url }).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  )
  expect((await dump()).rows).toEqual(before.rows)
  return error
}

const sentence =
  /^This Docket cannot bring .*\. Nothing was changed\. Start the version that made them, or name an empty/

test.each([
  ['another first migration', `update drizzle.__drizzle_migrations set hash = 'another' where id = 1`],
  [
    'another last migration',
    `update drizzle.__drizzle_migrations set hash = 'another' where hash = (
    select hash from drizzle.__drizzle_migrations order by created_at desc limit 1)`,
  ],
  ['a migration missing in between', 'delete from drizzle.__drizzle_migrations where id = 2'],
  ['no record of its migrations', 'drop schema drizzle cascade'],
  ['an empty record of its migrations', 'delete from drizzle.__drizzle_migrations'],
])('a database with %s is refused with a readable error and is not changed', async (_, change) => {
  expect(await refusal(change)).toMatchObject({ name: 'DatabaseForeign', message: expect.stringMatching(sentence) })
})

test('a database with a foreign table that has one of Docket’s table names is refused, and the error names it', async () => {
  expect(await refusal('create table sessions (id int)', { empty: true })).toMatchObject({
    name: 'DatabaseForeign',
    message: expect.stringContaining('it has a table sessions, and no record of who made it'),
  })
})

test('a database with other foreign tables is migrated', async () => {
  const { db, url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  await db.execute(sql`create table somebody_elses (id int)`)
  await migrateDatabase({ connectionString: url })
})
