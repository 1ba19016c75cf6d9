import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { targetsApp, toSum } from '#testing/targets-app.ts'

let later = 0
const app = await targetsApp({ now: () => Date.now() + later })
afterAll(app.close)
beforeEach(() => {
  app.reading.wait = () => Promise.resolve()
})

const readStates = async (targetId: string) => (await app.listDeliveries(targetId)).map(({ state }) => state)
const current = (name: string) => readFile(join(app.www, name, 'current', 'index.html'), 'utf8')
const query = async (text: string, ...values: unknown[]) => (await app.db.$client.query(text, values)).rows

/** Begins a delivery that waits in the middle of its first file. */
const beginSlowly = async (targetId: string, stopping = new AbortController().signal) => {
  const [begun, wait] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.reading.wait = () => {
    begun.resolve()
    return wait.promise
  }
  const run = app.run(targetId, stopping)
  await begun.promise
  app.reading.wait = () => Promise.resolve()
  return { run, goOn: wait.resolve }
}

/** Counts how often a delivery of this process noticed that it is not its own any more: its progress went nowhere. */
const countLosses = () => {
  const { $client } = app.db
  const { query: ask } = $client
  let losses = 0
  Object.assign($client, {
    query: async (asked: unknown, ...more: unknown[]) => {
      const result = (await Reflect.apply(ask, $client, [asked, ...more])) as { rowCount: number | null }
      if (JSON.stringify(asked).includes('set \\"phase\\"') && result.rowCount === 0) losses += 1
      return result
    },
  })
  onTestFinished(() => void Object.assign($client, { query: ask }))
  return () => losses
}

test('a later release replaces a waiting delivery, keeps its bundle from removal, and does not wait for other targets', async () => {
  const { targetId } = await app.addFolder('queue')
  await app.publish(1)
  const { run, goOn } = await beginSlowly(targetId)
  await app.publish(2)
  await app.publish(3)
  expect(await readStates(targetId)).toEqual(['waiting', 'replaced', 'running'])
  // Only the deliveries hold their bundles now.
  await query('update releases set is_held = false')
  await query(`update stored_bundles set state = 'deleting'`)
  expect(await query(`select sha256 from stored_bundles where state = 'stored' order by sha256`)).toEqual([
    { sha256: toSum(1) },
    { sha256: toSum(3) },
  ])
  await query(`update stored_bundles set state = 'stored'`)
  goOn()
  await run
  expect(await readStates(targetId)).toEqual(['done', 'replaced', 'done'])
  expect(await current('queue')).toBe('<h1>3</h1>')
  await app.delete(`${app.path}/${targetId}`)
})

test('another process continues a delivery that was stopped or killed, and gives up after 5 kills', async () => {
  await app.publish(1)
  const { targetId } = await app.addFolder('stopped')
  await app.request(targetId, 'delivery')
  const stopping = new AbortController()
  const { run, goOn } = await beginSlowly(targetId, stopping.signal)
  stopping.abort()
  goOn()
  await run
  expect(await query('select state, attempts from deliveries where target_id = $1', targetId)).toEqual([
    { state: 'waiting', attempts: 0 },
  ])
  await query(`update deliveries set state = 'running', attempts = 4 where target_id = $1`, targetId)
  await app.run(targetId)
  expect(await readStates(targetId)).toEqual(['done'])
  expect(await current('stopped')).toBe('<h1>1</h1>')
  await app.request(targetId, 'delivery')
  await query(
    `update deliveries set state = 'running', attempts = 5 where target_id = $1 and state = 'waiting'`,
    targetId,
  )
  await app.run(targetId)
  expect((await app.listDeliveries(targetId))[0]).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('Docket ended 5 times'),
  })
})

test('a delivery attempt ends when another process takes over or its target is removed', async () => {
  await app.publish(2)
  const [taken, removed] = [await app.addFolder('taken'), await app.addFolder('removed')]
  for (const { targetId } of [taken, removed]) await app.request(targetId, 'delivery')
  const wait = Promise.withResolvers<void>()
  app.reading.wait = () => wait.promise
  const losses = countLosses()
  const runs = [taken, removed].map(({ targetId }) => app.run(targetId))
  await expect.poll(async () => (await query(`select from deliveries where state = 'running'`)).length).toBe(2)
  await query('update deliveries set attempts = 7 where target_id = $1', taken.targetId)
  await app.delete(`${app.path}/${removed.targetId}`)
  await expect.poll(losses).toBeGreaterThanOrEqual(2)
  wait.resolve()
  await Promise.all(runs)
  for (const name of ['taken', 'removed']) await expect(current(name), name).rejects.toThrow('ENOENT')
  expect(await query(`select state, attempts from deliveries where target_id = $1`, taken.targetId)).toEqual([
    { state: 'running', attempts: 7 },
  ])
  expect(await query(`select state, problem from deliveries where target_id = $1`, removed.targetId)).toEqual([
    { state: 'failed', problem: 'The target was removed.' },
  ])
})

test('a temporary delivery failure is retried after pauses, and any other is reported at once', async () => {
  await app.publish(3)
  const { targetId } = await app.addFolder('broken')
  await writeFile(join(app.www, 'broken', 'releases'), 'A file in the way.')
  await app.request(targetId, 'delivery')
  const seen: string[] = []
  await app.run(targetId)
  for (const pause of [30, 120, 600, 1_800]) {
    later += pause * 1_000 - 5_000
    await app.run(targetId)
    seen.push((await app.listDeliveries(targetId))[0]!.state)
    later += 5_000
    await app.run(targetId)
  }
  expect(seen).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  const [failed] = await app.listDeliveries(targetId)
  expect(failed).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('Docket cannot write to the folder'),
  })
  expect(await query('select attempts from deliveries where target_id = $1', targetId)).toEqual([{ attempts: 5 }])
  await rm(join(app.www, 'broken'), { recursive: true })
  await app.request(targetId, 'delivery')
  await app.run(targetId)
  expect((await app.listDeliveries(targetId))[0]).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('does not exist'),
  })
})
