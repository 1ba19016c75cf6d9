import { access, constants, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '#db/migrate.ts'
import { addTestConnection } from '#testing/connection.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run: the folder of its socket, its port and its role. */
    testServer: { host: string; port: number; user: string }
    /** Name of the migrated, empty database that tests copy. */
    testTemplate: string
  }
}

const template = 'docket_template'

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

/** Starts one PostgreSQL for the run with a migrated template in it; returns what ends it and removes every trace. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = await findPlace()
  await removeLeftOvers(place)
  const dataDir = await mkdtemp(join(place, `docket-test-${process.pid}-`))
  const removeAll = () => rm(dataDir, { recursive: true, force: true })
  try {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, settings })
    const client = new Client(connection)
    await client.connect()
    await client.query(`create database ${template}`)
    await client.end()
    await migrateDatabase({ ...connection, database: template })
    const filler = new Client({ ...connection, database: template })
    await filler.connect()
    await addTestConnection(filler)
    await filler.end()
    const { host, port, user } = connection
    project.provide('testServer', { host, port, user })
    project.provide('testTemplate', template)
    return async () => {
      await stop()
      await removeAll()
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}
