import { randomUUID } from 'node:crypto'
import { Activity } from '@docket/api-types/activity'
import { History } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { purgeRemovedJobs } from '#records/agent-jobs/remove-job.ts'
import { purgeRemovedExports } from '#records/static-exports/remove-export.ts'
import { agentJobStandIn, completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { canary, storageStandIn } from '#bundles/download/testing/storage.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { recordEvents } from './history.ts'
import { readHistory, readHistoryTag } from './records-history.ts'
import { deleteOldHistory } from './retention.ts'
import { testDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

const somebody = 'The admin'

const app = async (options: TestAppOptions = {}) => {
  const running = await testApp(options)
  onTestFinished(running.close)
  return running
}
const freshDatabase = async () => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  return db
}

/** Puts an export into the list past the service; the days of its start and removal are counted back from now. */
const insertExport = (
  db: Awaited<ReturnType<typeof freshDatabase>>,
  more: { started?: number; removed?: number } = {},
) => {
  const exportId = randomUUID()
  const { started = 0, removed = null } = more
  return db
    .execute(sql`insert into static_exports (export_id, request_id, domain, state, job_id, status, started_at, finished_at, removed_at)
      values (${exportId}, gen_random_uuid(), 'docs.example.com', 'completed', ${exportId}, 'completed', now() - ${started} * interval '1 day', now(),
        now() - ${removed}::int * interval '1 day')`)
    .then(() => exportId)
}

test.each(['stream', 'redirect'] as const)(
  'each use of a bundle is recorded once, without its link (%s)',
  async (bundleDelivery) => {
    const storage = await storageStandIn(50_000)
    onTestFinished(storage.close)
    const { db, get, post, logged } = await app({
      upstream: { url: storage.url, key: 'test_key_0123456789' },
      bundleDelivery,
    })
    const exportId = await insertExport(db)
    const base = `/api/static-exports/${exportId}`
    await post(`${base}/bundle/prepare`)
    await post(`${base}/bundle/prepare`)
    expect(await (await post(`${base}/bundle`)).text()).toContain(canary)
    await (await get(`${base}/download`)).arrayBuffer()
    if (bundleDelivery === 'stream')
      for (const range of ['bytes=0-', 'bytes=0-99', 'bytes=100-199', 'bytes=40000-'])
        await (await get(`${base}/download`, { range })).arrayBuffer()
    // The last byte has left before it is told.
    const readKinds = async () =>
      History.parse(await (await get(`${base}/history`)).json()).events.map(({ kind, by }) => [kind, by])
    const downloads = bundleDelivery === 'stream' ? 3 : 1
    await expect.poll(readKinds).toHaveLength(3 + downloads)
    expect(await readKinds()).toEqual(
      [
        'bundle_prepared',
        'bundle_prepared',
        'link_copied',
        ...Array.from({ length: downloads }, () => 'downloaded'),
      ].map((kind) => [kind, somebody]),
    )
    const { rows } = await db.execute(sql`select json_agg(h)::text all from history_events h`)
    expect(JSON.stringify(rows)).toContain('downloaded')
    expect(JSON.stringify(rows) + (await (await get(`${base}/history`)).text()) + logged()).not.toContain(canary)
  },
)

test('no event contains a signed link or unlimited text from any field of the service', async () => {
  const db = await freshDatabase()
  const key = { type: 'static_export', exportId: randomUUID() } as const
  const link = `https://storage.example/b.tar.gz?X-Amz-Signature=${canary}`
  const at = new Date()
  await recordEvents(db, key, [
    { kind: 'status_changed', at, from: link, to: `see ${link}` },
    { kind: 'failed', at, to: `signature=${canary}`, by: testActor(link) },
    { kind: 'changed', at, field: 'model', to: 'x'.repeat(100_000) },
  ])
  const { events } = await readHistory(db, key, 365)
  expect(JSON.stringify(events)).not.toContain(canary)
  expect(events[0]).toMatchObject({ from: 'https://storage.example/b.tar.gz?[removed]' })
  expect(events[2]?.to).toHaveLength(500)
})

test('a long history shows its latest 200 events, and that there are earlier ones', async () => {
  const db = await freshDatabase()
  const key = { type: 'agent_job', projectId: 'docs', id: 'a' } as const
  const event = (n: number) =>
    ({ kind: n === 0 ? 'followed' : 'checked', at: new Date(n), by: testActor(String(n)) }) as const
  await recordEvents(
    db,
    key,
    Array.from({ length: 200 }, (_, n) => event(n)),
  )
  await recordEvents(db, { ...key, id: 'b' }, [event(0)])
  expect(await readHistory(db, key, 7)).toMatchObject({ truncated: false, retentionDays: 7, events: { length: 200 } })
  const tag = await readHistoryTag(db, key, 7)
  await recordEvents(db, key, [event(200)])
  const { events, truncated } = await readHistory(db, key, 7)
  expect([truncated, events[0]?.by, events.at(-1)?.by, events.length]).toEqual([true, '1', '200', 200])
  expect(await readHistoryTag(db, key, 7)).not.toBe(tag)
  expect(await readHistoryTag(db, key, 8)).not.toBe(await readHistoryTag(db, key, 7))
})

test('events are kept for the retention of their record kind, and a fast clock deletes none too early', async () => {
  const db = await freshDatabase()
  const dayMs = 86_400_000
  const left = async () => {
    const { rows } = await db.execute<{ record_type: string; n: number }>(
      sql`select record_type, count(*)::int n from history_events group by 1 order by 1`,
    )
    return rows.map(({ record_type, n }) => [record_type, n])
  }
  for (const type of ['static_export', 'agent_job'])
    await db.execute(sql`insert into history_events (record_type, record_key, kind, at)
      select ${type}, 'x', 'checked', now() - n / 250 * interval '1 day' from generate_series(1, 2500) n`)
  expect(await deleteOldHistory(db, Date.now(), { staticExports: 365, agentJobs: 365 })).toBe(0)
  expect(await deleteOldHistory(db, Date.now() + 1000 * dayMs, { staticExports: 5, agentJobs: 1 })).toBe(1251 + 2251)
  expect(await left()).toEqual([
    ['agent_job', 249],
    ['static_export', 1249],
  ])
})

test('records removed long ago are deleted with their history, except for requestIds of the last 30 days', async () => {
  const { db, services } = await app({ retentionDays: { staticExports: 5, agentJobs: 5 } })
  const onList = await insertExport(db, { started: 100 })
  const undoable = await insertExport(db, { started: 100, removed: 4 })
  const recent = await insertExport(db, { started: 20, removed: 6 })
  const old = await insertExport(db, { started: 100, removed: 6 })
  const oldId = 'quote" and \\ and ü'
  for (const [id, days] of [
    ['young', 4],
    [oldId, 6],
  ] as const)
    await db.execute(sql`insert into agent_jobs (project_id, id, followed_at, removed_at)
      values ('docs', ${id}, now() - interval '100 days', now() - ${days} * interval '1 day')`)
  const jobs = ['young', oldId].map((id) => ({ type: 'agent_job', projectId: 'docs', id }) as const)
  const exports = [onList, undoable, recent, old].map((exportId) => ({ type: 'static_export', exportId }) as const)
  for (const key of [...jobs, ...exports])
    await recordEvents(db, key, [{ kind: 'checked', at: new Date(), by: testActor() }])
  expect(await purgeRemovedExports(services.records)).toBe(1)
  expect(await purgeRemovedJobs(services.records)).toBe(1)
  const keys = await db.execute<{ key: string }>(sql`select record_key as key from history_events order by event_id`)
  expect(keys.rows.map(({ key }) => key)).toEqual([JSON.stringify(['docs', 'young']), onList, undoable, recent])
  const { rows } = await db.execute<{ id: string }>(sql`select export_id as id from static_exports`)
  expect(rows.map(({ id }) => id).toSorted()).toEqual([onList, undoable, recent].toSorted())
})

test('the activity list shows running records and each ending once, and no removed records', async () => {
  const upstream = await agentJobStandIn()
  onTestFinished(upstream.close)
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }
  const { get, post, delete: remove } = await app({ upstream: { url: upstream.url, key: 'k' }, now: () => clock.ms })
  const read = async () => Activity.parse(await (await get('/api/activity')).json())
  const check = (id: string) => post(`/api/agent-jobs/docs/${id}/check`)
  expect(await read()).toEqual({
    running: [],
    counts: { staticExports: 0, agentJobs: 0 },
    endings: [],
    nextBefore: null,
  })
  for (const id of ['a', 'b', 'c', 'd']) {
    clock.ms += 1000
    upstream.has(wireJob({ id }), { id })
    await post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id }] })
  }
  upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/1' }), { id: 'a' })
  upstream.has(wireJob({ status: 'failed', source: null }), { id: 'b' })
  upstream.has(completedJob(), { id: 'c' })
  for (const id of ['a', 'b', 'c']) await check(id)
  const first = await get('/api/activity')
  const tag = first.headers.get('etag') ?? ''
  const activity = Activity.parse(await first.json())
  expect(activity).toMatchObject({
    running: [
      { key: { type: 'agent_job', projectId: 'docs', id: 'd' }, title: 'Agent job of acme/docs', state: 'working' },
    ],
    counts: { staticExports: 0, agentJobs: 1 },
    endings: [
      { key: { id: 'b' }, title: 'Agent job', ending: 'failed' },
      { key: { id: 'a' }, title: 'Agent job of acme/docs', ending: 'pull_request_ready' },
    ],
  })
  expect((await get('/api/activity', { 'if-none-match': tag })).status).toBe(304)
  clock.ms += 61 * 60_000
  await check('c')
  await check('c')
  expect((await get('/api/activity', { 'if-none-match': tag })).status).toBe(200)
  expect((await read()).endings.map(({ ending }) => ending)).toEqual([
    'no_pull_request',
    'failed',
    'pull_request_ready',
  ])
  expect((await read()).endings[0]?.eventId).toBeGreaterThan(activity.endings[0]?.eventId ?? Infinity)
  await remove('/api/agent-jobs/docs/b')
  await remove('/api/agent-jobs/docs/d')
  expect(await read()).toMatchObject({
    running: [],
    counts: { agentJobs: 0 },
    endings: [{ key: { id: 'c' } }, { key: { id: 'a' } }],
  })
})

test('paging returns every ending exactly once, and skips removed records', async () => {
  const { db, get } = await app()
  const listed: string[] = []
  for (let number = 0; number < 125; number += 1) {
    // Whole batches of removed records.
    const removed = number > 20 && number < 100
    const exportId = await insertExport(db, removed ? { removed: 1 } : {})
    if (!removed) listed.unshift(exportId)
    await recordEvents(db, { type: 'static_export', exportId }, [
      { kind: 'completed', at: new Date(), ending: 'completed' },
    ])
  }
  const read = async (query: string) => Activity.parse(await (await get(`/api/activity${query}`)).json())
  const pages = [await read('')]
  for (let next = pages[0]!.nextBefore; next !== null && next !== undefined; next = pages.at(-1)!.nextBefore)
    pages.push(await read(`?before=${next}`))
  const ids = pages.flatMap(({ endings }) => endings.map(({ key }) => 'exportId' in key && key.exportId))
  expect(ids).toEqual(listed)
  expect(pages.map(({ endings }) => endings.length)).toEqual([20, 20, 6])
  expect((await read('?before=1')).endings).toEqual([])
  expect((await get('/api/activity?before=x')).status).toBe(400)
})

/** Begins a transaction, and ends it when the test says so. */
const uncommitted = async (db: Database, write: (tx: Tx) => Promise<void>) => {
  let commit = () => {}
  const allowed = new Promise<void>((resolve) => (commit = resolve))
  let ended: Promise<void> | undefined
  await new Promise<void>((onWritten) => {
    ended = db.transaction(async (tx) => {
      await write(tx)
      onWritten()
      await allowed
    })
  })
  return {
    commit: () => {
      commit()
      return ended
    },
  }
}
/** Number of transactions that wait for another. */
const waiting = async (db: Database) =>
  (await db.execute(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rows.length

test('endings are numbered in the order in which they become visible, across all lists', async () => {
  const db = await freshDatabase()
  const ending = (type: 'static_export' | 'agent_job') =>
    type === 'static_export'
      ? ({ type, exportId: randomUUID() } as const)
      : ({ type, projectId: 'docs', id: 'a' } as const)
  const write = (tx: Tx, type: 'static_export' | 'agent_job') =>
    recordEvents(tx, ending(type), [{ kind: 'failed', at: new Date(), ending: 'failed' }])
  const slow = await uncommitted(db, (tx) => write(tx, 'static_export'))
  const quick = db.transaction((tx) => write(tx, 'agent_job'))
  await expect.poll(() => waiting(db)).toBe(1)
  await slow.commit()
  await quick
  const { rows } = await db.execute<{ type: string }>(
    sql`select record_type as type from history_events order by event_id`,
  )
  expect(rows.map(({ type }) => type)).toEqual(['static_export', 'agent_job'])
})

test('a reader who saw one of two concurrent events also gets the other', async () => {
  const db = await freshDatabase()
  const key = { type: 'static_export', exportId: randomUUID() } as const
  const write = (tx: Tx, kind: 'checked' | 'downloaded') =>
    recordEvents(tx, key, [{ kind, at: new Date(), by: testActor() }])
  const slow = await uncommitted(db, (tx) => write(tx, 'checked'))
  let done = false
  const quick = db.transaction((tx) => write(tx, 'downloaded')).then(() => (done = true))
  await expect.poll(async () => done || (await waiting(db)) > 0).toBe(true)
  const activity = await readHistoryTag(db, key, 365)
  await slow.commit()
  await quick
  expect((await readHistory(db, key, 365)).events).toHaveLength(2)
  expect(await readHistoryTag(db, key, 365)).not.toBe(activity)
})

test('an event deleted by the retention is not shown from a cache', async () => {
  const clock = { ms: Date.now() }
  const { db, get } = await app({ retentionDays: { staticExports: 5, agentJobs: 5 }, now: () => clock.ms })
  const exportId = await insertExport(db)
  const key = { type: 'static_export', exportId } as const
  await recordEvents(db, key, [{ kind: 'requested', at: new Date(clock.ms - 6 * 86_400_000), by: testActor() }])
  await recordEvents(db, key, [{ kind: 'checked', at: new Date(clock.ms), by: testActor() }])
  const read = () => get(`/api/static-exports/${exportId}/history`)
  const kinds = async () => History.parse(await (await read()).json()).events.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['requested', 'checked'])
  expect(await deleteOldHistory(db, clock.ms, { staticExports: 5, agentJobs: 5 })).toBe(1)
  expect(await kinds()).toEqual(['checked'])
})
