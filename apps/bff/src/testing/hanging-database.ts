import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type PoolClient } from 'pg'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { openPool } from '#ground/db/pool.ts'
import { addTestConnection } from '#testing/connection.ts'

/** The postmaster and its children. The postmaster must be stopped first, so that no new process begins. */
const processesIn = (dataDir: string): number[] => {
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const all = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = all.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === postmaster)
  return [postmaster, ...children.map(([pid]) => pid!)]
}

/**
 * A separate PostgreSQL whose processes can all be paused, as on a frozen machine. `db` uses a pool with Docket's own
 * limits. `hangBefore(n)` pauses everything before the nth query from now on, counted from 0, and returns a function
 * that returns that query. Call `close` at the end.
 */
export const hangingDatabase = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-hang-'))
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await migrateDatabase(postgres.connection)
  const filler = new Client(postgres.connection)
  await filler.connect()
  await addTestConnection(filler)
  await filler.end()
  let stopped: number[] = []
  let left = Infinity
  let hungAt: string | null = null

  const hang = () => {
    stopped = processesIn(dataDir)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  }
  const wake = () => {
    left = Infinity
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
  }
  const pool = openPool({ ...postgres.connection, max: 4 }, { warn: () => {} })
  pool.on('connect', (client: PoolClient) => {
    const { query } = client
    client.query = ((...args: [string | { text: string }]) => {
      if (left === 0) {
        hungAt = typeof args[0] === 'string' ? args[0] : args[0].text
        hang()
      }
      left -= 1
      return Reflect.apply(query, client, args) as unknown
    }) as typeof query
  })
  return {
    db: drizzle(pool),
    hang,
    wake,
    hangBefore: (nth: number) => {
      hungAt = null
      left = nth
      return () => hungAt
    },
    close: async () => {
      wake()
      await pool.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}
