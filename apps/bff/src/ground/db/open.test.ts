import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { getRollbackPlans } from 'pg-boss'
import { expect, inject, onTestFinished, test } from 'vitest'
import { bumpRevision } from '#ground/db/revision.ts'
import { freshDataDir, open } from '#ground/db/testing/opened-database.ts'
import { testDatabase } from '#testing/database.ts'

const toUrl = (name: string, user: string): string =>
  `postgresql://${user}:hunter2@localhost/${name}?host=${encodeURIComponent(inject('testServer').host)}`

test('each test file has a migrated database of its own', async () => {
  const one = await testDatabase()
  const two = await testDatabase()
  onTestFinished(() => Promise.all([one.drop(), two.drop()]).then(() => {}))
  expect(await bumpRevision(one.db, 'agent_jobs')).toBe(1)
  expect(await bumpRevision(one.db, 'agent_jobs')).toBe(2)
  expect(await bumpRevision(two.db, 'agent_jobs')).toBe(1)
})

test('an empty database of DATABASE_URL is migrated', async () => {
  const { url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  const { db, kind } = await open({ databaseUrl: url })
  expect(kind).toBe('external')
  expect(await bumpRevision(db, 'agent_jobs')).toBe(1)
})

test('without DATABASE_URL, the embedded database is opened and keeps its data', async () => {
  const dataDir = await freshDataDir()
  const first = await open({ dataDir })
  expect(first.kind).toBe('embedded')
  await bumpRevision(first.db, 'agent_jobs')
  await first.close()
  const second = await open({ dataDir })
  expect(await bumpRevision(second.db, 'agent_jobs')).toBe(2)
})

test.each([
  ['docket at its best', 'DATABASE_URL must be an address of PostgreSQL'],
  ['mysql://docket:hunter2@localhost/docket', 'DATABASE_URL must be an address of PostgreSQL'],
])('an invalid DATABASE_URL is refused at once, without repeating it: %s', async (databaseUrl, sentence) => {
  const opened = open({ databaseUrl })
  await expect(opened).rejects.toThrow(sentence)
  await expect(opened).rejects.not.toThrow(/hunter2|its best/)
})

test('opening an unreachable database fails within a time limit, with an error that hides the password', async () => {
  const opened = open({ databaseUrl: 'postgresql://docket:hunter2@127.0.0.1:1/docket', startTimeoutMs: 250 })
  const error = await opened.then(
    () => expect.unreachable(),
    (thrown: Error & { lines: string[] }) => thrown,
  )
  expect(error.name).toBe('DatabaseUnreachable')
  expect(error.message).toMatch(
    /^The database at 127\.0\.0\.1:1\/docket cannot be used \(.*ECONNREFUSED.*\)\. .*DATABASE_URL/,
  )
  expect(error.lines.length).toBeGreaterThan(0)
  expect(`${error.stack} ${error.lines.join()}`).not.toContain('hunter2')
})

test.each([
  ['nobody-here', 'postgres', 'role "nobody-here" does not exist'],
  ['docket', 'nothing-here', 'database "nothing-here" does not exist'],
])('wrong credentials and a missing database fail without a wait: user %s, database %s', async (user, name, reason) => {
  const opened = open({ databaseUrl: toUrl(name, user), startTimeoutMs: 3_600_000 })
  await expect(opened).rejects.toMatchObject({ name: 'DatabaseUnreachable', lines: [] })
  await expect(opened).rejects.toThrow(reason)
  await expect(opened).rejects.not.toThrow('hunter2')
})

test('many processes starting at once on an empty database migrate it once', async () => {
  const { url, db, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  await Promise.all(Array.from({ length: 4 }, () => open({ databaseUrl: url }).then(({ close }) => close())))
  const { rows } = await db.execute(sql`select hash from drizzle.__drizzle_migrations`)
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
  expect(await bumpRevision(db, 'agent_jobs')).toBe(1)
})

test('a database of a newer Docket is refused with a readable error', async () => {
  const { url, db, drop } = await testDatabase()
  onTestFinished(drop)
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`)
  await expect(open({ databaseUrl: url })).rejects.toThrow('The database belongs to a newer Docket than this one.')
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(
    "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  )
  expect(rows).toEqual([])
  await client.end()
})

test('a role that may not create tables gets an error with the missing rights, and nothing is changed', async () => {
  const { db, url, drop } = await testDatabase({ empty: true })
  const role = `limited_${process.pid}`
  await db.execute(sql.raw(`create role ${role} login`))
  onTestFinished(async () => {
    await db.execute(sql.raw(`drop role ${role}`))
    await drop()
  })
  const limited = new URL(url)
  limited.username = role
  const opened = open({ databaseUrl: limited.href })
  await expect(opened).rejects.toMatchObject({ name: 'DatabaseForbids' })
  await expect(opened).rejects.toThrow(/permission denied.*grant its role CREATE/)
  const { rows } = await db.execute(sql`select 1 from pg_namespace where nspname in ('drizzle', 'pgboss')`)
  expect(rows).toEqual([])
})

test('several processes can create the tables and the queue of an empty database at the same time', async () => {
  const { db, url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  const opened = await Promise.all([1, 2, 3].map(() => open({ databaseUrl: url })))
  expect(opened.map(({ kind }) => kind)).toEqual(['external', 'external', 'external'])
  const { rows } = await db.execute(sql`select count(*)::int as versions from pgboss.version`)
  expect(rows).toEqual([{ versions: 1 }])
})

test('a start updates queue tables created by an earlier version', async () => {
  const { db, url, drop } = await testDatabase()
  onTestFinished(drop)
  const readVersion = async () => (await db.execute(sql`select version from pgboss.version`)).rows
  const current = await readVersion()
  await db.execute(sql.raw(getRollbackPlans('pgboss')))
  expect(await readVersion()).not.toEqual(current)
  await open({ databaseUrl: url })
  expect(await readVersion()).toEqual(current)
})
