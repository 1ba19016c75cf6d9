import { createServer, type AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { readPostgresAddress } from '#ground/db/address.ts'
import { PostgresClient } from '#ground/db/client.ts'
import { waitUntilDatabaseAnswers } from '#ground/db/connect.ts'
import { openPool } from '#ground/db/pool.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { open } from '#ground/db/testing/opened-database.ts'
import { startTcpServer } from '#ground/db/testing/tcp-server.ts'
import { testDatabase } from '#testing/database.ts'

type Server = Awaited<ReturnType<typeof startTcpServer>>

let primary: Server
let standby: Server
beforeAll(async () => {
  primary = await startTcpServer()
  standby = await startTcpServer({ standby: true })
})
afterAll(async () => {
  await Promise.all([primary.stop(), standby.stop()])
})

const readPort = async (address: string): Promise<number> => {
  const client = new PostgresClient(readPostgresAddress(address))
  client.on('error', () => {})
  onTestFinished(() => client.end())
  await client.connect()
  const { rows } = await client.query<{ port: number }>(`select inet_server_port() as port`)
  return rows[0]!.port
}

const toAddress = (...ports: number[]): string =>
  `postgresql://docket@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`

test('a host that is down or only recovers is passed over', async () => {
  for (const target of ['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])
    expect(await readPort(toAddress(1, standby.port, primary.port) + target)).toBe(primary.port)
})

test('any server will do where the address says so', async () => {
  expect(await readPort(`${toAddress(1, standby.port, primary.port)}?target_session_attrs=any`)).toBe(standby.port)
})

test('one host alone is refused too when it accepts no writes, as an unavailable database', async () => {
  const asked = readPort(`${toAddress(standby.port)}?target_session_attrs=read-write`)
  await expect(asked).rejects.toThrow('The server accepts no writes')
  expect(isDatabaseUnavailable(await asked.catch((error: unknown) => error))).toBe(true)
})

test('the failure names every host and why it was passed over', async () => {
  const waited = waitUntilDatabaseAnswers(toAddress(1, standby.port), 0, { warn: () => {} })
  await expect(waited).rejects.toThrow(
    new RegExp(
      `^The database at 127\\.0\\.0\\.1:1,127\\.0\\.0\\.1:${standby.port}/postgres cannot be used \\(127\\.0\\.0\\.1:1: .*ECONNREFUSED.*; 127\\.0\\.0\\.1:${standby.port}: The server accepts no writes\\)`,
    ),
  )
})

test('migrations, the pool and probes all go to the host that accepts writes', async () => {
  const { db, probes } = await open({ databaseUrl: toAddress(standby.port, primary.port) })
  for (const database of [db, probes]) {
    const { rows } = await database.execute<{ port: number }>('select inet_server_port() as port')
    expect(rows).toEqual([{ port: primary.port }])
  }
})

test('a silent host takes its share of the time once', async () => {
  let asked = 0
  const silent = createServer(() => (asked += 1))
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const config = readPostgresAddress(toAddress(port, primary.port))
  const pool = openPool({ ...config, connectionTimeoutMillis: 4_000 }, { warn: () => {} })
  onTestFinished(() => pool.end())
  const readPort = async () => (await pool.query(`select inet_server_port() as port, pg_sleep(0.05)`)).rows
  expect(await readPort()).toMatchObject([{ port: primary.port }])
  // Three at once need new connections.
  const ports = await Promise.all([readPort(), readPort(), readPort()])
  expect(ports.flat()).toMatchObject([{ port: primary.port }, { port: primary.port }, { port: primary.port }])
  expect(asked).toBe(1)
})

test('a password of several hosts reaches the server, and printing the pool does not show it', async () => {
  const config = readPostgresAddress(`postgresql://docket:hunter2@127.0.0.1:1,127.0.0.1:${primary.port}/postgres`)
  const pool = openPool({ ...config }, { warn: () => {} })
  onTestFinished(() => pool.end())
  await pool.query('select 1')
  expect(inspect([config, pool], { depth: 9, showHidden: true })).not.toContain('hunter2')
})

test('a socket is named as libpq does: no host before the path, and the folder in host', async () => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  const { host, port, user } = inject('testServer')
  const address = `postgresql://${user}:hunter2@/${new URL(url).pathname.slice(1)}?host=${host}&port=${port}`
  const { db } = await open({ databaseUrl: address })
  expect((await db.execute('select 1 as one')).rows).toEqual([{ one: 1 }])
})
