import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DataDirInUse, EmbeddedPostgresUnavailable } from '#embedded-postgres.ts'
import { findBinaries } from '#binaries.ts'
import { findRunAs, listWaysToRun } from '#run-as.ts'
import { findSurvivors } from '#survivors.ts'
import { freshDataDir, removeCluster, start, usedDataDir } from '#testing/processes.ts'
import { query } from '#testing/query.ts'

afterAll(removeCluster)

test('data survive a restart, and a stopped server leaves neither process nor socket', async () => {
  const dataDir = await freshDataDir()
  const first = await start({ dataDir })
  await query(first.connection, 'create table kept as select 1 as n')
  await first.stop()
  expect(await findSurvivors(join(dataDir, 'postgres'))).toEqual([])
  expect((await readdir(dataDir)).toSorted()).toEqual(['docket.lock', 'postgres'])
  const second = await start({ dataDir })
  expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
})

test('the server writes durably, listens only on a private socket without TLS, and sorts the same on every machine', async () => {
  const dataDir = await freshDataDir()
  const { connection } = await start({ dataDir })
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'ssl', 'server_encoding']
  const rows = await query(
    connection,
    `select ${settings.map((name) => `current_setting('${name}')`).join(" || ',' || ")} as all`,
  )
  expect(rows).toEqual([{ all: 'on,on,on,,off,UTF8' }])
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  expect(await query(connection, 'select datlocale as l from pg_database where datname = current_database()')).toEqual([
    { l: 'C.UTF-8' },
  ])
})

test('a second server on the same directory is refused with a readable message until the first has stopped', async () => {
  const dataDir = await usedDataDir()
  const first = await start({ dataDir })
  const second = start({ dataDir })
  await expect(second).rejects.toBeInstanceOf(DataDirInUse)
  await expect(second).rejects.toThrow(`Another Docket is running on ${dataDir}.`)
  expect(await query(first.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  await first.stop()
  await start({ dataDir })
})

test('a server that starts while another is still stopping waits for it', async () => {
  const dataDir = await usedDataDir()
  const first = await start({ dataDir })
  const second = start({ dataDir, lockWaitMs: 20_000 })
  await first.stop()
  expect(await query((await second).connection, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a cluster left half-created by a crash is created again', async () => {
  const dataDir = await freshDataDir()
  await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n')
  const { connection } = await start({ dataDir })
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(await readdir(dataDir)).not.toContain('postgres.new')
})

test('if the path is too long, the socket is in the temporary folder, and stopping removes it', async () => {
  const dataDir = join(await freshDataDir(), 'a'.repeat(90))
  const { connection, stop } = await start({ dataDir })
  expect(connection.host.startsWith(join(tmpdir(), 'docket-'))).toBe(true)
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
  await stop()
  await expect(stat(connection.host)).rejects.toThrow('ENOENT')
})

test('if the server cannot be run in any way, the error lists the attempts and names DATABASE_URL', async () => {
  const dataDir = await freshDataDir()
  const started = start({ dataDir, ways: [{ name: 'in vain', prefix: ['docket-no-such-command'], owner: 0 }] })
  await expect(started).rejects.toBeInstanceOf(EmbeddedPostgresUnavailable)
  await expect(started).rejects.toThrow(/in vain: .*ENOENT.*Set DATABASE_URL/)
})

test('if the server cannot start, the error has its last output, and the directory is unlocked', async () => {
  const dataDir = await usedDataDir()
  await expect(start({ dataDir, settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /shared_buffers.*DATABASE_URL/,
  )
  const { connection } = await start({ dataDir })
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
})

for (const way of listWaysToRun()) {
  test(`it runs this way: ${way.name}; and again the best way afterwards`, async ({ skip }) => {
    const { postgres } = await findBinaries()
    await findRunAs(postgres, '/', [way]).catch((error: unknown) => skip(`not on this machine: ${String(error)}`))
    const dataDir = await freshDataDir()
    const first = await start({ dataDir, ways: [way] })
    await query(first.connection, 'create table kept as select 1 as n')
    await first.stop()
    const second = await start({ dataDir })
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
  })
}

// Root of a user namespace is nobody in the folders of others; in a container without such passage there is no way in.
test.skipIf(process.getuid?.() !== 0)('root can use a private data directory of another user', async ({ skip }) => {
  const { postgres } = await findBinaries()
  const ways = listWaysToRun().filter(({ prefix }) => prefix.includes('--clear-groups'))
  await findRunAs(postgres, '/', ways).catch((error: unknown) => skip(`not on this machine: ${String(error)}`))
  const dataDir = await freshDataDir()
  await chown(dataDir, 4242, 4242)
  const { connection } = await start({ dataDir })
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
})
