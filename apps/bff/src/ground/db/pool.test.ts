import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { testDatabase } from '#testing/database.ts'

/** A guarded pool on a database of its own, and a second connection to it that the test breaks things with. */
const guardedPool = async (limits: PoolConfig): Promise<{ db: Database; admin: Database; warned: string[] }> => {
  const { url, db: admin, drop } = await testDatabase()
  const warned: string[] = []
  const pool = openPool({ connectionString: url, ...limits }, { warn: (message) => void warned.push(message) })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return { db: drizzle(pool), admin, warned }
}

const readPid = async (db: Tx): Promise<number> => {
  const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return rows[0]!.pid
}

const end = (admin: Database, pid: number) => admin.execute(sql`select pg_terminate_backend(${pid}, 10000)`)

const readFailure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

test('printing a pool reveals no password', async () => {
  const pool = openPool({ connectionString: 'postgresql://docket:hunter2@127.0.0.1:1/docket' }, { warn: () => {} })
  const text = inspect({ db: drizzle(pool) }, { depth: null, showHidden: true }) + JSON.stringify(pool.options)
  expect(text).toContain('docket')
  expect(text).not.toContain('hunter2')
  await pool.end()
})

test('an idle connection that ends does not end the process, and the next query works', async () => {
  const { db, admin, warned } = await guardedPool({ max: 1 })
  const before = await readPid(db)
  await end(admin, before)
  await expect.poll(() => warned.length).toBe(1)
  expect(await readPid(db)).not.toBe(before)
})

test('a connection that ends inside a transaction fails that transaction only', async () => {
  const { db, admin } = await guardedPool({ max: 1 })
  for (let round = 0; round < 3; round++) {
    const error = await readFailure(
      db.transaction(async (tx) => {
        await end(admin, await readPid(tx))
        // Between two statements nobody waits for the connection, so its end arrives as an event.
        await new Promise((later) => setImmediate(later))
        await readPid(tx)
      }),
    )
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
  expect(await readPid(db)).toBeGreaterThan(0)
})

test('a transaction that cannot begin returns its connection to the pool', async () => {
  const { db, admin } = await guardedPool({ max: 1, query_timeout: 300, connectionTimeoutMillis: 5_000 })
  const pid = await readPid(db)
  // Stopped in its tracks: the connection stays open and nothing answers, as behind a broken network.
  const { rows } = await admin.execute<{ id: number }>(sql`select ${pid}::int as id`)
  process.kill(rows[0]!.id, 'SIGSTOP')
  try {
    const error = await readFailure(db.transaction((tx) => readPid(tx)))
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(await readPid(db)).not.toBe(pid)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a statement over its time limit counts as an unavailable database, and its connection stays usable', async () => {
  const { db } = await guardedPool({ max: 1, statement_timeout: 50 })
  const pid = await readPid(db)
  const error = await readFailure(db.transaction((tx) => tx.execute(sql`select pg_sleep(30)`)))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(await readPid(db)).toBe(pid)
})

test('a transaction that fails by its own error rolls back and keeps its connection', async () => {
  const { db } = await guardedPool({ max: 1 })
  const pid = await readPid(db)
  const work = db.transaction(async (tx) => {
    await tx.execute(sql`insert into list_revisions values ('agent_jobs', 1)`)
    throw new Error('second thoughts')
  })
  await expect(work).rejects.toThrow('second thoughts')
  expect((await db.execute(sql`select 1 from list_revisions where list = 'agent_jobs'`)).rows).toEqual([])
  expect(await readPid(db)).toBe(pid)
})

test('faulty queries and failures of other servers do not count as an unavailable database', async () => {
  const { db } = await guardedPool({ max: 1 })
  const insert = () => db.execute(sql`insert into list_revisions values ('agent_jobs', 1)`)
  await insert()
  expect(isDatabaseUnavailable(await readFailure(insert()))).toBe(false)
  expect(isDatabaseUnavailable(await readFailure(db.execute(sql`select nothing`)))).toBe(false)
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const upstream = new AdminApiError('upstream_unavailable', 'away', { effect: 'none', cause: refused })
  expect(isDatabaseUnavailable(upstream)).toBe(false)
  expect(isDatabaseUnavailable(refused)).toBe(true)
  // Error of a unix socket whose queue is full.
  const full = Object.assign(new Error('connect EAGAIN'), { code: 'EAGAIN', syscall: 'connect' })
  expect(isDatabaseUnavailable(full)).toBe(true)
  expect(isDatabaseUnavailable(new TypeError('fetch failed', { cause: refused }))).toBe(false)
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false)
})

test('a client that fails at the moment it is taken from the pool does not end the process', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const pool = openPool({ connectionString: database.url, max: 1 }, { warn: () => {} })
  let thrown: unknown
  pool.once('acquire', (client) =>
    queueMicrotask(() => {
      try {
        client.emit('error', new Error('terminating connection'))
      } catch (error) {
        thrown = error
      }
    }),
  )
  const client = await pool.connect()
  client.release(true)
  await pool.end()
  expect(thrown).toBeUndefined()
})
