import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findSurvivors } from '#survivors.ts'
import { freshDataDir, removeCluster, start, startHolder, usedDataDir, type HolderMessage } from '#testing/processes.ts'
import { query } from '#testing/query.ts'

afterAll(removeCluster)

const serverPid = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)

test('of two concurrent first starts, one succeeds and the other is refused', async () => {
  const dataDir = await freshDataDir()
  const messages = await Promise.all([startHolder(dataDir), startHolder(dataDir)].map((holder) => holder.readMessage()))
  expect(messages.filter(({ connection }) => connection !== undefined)).toHaveLength(1)
  expect(messages.filter(({ refused }) => refused?.startsWith('DataDirInUse: Another Docket'))).toHaveLength(1)
})

test.each(['the holder alone', 'the holder and every process of PostgreSQL'])(
  'no acknowledged write is lost when kill -9 hits %s',
  async (victims) => {
    const dataDir = await usedDataDir()
    const holder = startHolder(dataDir, 'write')
    await holder.readMessage()
    let last = 0
    while (last < 200) last = (await holder.readMessage()).inserted!
    const alive = await findSurvivors(join(dataDir, 'postgres'))
    expect(alive.length).toBeGreaterThan(1)
    if (victims !== 'the holder alone') for (const pid of alive) process.kill(pid, 'SIGKILL')
    await holder.kill()
    for (
      let messages: HolderMessage = await holder.readMessage();
      messages.inserted !== undefined;
      messages = await holder.readMessage()
    )
      last = messages.inserted
    const { connection } = await start({ dataDir })
    const rows = await query(connection, `select count(*)::int as n from written where n <= ${last}`)
    expect(rows).toEqual([{ n: last }])
  },
)

test('a server left running by a killed Docket is restarted with its data', async () => {
  const dataDir = await usedDataDir()
  const holder = startHolder(dataDir, 'orphan')
  const { connection } = await holder.readMessage()
  await query(connection!, 'create table kept as select 1 as n')
  const orphan = await serverPid(dataDir)
  await holder.kill()
  expect(await findSurvivors(join(dataDir, 'postgres'))).toContain(orphan)
  const next = await start({ dataDir })
  expect(await serverPid(dataDir)).not.toBe(orphan)
  expect(await query(next.connection, 'select n from kept')).toEqual([{ n: 1 }])
})

test('a stale process id that now belongs to another process neither blocks the start nor harms that process', async () => {
  const dataDir = await usedDataDir()
  const holder = startHolder(dataDir)
  await holder.readMessage()
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const pidLines = await readFile(pidFile, 'utf8')
  for (const pid of await findSurvivors(join(dataDir, 'postgres'))) process.kill(pid, 'SIGKILL')
  await holder.kill()
  await writeFile(pidFile, pidLines.replace(/^\d+/, String(process.pid)))
  const { connection } = await start({ dataDir })
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a server that dies under a running Docket is started again on the same socket', async () => {
  const dataDir = await usedDataDir()
  const { connection } = await start({ dataDir })
  await query(connection, 'create table kept as select 1 as n')
  const before = await serverPid(dataDir)
  process.kill(before, 'SIGKILL')
  await expect.poll(() => query(connection, 'select n from kept')).toEqual([{ n: 1 }])
  expect(await serverPid(dataDir)).not.toBe(before)
})

test('stopping a server that was just killed works and leaves nothing behind', async () => {
  const dataDir = await usedDataDir()
  const { stop } = await start({ dataDir })
  process.kill(await serverPid(dataDir), 'SIGKILL')
  await stop()
  await expect.poll(() => findSurvivors(join(dataDir, 'postgres'))).toEqual([])
})

test('Ctrl-C in the process group does not stop the server before Docket does', async () => {
  const dataDir = await usedDataDir()
  const holder = startHolder(dataDir)
  const { connection } = await holder.readMessage()
  const before = await serverPid(dataDir)
  process.kill(-holder.pid, 'SIGINT')
  expect(await holder.readMessage()).toEqual({ interrupted: true })
  expect(await query(connection!, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(await serverPid(dataDir)).toBe(before)
})
