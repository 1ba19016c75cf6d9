import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { AdminApiError } from '#ground/errors/app-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'
import { isDatabaseUnavailable, isReadOnly } from '#ground/db/unavailable.ts'
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

const setReadOnly = (db: Tx, on: boolean) =>
  db.execute(sql.raw(`set default_transaction_read_only = ${on ? 'on' : 'off'}`))
/** Lets new connections to the database begin as those to a standby do. */
const refuseWrites = async (admin: Database, refuse: boolean) => {
  const { rows } = await admin.execute<{ name: string }>(sql`select current_database() as name`)
  await admin.execute(sql.raw(`alter database ${rows[0]!.name} set default_transaction_read_only = ${refuse}`))
}
const write = (db: Tx) =>
  db.execute(
    sql`insert into list_revisions values ('agent_jobs', 1) on conflict (list) do update set revision = list_revisions.revision + 1`,
  )

test('a connection that turned read-only is dropped after its first refused write, and the next write works', async () => {
  const { db } = await guardedPool({ max: 1 })
  const pid = await readPid(db)
  await setReadOnly(db, true)
  expect(isDatabaseUnavailable(await readFailure(write(db)))).toBe(true)
  await write(db)
  expect(await readPid(db)).not.toBe(pid)
})

test('a refused write makes the pool ask every connection before it is used again', async () => {
  const { db } = await guardedPool({ max: 3 })
  const pids = await Promise.all(
    [1, 2, 3].map(() => db.transaction((tx) => setReadOnly(tx, true).then(() => readPid(tx)))),
  )
  expect(new Set(pids).size).toBe(3)
  await readFailure(write(db))
  const after = await Promise.all([1, 2, 3].map(() => db.transaction((tx) => write(tx).then(() => readPid(tx)))))
  expect(after.filter((pid) => pids.includes(pid))).toEqual([])
})

test('a connection that turned read-only is found while it is only read from', async () => {
  const { db } = await guardedPool({ max: 1 })
  const pid = await readPid(db)
  await setReadOnly(db, true)
  await expect.poll(() => readPid(db), { timeout: 10_000 }).not.toBe(pid)
})

test('a read-only transaction of Docket’s own costs no connection, even if it tries to write', async () => {
  const { db, warned } = await guardedPool({ max: 1 })
  const pid = await readPid(db)
  await db.transaction((tx) => readPid(tx), { accessMode: 'read only' })
  await readFailure(db.transaction(write, { accessMode: 'read only' }))
  expect(await readPid(db)).toBe(pid)
  expect(warned).toEqual([])
})

test('new connections to a read-only database are refused, and work as soon as it takes writes', async () => {
  const { db, admin } = await guardedPool({ max: 2 })
  await refuseWrites(admin, true)
  for (const work of [() => readPid(db), () => db.transaction(readPid)]) {
    const error = await readFailure(work())
    expect([isReadOnly(error), isDatabaseUnavailable(error)]).toEqual([true, true])
  }
  await refuseWrites(admin, false)
  await write(db)
})

test('a connection is replaced at its largest age', async () => {
  const pool = openPool({}, { warn: () => {} })
  expect(pool.options.maxLifetimeSeconds).toBe(300)
  await pool.end()
  const { db } = await guardedPool({ max: 1, maxLifetimeSeconds: 0.1 })
  const pid = await readPid(db)
  await expect.poll(() => readPid(db)).not.toBe(pid)
})
