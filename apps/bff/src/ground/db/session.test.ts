import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import type { Database } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { open } from '#ground/db/testing/opened-database.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { testDatabase } from '#testing/database.ts'

const database = await testDatabase()
afterAll(() => database.drop())
const readName = (url: string) => new URL(url).pathname.slice(1)
// PostgreSQL looks first into the schema with the name of the role.
await database.db.execute(sql`create schema docket`)
await database.db.execute(sql`create table docket.list_revisions (list text, revision bigint)`)

const defaults = {
  DateStyle: ["'ISO, MDY'", "'SQL, DMY'", "'German'"],
  default_transaction_isolation: ["'read committed'", "'repeatable read'", "'serializable'"],
  timezone: ["'UTC'", "'America/St_Johns'"],
  search_path: ['"$user", public', 'elsewhere'],
  standard_conforming_strings: ['on', 'off'],
  client_encoding: ["'UTF8'", "'LATIN1'"],
}
const matrix = Object.entries(defaults).reduce<Record<string, string>[]>(
  (rows, [setting, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [setting]: value }))),
  [{}],
)

const roleHere = `role docket in database ${readName(database.url)}`
const databaseHere = `database ${readName(database.url)}`
const setDefaults = async (whose: string, settings: Record<string, string>) => {
  const changes = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`)
  for (const change of changes) await database.db.execute(sql.raw(`alter ${whose} ${change}`))
}
beforeEach(async () => {
  for (const whose of [roleHere, databaseHere]) await database.db.execute(sql.raw(`alter ${whose} reset all`))
})

const withPool = async (max: number, work: (db: Database) => Promise<void>) => {
  const pool = openPool({ connectionString: database.url, max }, { warn: () => {} })
  try {
    await work(drizzle(pool))
  } finally {
    await pool.end()
  }
}

const words = String.raw`a "backslash" \n, 'quotes' and 🚀`
const at = new Date('2026-02-03T04:05:06.789Z')

const writeOne = async (db: Database, id: string = randomUUID()) => {
  await db.transaction(async (tx) => {
    const target = { type: 'site', id, name: words }
    await recordAudit(tx, docketActor, { action: 'agent_job.created', at, target, details: { words } })
    await bumpRevision(tx, 'agent_jobs')
  })
  return id
}

/** Writes a row, and reads what a default could change. */
const writeAndRead = async (db: Database) => {
  const id = await writeOne(db)
  const [row] = await db.select().from(auditEvents).where(eq(auditEvents.targetId, id))
  const { rows } = await db.execute(sql`select 0.1::float8 + 0.2::float8 as sum, '\\xff00'::bytea as bytes,
    date_trunc('day', ${at.toISOString()}::timestamptz)::text as day`)
  return { at: row?.at, name: row?.targetName, words: row?.details['words'], ...rows[0] }
}

test(`queries answer the same in all ${matrix.length} combinations of defaults of the database and its role`, async () => {
  const expected = {
    at,
    name: words,
    words,
    sum: 0.1 + 0.2,
    bytes: Buffer.from([0xff, 0]),
    day: '2026-02-03 00:00:00+00',
  }
  for (const [index, settings] of matrix.entries()) {
    await setDefaults(index % 2 === 0 ? databaseHere : roleHere, settings)
    await withPool(1, async (db) =>
      expect({ settings, ...(await writeAndRead(db)) }).toEqual({ settings, ...expected }),
    )
    if (index % 2 === 1) await database.db.execute(sql.raw(`alter ${roleHere} reset all`))
  }
})

test.each(defaults.default_transaction_isolation)(
  '25 parallel writes work with the default isolation %s',
  async (level) => {
    await setDefaults(roleHere, { default_transaction_isolation: level, lock_timeout: '1', search_path: 'public' })
    await withPool(10, async (db) => {
      const ids = await Promise.all(Array.from({ length: 25 }, () => writeOne(db)))
      expect(new Set(ids).size).toBe(25)
    })
  },
)

/** An empty database, and a way to set its defaults. */
const emptyDatabase = async () => {
  const { url, db, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  return { url, db, set: (text: string) => db.execute(sql.raw(`alter database ${readName(url)} set ${text}`)) }
}

test('migrations wait as long as they need, and make their tables in the schema public, whatever the defaults', async () => {
  const { url, db, set } = await emptyDatabase()
  for (const text of ['statement_timeout = 1', 'lock_timeout = 1', 'search_path = elsewhere']) await set(text)
  await open({ databaseUrl: url })
  const { rows } = await db.execute(sql`select to_regclass('public.list_revisions') is not null as there`)
  expect(rows).toEqual([{ there: true }])
})

test('a database that is not in UTF8 is refused at start, in one final sentence', async () => {
  const { db, url } = await emptyDatabase()
  const name = `latin_${process.pid}`
  await db.execute(
    sql.raw(`create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`),
  )
  onTestFinished(() => db.execute(sql.raw(`drop database ${name} with (force)`)).then(() => {}))
  const opened = open({ databaseUrl: url.replace(readName(url), name), startTimeoutMs: 3_600_000 })
  await expect(opened).rejects.toMatchObject({ name: 'DatabaseUnreachable', lines: [] })
  await expect(opened).rejects.toThrow(
    /cannot be used \(the encoding of the database is LATIN1, and Docket needs UTF8\)\. Correct DATABASE_URL and start again\.$/,
  )
})

test('a start waits for a read-only database, and goes on when it takes writes', async () => {
  const { url, set } = await emptyDatabase()
  await set('default_transaction_read_only = on')
  await expect(open({ databaseUrl: url, startTimeoutMs: 0 })).rejects.toThrow(/the database is read-only/)
  const opened = open({ databaseUrl: url })
  await set('default_transaction_read_only = off')
  expect((await opened).kind).toBe('external')
})
