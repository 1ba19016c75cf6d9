import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { Client, type ClientConfig } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { sealAudit } from '#ground/audit/seal.ts'
import { verifyAudit } from '#ground/audit/verify.ts'
import { purgeAudit } from '#ground/audit/purge.ts'
import { listTables, qualifyName, prepareSession } from '#process/backup/catalog.ts'
import { makeBackup } from '#process/backup/make-backup.ts'
import { restoreBackup } from '#process/backup/restore-backup.ts'
import { writeSealed } from '#process/backup/sealed-file.ts'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { readSecretsInFolder } from '#ground/secret/secrets.ts'
import { filledDatabase, testDatabase, type TestDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { seedRecords } from '#testing/seed-records.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-backup-'))
afterAll(() => rm(folder, { recursive: true }))

const now = () => Date.parse('2026-05-01T10:00:00.000Z')
let folders = 0
const fresh = (name: string) => join(folder, `${name}-${(folders += 1)}`)

const makePlace = (databaseUrl: string | null, dataDir = fresh('data')) => ({ databaseUrl, dataDir })
const backUp = async (place: ReturnType<typeof makePlace>, file = `${fresh('backup')}.tar`) => {
  const plain = { encryptTo: null, secretInFile: true }
  const manifest = await makeBackup({ place, file, docket: '1.2.3', now, ...plain })
  return { file, manifest }
}

const restore = async ({ place, file }: { place: ReturnType<typeof makePlace>; file: string }) =>
  restoreBackup({
    place,
    file,
    openWith: null,
    secrets: await readSecretsInFolder(place.dataDir),
    withoutSecret: false,
  })

const withClient = async <T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client(config)
  await client.connect()
  try {
    await prepareSession(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Every row of every table, in words. */
const everything = (config: ClientConfig) =>
  withClient(config, async (client) => {
    const all: Record<string, string[]> = {}
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${qualifyName(name)} t order by 1`,
      )
      all[name] = rows.map(({ row }) => row)
    }
    return all
  })

const listIndexes = (config: ClientConfig) =>
  withClient(config, async (client) => {
    const { rows } = await client.query(
      `select indexname, indexdef from pg_indexes where schemaname in ('public', 'embedded_service') order by schemaname, 1`,
    )
    return rows
  })

const opened = (one: TestDatabase) => {
  onTestFinished(one.drop)
  return { ...one, place: makePlace(one.url), config: { connectionString: one.url } }
}

/** A database of a Docket that was only started, or an `empty` one. */
const database = async (options?: { empty: boolean }) => opened(await testDatabase(options))

const filled = await filledDatabase(async ({ db, url }) => {
  await seedRecords(db, { exports: 300, jobs: 200, now: now() })
  // Characters that COPY escapes.
  await withClient({ connectionString: url }, (client) =>
    client.query(`
      update static_exports set reason = E'a tab\\t, a line\\nanother\\r, a \\\\N and “ü”\\x7f', paths = '["/a\\\\b", "\\"c\\""]'
        where export_id = (select export_id from static_exports where state = 'failed' limit 1);
      insert into history_events (record_type, record_key, kind, at) select 'static_exports', n, 'requested', now() from generate_series(1, 7) n;
      insert into embedded_service.static_exports (job_id, domain, status, created_at, updated_at)
        select n, 'docs.example.com', case n when 1 then 'running' else 'completed' end, now(), now() from generate_series(1, 5) n`),
  )
})
afterAll(filled.drop)
const seeded = async () => opened(await filled.copy())

test('a backup made during writes contains a consistent snapshot', async () => {
  const source = await database()
  let writing = true
  const writer = withClient(source.config, async (client) => {
    for (let n = 0; writing; n += 1) {
      await client.query(`
        begin; insert into agent_jobs (project_id, id, followed_at) values ('docs', '${n}', now());
        insert into history_events (record_type, record_key, kind, at) values ('agent_jobs', '${n}', 'followed', now()); commit`)
      if (n === 20) underWay()
    }
  })
  let underWay = () => {}
  await new Promise<void>((resolve) => (underWay = resolve))
  const backups = [await backUp(source.place), await backUp(source.place)]
  writing = false
  await writer
  for (const { manifest } of backups) {
    const countRows = (table: string) => manifest.tables.find(({ name }) => name === table)!.rows
    expect(countRows('agent_jobs')).toBeGreaterThan(20)
    expect(countRows('history_events')).toBe(countRows('agent_jobs'))
  }
})

test('a restore brings back every row and every sequence', async () => {
  const source = await seeded()
  const before = await everything(source.config)
  const { file, manifest } = await backUp(source.place)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(manifest.tables.find(({ name }) => name === 'static_exports')?.rows).toBe(300)
  expect(manifest.tables.find(({ name }) => name === 'embedded_service.static_exports')?.rows).toBe(5)

  const target = await database({ empty: true })
  await restore({ place: target.place, file })
  expect(await everything(target.config)).toEqual(before)
  expect(await listIndexes(target.config)).toEqual(await listIndexes(source.config))

  await withClient(target.config, async (client) => {
    // Triggers count again, and the next event gets a number of its own.
    await client.query(`delete from static_exports where state = 'refused'`)
    await client.query(`insert into history_events (record_type, record_key, kind, at) values ('x', 'y', 'z', now())`)
    const { rows } = await client.query<{ stored: unknown; actual: unknown }>(`
      select counts as stored, (select jsonb_object_agg(list_group, n) from (select list_group, count(*) n from static_exports where removed_at is null group by 1) c) as actual
      from list_revisions where list = 'static_exports'`)
    expect(rows[0]?.stored).toEqual(rows[0]?.actual)
    expect(JSON.stringify(rows[0]?.stored)).not.toContain('refused')
  })
})

test('the audit chain is intact after a restore and continues, including rows that were not sealed yet', async () => {
  const source = await database()
  const write = (db: typeof source.db, details = {}) =>
    recordAudit(db, testActor('Zoë'), { action: 'user.renamed', at: new Date(now()), details })
  for (let n = 0; n < 5; n += 1) await write(source.db, { to: 'Zoë "Z"', longer: 1.5, n })
  await sealAudit(source.db)
  await purgeAudit(source.db, now() + 86_400_000, 0)
  await sealAudit(source.db)
  await write(source.db)
  const verify = (db: typeof source.db) => verifyAudit(db, { budgetMs: 60_000 })
  const before = await verify(source.db)
  expect(before).toMatchObject({ rows: 1, purged: { throughId: 5 }, broken: null, unsealed: { rows: 1 } })

  const { file } = await backUp(source.place)
  const target = await database()
  await restore({ place: target.place, file })
  expect(await verify(target.db)).toEqual(before)
  await write(target.db)
  await sealAudit(target.db)
  expect(await verify(target.db)).toMatchObject({
    rows: 3,
    broken: null,
    through: { auditId: 8 },
    unsealed: { rows: 0 },
  })
})

test('after a restore, leased records are due for polling at once and pending starts are never repeated', async () => {
  const source = await seeded()
  await withClient(source.config, (client) =>
    client.query(`
      update agent_jobs set lease_owner = 'gone/1', lease_until = now() + interval '2 hours', next_check_at = now() + interval '2 hours' where status = 'active';
      update static_exports set state = 'starting', job_id = null, lease_owner = 'gone/start', lease_until = now() + interval '2 hours', next_check_at = now() + interval '2 hours'
        where state = 'accepted' and gone_at is null`),
  )
  const { file } = await backUp(source.place)
  const target = await database()
  await restore({ place: target.place, file })
  await withClient(target.config, async (client) => {
    const { rows } = await client.query(`
      select (select count(*)::int from agent_jobs where status = 'active' and lease_owner is null and next_check_at <= now()) jobs,
        (select count(*)::int from static_exports where state = 'starting' and lease_owner is null and next_check_at <= now()) starts`)
    expect(rows).toEqual([{ jobs: 10, starts: 10 }])
  })
})

test('the embedded database and the files beside it are backed up whether it is running or stopped', async () => {
  const dataDir = fresh('embedded')
  const server = await startEmbeddedPostgres({ dataDir })
  onTestFinished(server.stop)
  await migrateDatabase(server.connection)
  await withClient(server.connection, (client) =>
    client.query(`insert into agent_jobs (project_id, id, followed_at) values ('docs', 'job-1', now())`),
  )
  const write = async (path: string, content: string) => {
    await mkdir(join(dataDir, 'local-admin-api', path, '..'), { recursive: true })
    await writeFile(join(dataDir, 'local-admin-api', path), content)
  }
  await write('agent-jobs/job-1.json', '{"id":"job-1"}')
  await write('static-exports/sites/job-2/index.html', 'made again')
  await writeFile(join(dataDir, 'local-admin-api.key'), 'docket_secret\n', { mode: 0o600 })
  const expected = await everything(server.connection)

  const running = await backUp(makePlace(null, dataDir))
  await server.stop()
  const stopped = await backUp(makePlace(null, dataDir))
  expect(stopped.manifest.tables).toEqual(running.manifest.tables)

  const target = makePlace(null, fresh('restored'))
  await restore({ place: target, file: running.file })
  expect((await readdir(target.dataDir)).toSorted()).toEqual([
    'docket.lock',
    'local-admin-api',
    'local-admin-api.key',
    'postgres',
  ])
  expect(await readdir(join(target.dataDir, 'local-admin-api'), { recursive: true })).toEqual([
    'agent-jobs',
    'agent-jobs/job-1.json',
  ])
  const restored = await startEmbeddedPostgres({ dataDir: target.dataDir })
  onTestFinished(restored.stop)
  expect(await everything(restored.connection)).toEqual(expected)
  await restored.stop()
  await expect(restore({ place: target, file: running.file })).rejects.toThrow('has jobs in')
})

test('a truncated, altered or extended backup, or another file, is refused before anything is written', async () => {
  const source = await seeded()
  const { file } = await backUp(source.place)
  const bytes = await readFile(file)
  const target = await database({ empty: true })
  const refused = async (damaged: Buffer) => {
    await writeFile(`${file}.damaged`, damaged)
    await expect(restore({ place: target.place, file: `${file}.damaged` })).rejects.toThrow('cut off or altered')
  }
  for (const part of [0, 100, 600, bytes.length / 2, bytes.length - 700, bytes.length - 450, bytes.length - 1]) {
    const altered = Buffer.from(bytes)
    altered[Math.trunc(part)]! ^= 1
    await refused(altered)
  }
  for (const length of [0, 511, 512, 5_000, bytes.length - 512, bytes.length - 1])
    await refused(bytes.subarray(0, length))
  // More behind the seal, or the seal of another file.
  for (const more of [Buffer.from('x'), Buffer.alloc(512), bytes.subarray(-512), bytes])
    await refused(Buffer.concat([bytes, more]))
  await refused(Buffer.concat([bytes.subarray(0, -512), Buffer.alloc(512), bytes.subarray(-512)]))
  await refused(await readFile(import.meta.filename))
  const foreign = `${fresh('foreign')}.tar`
  await writeSealed(foreign, Readable.from([Buffer.alloc(1024)]), null)
  await expect(restore({ place: target.place, file: foreign })).rejects.toThrow('is not a backup of Docket')
  expect(await everything(target.config)).toEqual({})
})

test('a backup made by a newer Docket is refused before anything is written', async () => {
  const source = await database()
  await withClient(source.config, (client) =>
    client.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`),
  )
  const { file } = await backUp(source.place)
  const target = await database({ empty: true })
  await expect(restore({ place: target.place, file })).rejects.toThrow('made by a newer Docket')
  expect(await everything(target.config)).toEqual({})
})

test('a backup made by an older Docket is loaded into tables of that version, which are then migrated', async () => {
  const old = await database({ empty: true })
  await migrateDatabase(old.config, { only: 1 })
  await withClient(old.config, (client) =>
    client.query(`insert into agent_jobs (project_id, id, followed_at) values ('docs', 'job-1', now())`),
  )
  const before = await everything(old.config)
  const { file } = await backUp(old.place)
  const newer = await database()
  await expect(restore({ place: newer.place, file })).rejects.toThrow('newer tables than the backup')
  const target = await database({ empty: true })
  await restore({ place: target.place, file })
  // Later migrations add columns.
  const readJob = (tables: Awaited<ReturnType<typeof everything>>): unknown => JSON.parse(tables['agent_jobs']![0]!)
  expect(readJob(await everything(target.config))).toMatchObject(readJob(before) as object)
  await withClient(target.config, (client) => client.query(`delete from agent_jobs`))
  expect((await everything(target.config))['list_revisions']?.join()).toContain('"agent_jobs"')
})

test('a restore overwrites a Docket that was only started, but never one in use', async () => {
  const source = await seeded()
  const { file } = await backUp(source.place)
  const used = await database()
  await withClient(used.config, (client) =>
    client.query(`insert into agent_jobs (project_id, id, followed_at) values ('mine', 'job-1', now())`),
  )
  const before = await everything(used.config)
  await expect(restore({ place: used.place, file })).rejects.toThrow('in use already: agent_jobs has rows')
  expect(await everything(used.config)).toEqual(before)

  const started = await database()
  await withClient(started.config, (client) => client.query(`insert into call_budgets values ('x', 'y', 1, 1)`))
  const running = new Client({ ...started.config, application_name: 'docket' })
  await running.connect()
  await expect(restore({ place: started.place, file })).rejects.toThrow('Stop every Docket')
  await running.end()
  await restore({ place: started.place, file })
  expect(await everything(started.config)).toEqual(await everything(source.config))
})

test('a backup contains no sessions and never overwrites a file', async () => {
  const source = await database()
  const { file, manifest } = await backUp(source.place)
  expect(manifest.tables.map(({ name }) => name)).not.toContain('sessions')
  const bytes = await readFile(file)
  await expect(backUp(source.place, file)).rejects.toThrow('exists already')
  expect(await readFile(file)).toEqual(bytes)
  expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('the next backup removes the unencrypted tables that an interrupted one left', async () => {
  const { place } = await database()
  // No process has a number that large.
  const left = join(place.dataDir, 'docket.backup.4194399.abc')
  await mkdir(join(left, 'tables'), { recursive: true })
  await backUp(place)
  expect((await readdir(place.dataDir)).filter((name) => name.startsWith('docket.backup.'))).toEqual([])
})
