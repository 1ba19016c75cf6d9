import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#ground/db/open.ts'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { hasPgBouncer, startPgBouncer } from '#testing/pgbouncer.ts'

/** An empty database with PgBouncer in front. */
const pooled = async (...settings: string[]) => {
  const { url: direct, db, drop } = await testDatabase({ empty: true })
  const pooler = await startPgBouncer(direct, ...settings)
  onTestFinished(async () => {
    await pooler.close()
    await drop()
  })
  return { direct, url: pooler.url, db }
}

const open = async (databaseUrl: string, directUrl?: string) => {
  const lines: string[] = []
  const note = (message: string) => void lines.push(message)
  const log = { debug: () => {}, warn: note, error: note }
  const opened = await openDatabase({ dataDir: '/nowhere', databaseUrl, directUrl, log })
  onTestFinished(opened.close)
  return { ...opened, lines }
}

const startWhole = async (env: Record<string, string>) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-pooler-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return startDocket({
    DATA_DIR: dataDir,
    ADMIN_API_URL: 'http://127.0.0.1:1',
    ADMIN_API_KEY: 'pooler_key-0123',
    ...env,
  })
}

const limits = sql`select current_setting('statement_timeout') as one, current_setting('idle_in_transaction_session_timeout') as other`

if (!hasPgBouncer) {
  test.skip('PgBouncer is not installed (Debian: pgbouncer), so its tests are skipped', () => {})
} else {
  test.each([
    ['refuses start-up parameters', []],
    ['drops them', ['ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout']],
  ])('through a session pooler that %s, every connection has its time limits', async (_, settings) => {
    const { url } = await pooled('pool_mode = session', ...settings)
    const { db, probes, lines } = await open(url)
    const asked = await Promise.all(Array.from({ length: 5 }, () => db.execute(limits)))
    for (const { rows } of asked) expect(rows).toEqual([{ one: '15s', other: '1min' }])
    expect((await probes.execute(limits)).rows).toEqual([{ one: '2s', other: '1min' }])
    expect(lines).toEqual([])
  })

  test('a whole Docket works through a session pooler', async () => {
    const { url } = await pooled('pool_mode = session')
    const docket = await startWhole({ DATABASE_URL: url })
    expect((await docket.fetch('/api/static-exports')).status).toBe(200)
    expect(await docket.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a whole Docket works through a transaction pooler, and logs once that the role must set the time limits', async () => {
    const { url, direct, db } = await pooled('pool_mode = transaction', 'default_pool_size = 3')
    const store = await mkdtemp(join(tmpdir(), 'docket-pooler-store-'))
    onTestFinished(() => rm(store, { recursive: true, force: true }))
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, ARTIFACT_STORE_DIR: store }
    const [one, other] = [await startWhole(env), await startWhole(env)]
    const cookie = await one.adminCookie()
    for (const docket of [one, other]) {
      const post = () =>
        docket.fetch('/api/tokens', {
          method: 'POST',
          headers: { cookie },
          body: JSON.stringify({ name: 'one', role: 'viewer', expiresInDays: 1 }),
        })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => docket.fetch('/api/static-exports', { headers: { cookie } })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect((await post()).status).toBeLessThan(500)
    }
    for (const docket of [one, other]) {
      const { code, stderr } = await docket.kill('SIGTERM')
      expect(code).toBe(0)
      expect(stderr.match(/"msg":"[^"]*/g)).toEqual([
        expect.stringMatching(
          /shares connections.*alter role \S+ set statement_timeout = '15000'; alter role \S+ set idle/,
        ),
      ])
    }
    const { rows } = await db.execute(sql`select count(*)::int as advisory from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`)
    expect(rows).toEqual([{ advisory: 0 }])
  })

  test('behind a transaction pooler, a Docket with a schema of its own does not start until its role leads there', async () => {
    const { url, direct, db } = await pooled('pool_mode = transaction', 'default_pool_size = 3')
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_SCHEMA: 'dock_1' }
    const { code, stderr } = await (await startWhole(env)).ended
    expect(code).toBe(1)
    const [command] = /alter role \S+ set search_path = 'dock_1'/.exec(stderr)!
    const name = new URL(direct).pathname.slice(1)
    await db.execute(sql.raw(command.replace(' set ', ` in database ${name} set `)))
    await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    const docket = await startWhole(env)
    expect((await docket.fetch('/api/static-exports')).status).toBe(200)
    expect((await docket.kill('SIGTERM')).code).toBe(0)
    const { rows } = await db.execute(sql`select 1 from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([])
  })

  test('behind a transaction pooler, the printed commands give every session what Docket relies on', async () => {
    const { url, direct, db } = await pooled('pool_mode = transaction', 'default_pool_size = 3')
    const name = new URL(direct).pathname.slice(1)
    // What PgBouncer tracks by itself needs no command: date style, time zone and string literals.
    const defaults = [
      "default_transaction_isolation = 'serializable'",
      "search_path = 'elsewhere'",
      "bytea_output = 'escape'",
    ]
    for (const each of defaults) await db.execute(sql.raw(`alter role docket in database ${name} set ${each}`))
    const { lines, close } = await open(url, direct)
    const commands = lines.join().match(/alter role \S+ set [^;]+/g)
    expect(commands?.join()).toMatch(/isolation = 'read committed'/)
    expect(commands?.join()).toMatch(/search_path = 'public'/)
    expect(commands?.join()).toMatch(/bytea_output = 'hex'/)
    expect(commands?.join()).toMatch(/statement_timeout = '15000'/)
    await close()
    for (const command of commands!) await db.execute(sql.raw(command.replace(' set ', ` in database ${name} set `)))
    await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    const again = await open(url, direct)
    expect(again.lines).toEqual([])
    const { rows } = await again.db.execute(sql`select current_setting('default_transaction_isolation') as isolation`)
    expect(rows).toEqual([{ isolation: 'read committed' }])
  })

  test.each<[string, string[], (urls: { url: string; direct: string }) => [string, string?], string]>([
    [
      'of transactions without a direct address',
      ['pool_mode = transaction'],
      ({ url }) => [url],
      'DATABASE_URL goes through a pooler in transaction mode, which cannot hold the lock of a migration. Set DATABASE_DIRECT_URL',
    ],
    [
      'of transactions with a single connection',
      ['pool_mode = transaction', 'default_pool_size = 1'],
      ({ url }) => [url],
      'DATABASE_URL goes through a pooler in transaction mode',
    ],
    [
      'of transactions as the direct address',
      ['pool_mode = transaction'],
      ({ url, direct }) => [direct, url],
      'DATABASE_DIRECT_URL goes through a pooler in transaction mode.',
    ],
    [
      'of statements',
      ['pool_mode = statement'],
      ({ url, direct }) => [url, direct],
      'DATABASE_URL goes through a pooler in statement mode, which has no transactions.',
    ],
    [
      'of sessions with a single connection',
      ['pool_mode = session', 'default_pool_size = 1'],
      ({ url }) => [url],
      'DATABASE_URL goes through a pooler that gave Docket one connection and no second.',
    ],
  ])(
    'a pooler %s is refused with a readable instruction, and nothing is changed',
    async (_, settings, addresses, sentence) => {
      const { db, ...urls } = await pooled(...settings)
      const opened = open(...addresses(urls))
      await expect(opened).rejects.toMatchObject({ name: 'DatabaseUnreachable' })
      await expect(opened).rejects.toThrow(sentence)
      const { rows } = await db.execute(
        sql`select tablename from pg_tables where schemaname in ('public', 'drizzle', 'pgboss')`,
      )
      expect(rows).toEqual([])
    },
  )
}

test('two addresses that lead to different databases are refused', async () => {
  const [one, other] = [await testDatabase({ empty: true }), await testDatabase({ empty: true })]
  onTestFinished(() => Promise.all([one.drop(), other.drop()]).then(() => {}))
  await expect(open(one.url, other.url)).rejects.toThrow('DATABASE_URL and DATABASE_DIRECT_URL name two databases.')
})

test('without a pooler, each session sets its time limits, with or without a direct address', async () => {
  const { url, drop } = await testDatabase({ empty: true })
  onTestFinished(drop)
  for (const direct of [undefined, url]) {
    const { db, lines } = await open(url, direct)
    const source = sql`select distinct source from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`
    expect([(await db.execute(source)).rows, lines]).toEqual([[{ source: 'session' }], []])
  }
})
