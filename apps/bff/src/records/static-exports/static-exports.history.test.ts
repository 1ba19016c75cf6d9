import { History } from '@docket/api-types/history'
import { StaticExportList } from '@docket/api-types/static-exports'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { staticExportStandIn } from '#records/static-exports/testing/stand-in.ts'
import { staticExportsApp } from '#records/static-exports/testing/static-exports-app.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

const exportsWithHistory = async () => {
  const app = await staticExportsApp()
  const history = async (exportId: string) =>
    History.parse(await (await app.request('GET', `/${exportId}/history`)).json())
  return {
    ...app,
    history,
    /** The events, without what every one has. */
    listEvents: async (exportId: string) =>
      (await history(exportId)).events.map(({ kind, from, to, by }) =>
        [kind, from, to, by].filter((part) => part !== null).join(' '),
      ),
  }
}

test('the history of an export lists in order who asked, what the service reported, and the milestones', async () => {
  const { started, upstream, nextCheck, act, request, listEvents, history, clock } = await exportsWithHistory()
  const { exportId } = await started()
  for (const body of [
    { status: 'queued' },
    { status: 'running', progress: 10 },
    { status: 'running', progress: 60 },
    { status: 'running', progress: 61 },
  ]) {
    upstream.has('job-1', body)
    await nextCheck(exportId)
  }
  await act(exportId, 'check')
  upstream.has('job-1', { status: 'completed', progress: 100 })
  await nextCheck(exportId)
  await request('DELETE', `/${exportId}`)
  clock.ms += 1000
  await request('DELETE', `/${exportId}`)
  await act(exportId, 'restore')
  await act(exportId, 'restore')
  expect(await listEvents(exportId)).toEqual([
    'requested Ada',
    'accepted job-1',
    'status_changed queued',
    'status_changed queued running',
    'progressed 50',
    'checked Ada',
    'completed',
    'removed Ada',
    'restored Ada',
  ])
  const { events, truncated, retentionDays } = await history(exportId)
  expect({ truncated, retentionDays }).toEqual({ truncated: false, retentionDays: 365 })
  expect(events.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId).toSorted((a, b) => a - b))
  expect(events.at(-1)?.at).toBe(new Date(clock.ms).toISOString())
})

test('a lost start, its repetition and an attached job are recorded on both exports', async () => {
  const { started, upstream, request, act, listEvents } = await exportsWithHistory()
  upstream.onStart((n) => (n === 2 ? { body: { jobId: `job-${n}` } } : 'reset'))
  const lost = await started()
  const again = await started({ replaces: lost.exportId })
  expect(await listEvents(lost.exportId)).toEqual([
    'requested Ada',
    `answer_lost ${lost.reason}`,
    `started_again ${again.exportId} Ada`,
  ])
  expect(await listEvents(again.exportId)).toEqual(['requested Ada', 'accepted job-2'])
  const other = await started({ domain: 'b.example' })
  upstream.has('found', { status: 'completed' })
  await act(other.exportId, 'attach', { jobId: 'found' })
  expect(await listEvents(other.exportId)).toEqual([
    'requested Ada',
    `answer_lost ${other.reason}`,
    'attached found Ada',
    'completed',
  ])
  upstream.has('elsewhere', { status: 'failed' })
  const response = await request('POST', '/import', { jobId: 'elsewhere', domain: 'c.example' })
  const { export: imported } = (await response.json()) as { export: { exportId: string } }
  expect(await listEvents(imported.exportId)).toEqual(['imported failed Ada'])
})

test('two clicks that share one read are both recorded', async () => {
  const { databaseIsIdle, started, upstream, request, listEvents } = await exportsWithHistory()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running' })
  const release = upstream.holdNext()
  const clicks = [1, 2].map(() => request('POST', `/${exportId}/check`))
  await upstream.asked(2)
  await databaseIsIdle()
  release()
  await Promise.all(clicks)
  expect(upstream.reads).toHaveLength(1)
  expect((await listEvents(exportId)).filter((event) => event === 'checked Ada')).toHaveLength(2)
})

test('after an outage the history records the unobserved time, and the export is left out of usual durations', async () => {
  const { started, upstream, nextCheck, history, clock, db } = await exportsWithHistory()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running' })
  const { checkedAt } = await nextCheck(exportId)
  upstream.answers('job-1', { status: 503 })
  await nextCheck(exportId)
  clock.ms += 600_000
  upstream.has('job-1', { status: 'completed' })
  const { finishedAt } = await nextCheck(exportId)
  expect((await history(exportId)).events.slice(-2)).toMatchObject([
    {
      kind: 'not_observed',
      at: checkedAt,
      until: finishedAt,
      to: 'Docket couldn’t reach the service, or it didn’t work.',
    },
    { kind: 'completed', at: finishedAt },
  ])
  const { rows } = await db.execute(sql`select took_ms from static_exports`)
  expect(rows).toEqual([{ took_ms: null }])
})

test('the gap of an export without a failed read shows the reason that paused all reads', async () => {
  const { started, upstream, act, history, clock } = await exportsWithHistory()
  const [asked, waiting] = [await started(), await started({ domain: 'b.example' })]
  upstream.has('job-1', { status: 'running' })
  upstream.has('job-2', { status: 'running' })
  await act(waiting.exportId, 'check')
  upstream.answers('job-1', { status: 429, headers: { 'retry-after': '600' } })
  await act(asked.exportId, 'check')
  clock.ms += 601_000
  await act(waiting.exportId, 'check')
  const gap = (await history(waiting.exportId)).events.find(({ kind }) => kind === 'not_observed')
  expect(gap?.to).toBe('The service asked Docket to wait.')
})

test('the time in which no Docket ran is recorded as a gap, and so is the time off the list', async () => {
  const { started, upstream, nextCheck, history, clock, request, act } = await exportsWithHistory()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running' })
  await nextCheck(exportId)
  clock.ms += 3_600_000
  await nextCheck(exportId)
  expect((await history(exportId)).events.at(-1)).toMatchObject({ kind: 'not_observed', to: 'Docket was not running.' })
  await request('DELETE', `/${exportId}`)
  clock.ms += 3_600_000
  await act(exportId, 'restore')
  await nextCheck(exportId)
  expect((await history(exportId)).events.slice(-2)).toMatchObject([
    { kind: 'not_observed', to: 'It wasn’t on the list.' },
    { kind: 'restored' },
  ])
})

test('a change is rolled back if its event cannot be written, for outcomes and for clicks', async () => {
  const { started, upstream, nextCheck, read, request, db } = await exportsWithHistory()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'completed' })
  await db.execute(
    sql`alter table history_events add constraint broken check (kind not in ('completed', 'removed', 'requested')) not valid`,
  )
  expect(await nextCheck(exportId)).toMatchObject({ state: 'accepted' })
  expect((await request('DELETE', `/${exportId}`)).status).toBe(500)
  expect(await read(exportId)).toMatchObject({ state: 'accepted' })
  expect((await request('POST', '', { requestId: crypto.randomUUID(), domain: 'b.example' })).status).toBe(500)
  expect(upstream.starts).toHaveLength(1)
  await db.execute(sql`alter table history_events drop constraint broken`)
  expect(await request('POST', `/${exportId}/check`)).toMatchObject({ status: 200 })
  expect(await read(exportId)).toMatchObject({ state: 'completed' })
})

test('a change that fails in its last step leaves no event, for outcomes and for clicks', async () => {
  const { started, upstream, nextCheck, request, listEvents, db } = await exportsWithHistory()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'completed' })
  await db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
  await db.execute(
    sql`create constraint trigger refuse after insert or update on static_exports deferrable initially deferred for each row
      when (new.state = 'completed' or new.removed_at is not null or new.domain = 'b.example') execute function refuse()`,
  )
  await nextCheck(exportId)
  expect((await request('DELETE', `/${exportId}`)).status).toBe(500)
  expect((await request('POST', '', { requestId: crypto.randomUUID(), domain: 'b.example' })).status).toBe(500)
  expect(await listEvents(exportId)).toEqual(['requested Ada', 'accepted job-1'])
  expect((await db.execute(sql`select 1 from history_events`)).rows).toHaveLength(2)
})

test('a history returns 304 if unchanged, 200 after a change, and 404 for an export that is not listed', async () => {
  const { started, request, act } = await exportsWithHistory()
  const { exportId } = await started()
  const other = await started({ domain: 'b.example' })
  const poll = (tag = '') => request('GET', `/${exportId}/history`, undefined, { 'if-none-match': tag })
  const tag = (await poll()).headers.get('etag') ?? ''
  await request('DELETE', `/${other.exportId}`)
  expect((await poll(tag)).status).toBe(304)
  await act(exportId, 'check')
  expect((await poll(tag)).status).toBe(200)
  await request('DELETE', `/${exportId}`)
  expect((await poll(tag)).status).toBe(404)
  expect((await request('GET', `/${crypto.randomUUID()}/history`)).status).toBe(404)
})

test('the list names who started or added each export, for as long as its history does', async () => {
  const { db, started, upstream, request, list, read } = await exportsWithHistory()
  const { exportId, startedBy } = await started()
  expect(startedBy).toBe('Ada')
  upstream.has('known', { status: 'running' })
  await request('POST', '/import', { jobId: 'known', domain: 'b.example' })
  const starters = async () => (await list('?sort=domain')).items.map((row) => [row.domain, row.startedBy])
  expect(await starters()).toEqual([
    ['b.example', 'Ada'],
    ['docs.example.com', 'Ada'],
  ])
  await db.execute(sql`delete from history_events where record_key = ${exportId} and kind = 'requested'`)
  // Whoever writes a note did not start it.
  await request('PATCH', `/${exportId}`, { note: 'Mine' })
  expect(await starters()).toEqual([
    ['b.example', 'Ada'],
    ['docs.example.com', null],
  ])
  expect(await read(exportId)).toMatchObject({ startedBy: null })
})

test('an export that a token started names whom its history names', async () => {
  const upstream = await staticExportStandIn()
  const app = await testApp({ upstream: { url: upstream.url, key: 'test_key_0123456789' } })
  onTestFinished(async () => {
    await app.close()
    await upstream.close()
  })
  const { bearer } = await makeToken(app)
  await app.post('/api/static-exports', { requestId: crypto.randomUUID(), domain: 'docs.example.com' }, bearer)
  const [row] = StaticExportList.parse(await (await app.get('/api/static-exports')).json()).items
  const { events } = History.parse(await (await app.get(`/api/static-exports/${row?.exportId}/history`)).json())
  expect([events[0]?.kind, events[0]?.by, row?.startedBy]).toEqual(['requested', 'CI', 'CI'])
})
