import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { RunSql } from '#ground/db/boss.ts'
import { createLog } from '#ground/log/log.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { createBackground, type Work } from './background.ts'

const patient = { interval: 20 }

const ownDatabase = async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  return database
}

/** One process that does background work, started. */
const worker = (
  { db }: Pick<TestDatabase, 'db'>,
  works: Work[],
  runSql: RunSql = (text, values) => db.$client.query(text, values),
) => {
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const running = createBackground({ runSql, log, pollSeconds: 0.5 })
  running.add(...works)
  onTestFinished(() => running.stop(0))
  running.start()
  return { ...running, lines, logged: () => lines.join('') }
}

/** Work whose runs end when `finish` is called. */
const slowWork = (name = 'tidy') => {
  const state = { begun: 0, ended: 0, finish: () => {} }
  const run = async () => {
    state.begun += 1
    await new Promise<void>((resolve) => (state.finish = resolve))
    state.ended += 1
  }
  return { state, work: { name, cron: '7 3 * * *', run } }
}

test('requested work is done by exactly one of three processes, however often it is requested', async () => {
  const database = await ownDatabase()
  const runs: string[] = []
  // Held until everybody has asked: a run that has ended may be asked for again.
  const allRequested = Promise.withResolvers<void>()
  const run = (who: string) => async () => {
    runs.push(who)
    await allRequested.promise
  }
  const workers = ['a', 'b', 'c'].map((who) => worker(database, [{ name: 'tidy', cron: '7 3 * * *', run: run(who) }]))
  await Promise.all(workers.map(({ request }) => request('tidy')))
  const { rows } = await database.db.execute(sql`select count(*)::int jobs from pgboss.job where name = 'docket'`)
  expect(rows).toEqual([{ jobs: 1 }])
  await expect.poll(() => runs.length, patient).toBe(1)
  allRequested.resolve()
  // Turned down as long as the end of the first run is not written.
  const askAgain = async () => {
    await workers[0]!.request('tidy')
    return runs.length
  }
  await expect.poll(askAgain, patient).toBe(2)
})

test('frequent work runs alongside other work, is not delayed by failures, and logs nothing at info', async () => {
  const database = await ownDatabase()
  const { state, work } = slowWork('sweep')
  let runs = 0
  const seal = async () => {
    runs += 1
    if (runs === 1) throw new Error('not this time')
  }
  const often = { name: 'seal', cron: '7 3 * * *', often: true as const, run: seal }
  const { request, lines } = worker(database, [work, often])
  await request('sweep')
  await expect.poll(() => state.begun, patient).toBe(1)
  await request('seal')
  await expect.poll(() => runs, patient).toBe(1)
  await request('seal')
  await expect.poll(() => runs, patient).toBe(2)
  const done = () => lines.map((line) => JSON.parse(line) as { level: string; work?: string; ms?: number })
  await expect
    .poll(() => done().find(({ work: name, ms }) => name === 'seal' && ms !== undefined)?.level, patient)
    .toBe('debug')
  state.finish()
})

test('a request for frequent work while it runs leads to another run', async () => {
  const database = await ownDatabase()
  const { state, work } = slowWork('seal')
  const { request } = worker(database, [{ ...work, often: true }])
  await request('seal')
  await expect.poll(() => state.begun, patient).toBe(1)
  await Promise.all([request('seal'), request('seal')])
  state.finish()
  await expect.poll(() => state.begun, patient).toBe(2)
  state.finish()
  await expect.poll(() => state.ended, patient).toBe(2)
  const { rows } = await database.db.execute(sql`select count(*)::int jobs from pgboss.job where name = 'docket-often'`)
  expect(rows).toEqual([{ jobs: 2 }])
})

test('scheduled work has one schedule, however many processes start and however often', async () => {
  const database = await ownDatabase()
  const works = ['tidy', 'sweep'].map((name) => ({ name, cron: '7 3 * * *', run: () => Promise.resolve() }))
  const workers = [worker(database, works), worker(database, works), worker(database, works)]
  // Answers when the start is through.
  await Promise.all(workers.map(({ request }) => request('tidy')))
  const { rows } = await database.db.execute(sql`select key, cron, timezone from pgboss.schedule order by key`)
  expect(rows).toEqual([
    { key: 'sweep', cron: '7 3 * * *', timezone: 'UTC' },
    { key: 'tidy', cron: '7 3 * * *', timezone: 'UTC' },
  ])
})

test('a failed run is logged with its reason, and is stored for a retry without the reason', async () => {
  const database = await ownDatabase()
  const run = () => Promise.reject(new Error('canary-of-the-reason'))
  const { request, logged } = worker(database, [{ name: 'tidy', cron: '7 3 * * *', run }])
  await request('tidy')
  const jobs = async () => {
    const { rows } = await database.db.execute<{ state: string; output: unknown }>(
      sql`select state, output from pgboss.job where name = 'docket'`,
    )
    return rows
  }
  await expect.poll(async () => (await jobs()).map(({ state }) => state), patient).toEqual(['retry'])
  expect(logged()).toContain('canary-of-the-reason')
  expect(JSON.stringify(await jobs())).not.toContain('canary-of-the-reason')
})

test('a stop waits for the current run and begins no other', async () => {
  const database = await ownDatabase()
  const { state, work } = slowWork()
  const { request, stop } = worker(database, [work])
  await request('tidy')
  await expect.poll(() => state.begun, patient).toBe(1)
  const stopped = stop(20_000)
  state.finish()
  await stopped
  expect(state).toMatchObject({ begun: 1, ended: 1 })
})

test('a run that outlasts the grace period is handed to another process', async () => {
  const database = await ownDatabase()
  const first = slowWork()
  const leaving = worker(database, [first.work])
  await leaving.request('tidy')
  await expect.poll(() => first.state.begun, patient).toBe(1)
  await leaving.stop(0)
  const { rows } = await database.db.execute(sql`select state from pgboss.job where name = 'docket'`)
  expect(rows).toEqual([{ state: 'retry' }])
  first.state.finish()
})

test('processes survive an unavailable database, and work begins once it is available', async () => {
  const database = await ownDatabase()
  let away = true
  const runs: string[] = []
  const flaky = async (text: string, values?: unknown[]) => {
    if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
    return database.db.$client.query(text, values)
  }
  const work = { name: 'tidy', cron: '7 3 * * *', run: async () => void runs.push('done') }
  const { request, logged } = worker(database, [work], flaky)
  await expect.poll(logged, patient).toContain('background work is interrupted')
  away = false
  await request('tidy')
  await expect.poll(() => runs, patient).toEqual(['done'])
  away = true
  // Long enough for the worker to look for work in vain.
  await expect.poll(() => logged().match(/interrupted/g)?.length, patient).toBeGreaterThan(2)
  away = false
  await request('tidy')
  await expect.poll(() => runs, patient).toEqual(['done', 'done'])
  expect(logged()).not.toContain('"level":"error"')
})

test('a stop does not hang if the database was never available', async () => {
  const database = await ownDatabase()
  const refuse = () => Promise.reject(new Error('Connection terminated'))
  const { stop, logged } = worker(database, [], refuse as never)
  await expect.poll(logged, patient).toContain('interrupted')
  await stop(0)
})
