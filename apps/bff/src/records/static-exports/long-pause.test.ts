import { randomUUID } from 'node:crypto'
import { AuditList } from '@docket/api-types/audit'
import { ConnectionReport } from '@docket/api-types/connection'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { expect, onTestFinished, test } from 'vitest'
import { staticExportStandIn, type Answer } from '#records/static-exports/testing/stand-in.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'

const hourMs = 3_600_000

/** An export that a service limits with `headers` from its first check on. */
const limitedApp = async (headers: Record<string, string>) => {
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }
  const upstream = await staticExportStandIn()
  onTestFinished(upstream.close)
  const app = await testApp({ upstream: { url: upstream.url, key: 'test_key' }, now: () => clock.ms })
  onTestFinished(app.close)
  const start = await app.post('/api/static-exports', { requestId: randomUUID(), domain: 'docs.example.com' })
  const { exportId } = StartedStaticExport.parse(await start.json()).export
  const limit: Answer = { status: 429, headers, body: { error: 'Too many calls.' } }
  upstream.answers('job-1', limit)
  return {
    clock,
    upstream,
    app,
    limit,
    check: () => app.post(`/api/static-exports/${exportId}/check`),
    read: async () => StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json()),
    gates: async () => ConnectionReport.parse(await (await app.get('/api/connection')).json()).gates,
    resume: (headers = {}) => app.post('/api/connection/resume', undefined, headers),
  }
}

test('an admin can end a pause of a day that the service requested, and the next 429 begins another one', async () => {
  const { clock, upstream, app, limit, check, read, gates, resume } = await limitedApp({ 'retry-after': '86400' })
  await check()
  const untilMs = clock.ms + hourMs
  expect(await gates()).toMatchObject([{ calls: 'static_exports', askedMs: 24 * hourMs }])
  expect((await gates())[0]).toMatchObject({
    until: new Date(untilMs).toISOString(),
    message: expect.stringContaining('asked Docket to wait 24 hours; Docket tries again after an hour') as string,
  })
  clock.ms += 60_000
  expect((await check()).status).toBe(503)
  expect(upstream.reads).toHaveLength(1)

  const { cookie } = await signedIn(app.db, 'operator', { now: clock.ms })
  expect((await resume({ cookie })).status).toBe(403)
  expect((await resume()).status).toBe(204)
  expect(await gates()).toEqual([])
  // The record that the service limited is due again.
  expect(Date.parse((await read()).nextCheckAt ?? '')).toBe(clock.ms)
  expect((await resume()).status).toBe(409)
  const { items } = AuditList.parse(await (await app.get('/api/audit?action=connection.pause_ended')).json())
  expect(items).toMatchObject([{ outcome: 'ok', target: { type: 'connection' }, details: { calls: 'static_exports' } }])

  upstream.has('job-1', { status: 'running' })
  expect((await check()).status).toBe(200)
  expect((await read()).checkFailure).toBeNull()
  upstream.answers('job-1', limit)
  await check()
  expect((await check()).status).toBe(503)
  expect(await gates()).toMatchObject([{ askedMs: 24 * hourMs }])
})

test.each([
  ['that the service requested, of any length', { status: 429, headers: { 'retry-after': '60' } }],
  ['after a 429 without Retry-After', { status: 429 }],
  ['after a rejected key', { status: 401 }],
])('an admin can end a pause %s, and the limited record is read at once', async (_, answer) => {
  const { clock, upstream, check, read, gates, resume } = await limitedApp({})
  upstream.answers('job-1', { body: { error: 'No.' }, ...answer })
  await check()
  expect(await gates()).toHaveLength(1)
  expect((await check()).status).toBe(answer.status === 429 ? 503 : 502)
  clock.ms += 1_000
  expect((await resume()).status).toBe(204)
  expect(await gates()).toEqual([])
  expect(Date.parse((await read()).nextCheckAt ?? '')).toBe(clock.ms)
  upstream.has('job-1', { status: 'running' })
  expect((await check()).status).toBe(200)
  const again = await resume()
  expect([again.status, await again.json()]).toMatchObject([409, { message: expect.stringContaining('held back') }])
})

test('after a 429 without Retry-After, the answers of Docket have their own Retry-After', async () => {
  const { app, upstream, limit, check } = await limitedApp({})
  await check()
  const [paused, limited] = [
    await check(),
    await app.post('/api/static-exports/import', { jobId: 'j', domain: 'b.example' }),
  ]
  for (const { status, headers } of [paused, limited]) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(upstream.reads).toHaveLength(1)
  const other = await limitedApp({})
  other.upstream.answers('j', limit)
  // The answer itself, and not the pause after it.
  const first = await other.app.post('/api/static-exports/import', { jobId: 'j', domain: 'b.example' })
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '5'])
})
