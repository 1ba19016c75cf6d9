import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createBackground } from '#ground/background/background.ts'
import { eventQueue } from '#ground/db/boss.ts'
import { createLog } from '#ground/log/log.ts'
import { testDatabase } from '#testing/database.ts'
import { createEventBus } from './events.ts'

const patient = { interval: 20, timeout: 10_000 }
const exportId = '00000000-0000-4000-8000-000000000001'

const ownDatabase = async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  const { db } = database
  await db.execute(sql`create table notes (name text)`)
  return {
    db,
    queued: async () =>
      (await db.execute(sql`select state::text, data ->> 'key' as key from pgboss.job where name = ${eventQueue}`))
        .rows,
    notes: async () => (await db.execute<{ name: string }>(sql`select name from notes`)).rows.map(({ name }) => name),
  }
}
type Database = Awaited<ReturnType<typeof ownDatabase>>['db']

/** A process with its events. Its work begins with `start`. */
const processOn = (db: Database) => {
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const work = createBackground({ runSql: (text, values) => db.$client.query(text, values), log, pollSeconds: 0.5 })
  const events = createEventBus({ wake: () => work.wakeSoon(eventQueue) })
  work.addRecords(events.work)
  onTestFinished(() => work.stop(0))
  return { ...work, events, logged: () => lines.join('') }
}

test('handlers in the transaction run in order, see its changes, and are rolled back with it', async () => {
  const { db, notes } = await ownDatabase()
  const { events } = processOn(db)
  const seen: string[] = []
  for (const name of ['note a', 'note b'])
    events.on('bundle.stored', async (tx, payload) => {
      await tx.execute(sql`insert into notes (name) values (${name})`)
      seen.push(`${name} of ${payload.exportId}`)
    })
  await db.transaction((tx) => events.emit(tx, 'bundle.stored', { exportId }))
  expect(seen).toEqual([`note a of ${exportId}`, `note b of ${exportId}`])
  expect(await notes()).toEqual(['note a', 'note b'])
  await db.execute(sql`delete from notes`)
  const undone = db.transaction(async (tx) => {
    await events.emit(tx, 'bundle.stored', { exportId })
    throw new Error('cut')
  })
  await expect(undone).rejects.toThrow('cut')
  expect(await notes()).toEqual([])
})

test('a handler that throws fails the transaction with its own error', async () => {
  const { db, notes, queued } = await ownDatabase()
  const { events } = processOn(db)
  events.after('bundle.stored', 'never', () => Promise.resolve())
  events.on('bundle.stored', () => Promise.reject(new Error('no room for a row')))
  const emitted = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes (name) values ('note')`)
    await events.emit(tx, 'bundle.stored', { exportId })
  })
  await expect(emitted).rejects.toThrow('no room for a row')
  expect([await notes(), await queued()]).toEqual([[], []])
})

test('each after-commit handler runs once, in one of several processes, and never before a commit or after a rollback', async () => {
  const { db, queued } = await ownDatabase()
  const heard: string[] = []
  const [first, second] = [processOn(db), processOn(db)]
  for (const { events, start } of [first, second]) {
    events.after('bundle.stored', 'one', async (payload) => void heard.push(`one ${payload.exportId}`))
    events.after('bundle.stored', 'two', async (payload) => void heard.push(`two ${payload.exportId}`))
    start()
  }
  const undone = db.transaction(async (tx) => {
    await first.events.emit(tx, 'bundle.stored', { exportId: 'undone' })
    throw new Error('cut')
  })
  await expect(undone).rejects.toThrow('cut')
  // Held open, so that a handler that did not wait for the commit would be seen.
  await db.transaction(async (tx) => {
    await first.events.emit(tx, 'bundle.stored', { exportId })
    await first.requestRecord(
      eventQueue,
      JSON.stringify({ event: 'bundle.stored', handler: 'one', payload: { exportId: 'between' } }),
    )
    await expect.poll(() => heard, patient).toEqual(['one between'])
  })
  await expect.poll(() => heard.length, patient).toBe(3)
  expect(heard.toSorted()).toEqual([`one ${exportId}`, 'one between', `two ${exportId}`].toSorted())
  await expect
    .poll(queued, patient)
    .toSatisfy((jobs: { state: string }[]) => jobs.every(({ state }) => state === 'completed'))
})

test('an event from a process without an open queue waits until another process runs its handler', async () => {
  const { db, queued } = await ownDatabase()
  const ended = processOn(db)
  ended.events.after('bundle.stored', 'one', () => Promise.reject(new Error('never here')))
  await db.transaction((tx) => ended.events.emit(tx, 'bundle.stored', { exportId }))
  expect(await queued()).toHaveLength(1)
  const next = processOn(db)
  const heard: string[] = []
  next.events.after('bundle.stored', 'one', async (payload) => void heard.push(payload.exportId))
  next.start()
  await expect.poll(() => heard, patient).toEqual([exportId])
})

test('the job of a handler that failed, or that only a later version has, is kept for a retry', async () => {
  const { db, queued } = await ownDatabase()
  const { events, start, logged } = processOn(db)
  events.after('bundle.stored', 'one', () => Promise.reject(new Error('not this time')))
  await db.transaction(async (tx) => {
    await events.emit(tx, 'bundle.stored', { exportId })
    await tx.execute(sql`insert into pgboss.job (name, data, retry_limit)
      values (${eventQueue}, ${JSON.stringify({ key: '{"event":"later","handler":"one","payload":{}}' })}::jsonb, 1000)`)
  })
  start()
  await expect
    .poll(queued, patient)
    .toSatisfy((jobs: { state: string }[]) => jobs.length === 2 && jobs.every(({ state }) => state === 'retry'))
  expect(logged()).toContain('not this time')
  expect(logged()).toContain('no handler one of later')
})

test('emitting an event without its queue fails the transaction with an instruction', async () => {
  const { db } = await ownDatabase()
  const { events } = processOn(db)
  events.after('bundle.stored', 'one', () => Promise.resolve())
  await db.execute(sql`delete from pgboss.queue where name = ${eventQueue}`)
  const emitted = db.transaction((tx) => events.emit(tx, 'bundle.stored', { exportId }))
  await expect(emitted).rejects.toThrow('Start Docket again')
})
