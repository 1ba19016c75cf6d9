import { access, constants, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool, type ClientConfig } from 'pg'
import { startEmbeddedPostgres } from '#embedded-postgres.ts'

/** The PostgreSQL of a test run: the folder of its socket, its port and its role. */
export type TestServer = { host: string; port: number; user: string }

/** Name of the prepared database that tests copy. */
export const testTemplate = 'docket_template'

// Durability is the embedded server's own test; everywhere else it would only cost time.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** Copies of the template are a few hundred files each, which cost half as much in memory. Bytes. */
const memory = { folder: '/dev/shm', needed: 4 * 2 ** 30 }

/** Folder for the server's files: in memory where that is large enough, else on the disk. */
const findPlace = async (): Promise<string> => {
  try {
    await access(memory.folder, constants.W_OK)
    const { bavail, bsize } = await statfs(memory.folder)
    return bavail * bsize >= memory.needed ? memory.folder : tmpdir()
  } catch {
    return tmpdir()
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// A run that was killed could not tidy up; the next one does. The name says which process made the folder.
const removeLeftOvers = async (place: string): Promise<void> => {
  for (const name of await readdir(place)) {
    const pid = /^docket-test-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(place, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Starts one PostgreSQL for a test run, with a template that `prepare` fills. `stop` ends it and removes every trace. */
export const startTestServer = async (
  prepare: (template: ClientConfig) => Promise<void>,
): Promise<{ server: TestServer; stop: () => Promise<void> }> => {
  const place = await findPlace()
  await removeLeftOvers(place)
  const dataDir = await mkdtemp(join(place, `docket-test-${process.pid}-`))
  const removeAll = () => rm(dataDir, { recursive: true, force: true })
  try {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, settings })
    const client = new Client(connection)
    await client.connect()
    await client.query(`create database ${testTemplate}`)
    await client.end()
    // On a busy machine, a slow server is not an unavailable one.
    await prepare({ ...connection, database: testTemplate, connectionTimeoutMillis: 600_000 })
    const { host, port, user } = connection
    return {
      server: { host, port, user },
      stop: async () => {
        await stop()
        await removeAll()
      },
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}

const administrators = new Map<string, Pool>()

/** Runs a statement outside of all test databases. A process keeps its connection: opening one costs as much again. */
const administer = async (server: TestServer, statement: string): Promise<void> => {
  let pool = administrators.get(server.host)
  if (pool === undefined) {
    pool = new Pool({ ...server, database: 'postgres', max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server may stop before its connection is closed.
    pool.on('error', () => {})
    administrators.set(server.host, pool)
  }
  await pool.query(statement)
}

/**
 * Copies the template or another database that nobody is connected to (about 20 ms), or with `empty` nothing. `url` is
 * what `DATABASE_URL` would be.
 */
export const copyTestDatabase = async (
  server: TestServer,
  { name, empty, of = testTemplate }: { name: string; empty: boolean; of?: string | undefined },
): Promise<{ url: string; drop: () => Promise<void> }> => {
  await administer(server, `create database ${name} template ${empty ? 'template0' : of} strategy file_copy`)
  return {
    url: `postgresql://${server.user}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`,
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  }
}
