import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'

const jobs = '/v1/static-export/jobs'
const soon = () => ({ time: Date.parse('2026-01-01T00:00:00Z') })

test('plan-refused is answered with 403 and a readable error, and starts nothing', async () => {
  const { call } = await startApi()
  const response = await call('POST', jobs, { domain: 'plan-refused.sentinel.test' })
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({ error: expect.stringContaining('Enterprise') as unknown })
})

test('a domain that only resembles a reserved one is refused as unknown', async () => {
  const { call } = await startApi()
  for (const domain of ['nope.sentinel.test', 'constructor.sentinel.test', 'sentinel.test', 'slow-x.sentinel.test']) {
    expect((await call('POST', jobs, { domain })).status).toBe(400)
  }
})

test('an export of fails.sentinel.test stops halfway with a reason', async () => {
  const { start, finished } = await startApi()
  const job = await finished((await start('fails.sentinel.test')).jobId)
  expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/could not be rendered/) as unknown })
  expect(job.progress).toBeLessThan(100)
})

test('lost-answer runs the export, and closes the connection without an answer', async () => {
  const { call, finished, listExports } = await startApi()
  await expect(call('POST', jobs, { domain: 'lost-answer.sentinel.test' })).rejects.toThrow(/fetch failed/)
  const [jobId = ''] = await listExports()
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
})

test('early-link first gives a link that never works, and then one that does', async () => {
  const { start, finished, bundle } = await startApi()
  const { jobId } = await start('early-link.sentinel.test')
  await finished(jobId)
  const first = await bundle(jobId)
  expect((await fetch(first.bundleUrl)).status).toBe(403)
  expect((await fetch((await bundle(jobId)).bundleUrl)).status).toBe(200)
  expect((await fetch(first.bundleUrl)).status).toBe(403)
})

test('dying-link breaks off halfway and stops working, and a new link resumes the same bytes', async () => {
  const { start, finished, bundle } = await startApi()
  const { jobId } = await start('dying-link.sentinel.test')
  await finished(jobId)
  const first = await bundle(jobId)
  const response = await fetch(first.bundleUrl)
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow(/terminated/)
  expect((await fetch(first.bundleUrl)).status).toBe(403)
  const second = await bundle(jobId)
  const resumed = await fetch(second.bundleUrl, {
    headers: { range: 'bytes=10-', 'if-range': response.headers.get('etag')! },
  })
  expect(resumed.status).toBe(206)
  expect((await resumed.arrayBuffer()).byteLength).toBe(second.sizeBytes - 10)
})

test('an export of vanishes.sentinel.test is answered for a while, and then with 404', async () => {
  const clock = soon()
  const { call, start } = await startApi({ now: () => new Date(clock.time) })
  const { jobId } = await start('vanishes.sentinel.test')
  expect((await call('GET', `${jobs}/${jobId}`)).status).toBe(200)
  clock.time += 10_000
  expect((await call('GET', `${jobs}/${jobId}`)).status).toBe(404)
})

test('rate-limited answers 429 with Retry-After at first, and later normally', async () => {
  const clock = soon()
  const { call, start } = await startApi({ now: () => new Date(clock.time) })
  const { jobId } = await start('rate-limited.sentinel.test')
  const limited = await call('GET', `${jobs}/${jobId}`)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5'])
  clock.time += 8_000
  expect((await call('GET', `${jobs}/${jobId}`)).status).toBe(200)
})

test.each([
  ['silent', { progress: undefined, pageCount: undefined }],
  ['unknown-status', { status: 'assembling' }],
  [
    'fractions',
    { progress: expect.toSatisfy((value) => typeof value === 'number' && value > 0 && value < 1) as unknown },
  ],
  ['progress-object', { progress: { done: expect.any(Number) as unknown, total: 100 } }],
  ['progress-text', { progress: expect.any(String) as unknown, pageCount: expect.any(String) as unknown }],
])('%s shows its progress in its own way while it runs', async (name, shape) => {
  const { start, until } = await startApi()
  const { jobId } = await start(`${name}.sentinel.test`)
  const job = await until(jobId, ({ status, progress }) => status !== 'queued' && progress !== 0)
  const nothing: object = { progress: undefined, pageCount: undefined }
  expect({ ...nothing, ...job }).toMatchObject(shape)
})
