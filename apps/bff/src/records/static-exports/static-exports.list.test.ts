import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { staticExportsApp } from './testing/static-exports-app.ts'

test('an unknown export gets the jobId that a person found, after the job was read', async () => {
  const { started, upstream, act, request, refused, nextCheck } = await staticExportsApp()
  upstream.onStart((n) => (n === 1 ? 'reset' : { body: { jobId: `job-${n}` } }))
  const lost = await started()
  const other = await started({ domain: 'b.example' })
  const attach = (exportId: string, jobId: string) => request('POST', `/${exportId}/attach`, { jobId })
  expect(await refused(attach(lost.exportId, 'nowhere'))).toMatchObject({ status: 404, code: 'upstream_not_found' })
  expect(await refused(attach(lost.exportId, 'job-2'))).toMatchObject({ status: 409, exportId: other.exportId })
  expect(await refused(attach(other.exportId, 'found'))).toMatchObject({ status: 409 })
  upstream.has('found', { status: 'running', progress: 40 })
  expect(await act(lost.exportId, 'attach', { jobId: 'found' })).toMatchObject({
    state: 'accepted',
    jobId: 'found',
    progress: 40,
    reason: null,
  })
  upstream.has('found', { status: 'completed' })
  expect((await nextCheck(lost.exportId)).state).toBe('completed')
})

test('a job that Docket did not start is imported once, and only if the service knows it', async () => {
  const { upstream, request, refused, list, checks } = await staticExportsApp()
  const imported = (jobId: string) => request('POST', '/import', { jobId, domain: 'https://b.example/' })
  expect(await refused(imported('nowhere'))).toMatchObject({ status: 404, code: 'upstream_not_found' })
  upstream.has('known', { status: 'running', progress: 40 })
  const statuses = await Promise.all([imported('known'), imported('known')].map(async (r) => (await r).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
  expect((await list()).items).toMatchObject([
    { jobId: 'known', domain: 'b.example', imported: true, state: 'accepted', progress: 40 },
  ])
  expect((await checks())[0]).toMatchObject({ expectedAt: null, failedAt: null })
})

test('an id that could escape the URL path is rejected', async () => {
  const { request, refused, upstream } = await staticExportsApp()
  for (const jobId of ['', '.', '..', 'a\nb', 'x'.repeat(257)])
    expect(await refused(request('POST', '/import', { jobId, domain: 'b.example' }))).toMatchObject({ status: 400 })
  expect(upstream.reads).toEqual([])
})

test('a removed export is neither listed nor polled until it is restored', async () => {
  const { started, upstream, request, list, act, pass, clock, refused } = await staticExportsApp()
  const { exportId } = await started()
  expect((await request('DELETE', `/${exportId}`)).status).toBe(204)
  expect((await request('DELETE', `/${exportId}`)).status).toBe(204)
  expect((await list()).counts).toMatchObject({ all: 0, active: 0 })
  expect(await refused(request('GET', `/${exportId}`))).toMatchObject({ status: 404 })
  clock.ms += 3_600_000
  await pass()
  expect(upstream.reads).toEqual([])
  expect(await act(exportId, 'restore')).toMatchObject({ state: 'accepted' })
  upstream.has('job-1', { status: 'completed' })
  await pass()
  expect((await list()).items).toMatchObject([{ state: 'completed' }])
  expect(await refused(request('DELETE', `/${randomUUID()}`))).toMatchObject({ status: 404 })
})

test('an export removed while it is being started keeps its jobId for the undo', async () => {
  const { start, upstream, list, request, act } = await staticExportsApp()
  const release = upstream.holdNext()
  const answer = start()
  await upstream.asked(1)
  const { exportId } = (await list()).items[0]!
  await request('DELETE', `/${exportId}`)
  release()
  await answer
  expect((await list()).items).toEqual([])
  expect(await act(exportId, 'restore')).toMatchObject({ state: 'accepted', jobId: 'job-1' })
})

test('a removed job that was then imported again cannot be restored as a duplicate', async () => {
  const { started, upstream, request, refused } = await staticExportsApp()
  const { exportId } = await started()
  await request('DELETE', `/${exportId}`)
  upstream.has('job-1', { status: 'running' })
  expect((await request('POST', '/import', { jobId: 'job-1', domain: 'docs.example.com' })).status).toBe(201)
  expect(await refused(request('POST', `/${exportId}/restore`))).toMatchObject({ status: 409, code: 'conflict' })
})

test('the list is split into pages, newest first, without a gap or a repetition', async () => {
  const { started, list, clock, refused, request } = await staticExportsApp()
  const ids: string[] = []
  for (let place = 0; place < 7; place++) {
    if (place % 3 === 0) clock.ms += 1
    ids.push((await started({ domain: `s${place}.example` })).exportId)
  }
  const paged: string[] = []
  let cursor: string | null = ''
  do {
    const page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(page.counts).toMatchObject({ all: 7, active: 7 })
    paged.push(...page.items.map(({ exportId }) => exportId))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(paged).toHaveLength(7)
  expect(new Set(paged)).toEqual(new Set(ids))
  expect(paged[0]).toBe(ids[6])
  for (const query of ['?cursor=x', '?cursor=1.x', '?limit=0', '?limit=51', '?limit=x'])
    expect(await refused(request('GET', query))).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('an unchanged list returns 304, and after every visible change it returns 200', async () => {
  const { started, request, upstream, nextCheck } = await staticExportsApp()
  let tag = ''
  const changed = async () => {
    const response = await request('GET', '', undefined, { 'if-none-match': tag })
    tag = response.headers.get('etag') ?? ''
    return response.status === 200
  }
  expect(await changed()).toBe(true)
  expect(await changed()).toBe(false)
  const { exportId } = await started()
  expect(await changed()).toBe(true)
  upstream.has('job-1', { status: 'running', progress: 10 })
  await nextCheck(exportId)
  expect(await changed()).toBe(true)
  upstream.answers('job-1', { status: 500 })
  await nextCheck(exportId)
  expect(await changed()).toBe(true)
  await request('DELETE', `/${exportId}`)
  expect(await changed()).toBe(true)
  await request('POST', `/${exportId}/restore`)
  expect(await changed()).toBe(true)
  expect(await changed()).toBe(false)
})

test('the expected end is based on five or more earlier exports of the domain, else on the progress, else it is absent', async () => {
  const { started, upstream, nextCheck, clock, read } = await staticExportsApp()
  for (let n = 1; n <= 5; n += 1) {
    const earlier = await started()
    expect(earlier).toMatchObject({ expectedAt: null, usual: null })
    const startedMs = clock.ms
    clock.ms = startedMs + 20_000
    upstream.has(`job-${n}`, { status: 'running', progress: 25 })
    // A quarter in twenty seconds.
    expect((await nextCheck(earlier.exportId)).expectedAt).toBe(new Date(startedMs + 80_000).toISOString())
    clock.ms = startedMs + 30_000 + n * 1_000
    upstream.has(`job-${n}`, { status: 'completed' })
    expect((await nextCheck(earlier.exportId)).expectedAt).toBeNull()
  }
  const sixth = await started()
  expect(sixth.usual).toEqual({ sample: 5, p25Ms: 32_000, p50Ms: 33_000, p75Ms: 34_000, p95Ms: 35_000 })
  expect(sixth.expectedAt).toBe(new Date(clock.ms + 33_000).toISOString())
  expect((await read(sixth.exportId)).usual).toEqual(sixth.usual)
  expect(await started({ domain: 'b.example' })).toMatchObject({ expectedAt: null, usual: null })
  expect(await started({ paths: ['/a'], confirmed: true })).toMatchObject({ expectedAt: null, usual: null })
})

test('Check now is rejected for an export without a jobId', async () => {
  const { started, upstream, request, refused } = await staticExportsApp()
  upstream.onStart(() => 'reset')
  const { exportId } = await started()
  expect(await refused(request('POST', `/${exportId}/check`))).toMatchObject({ status: 409, code: 'conflict' })
  expect(await refused(request('GET', '/not-a-uuid'))).toMatchObject({ status: 400 })
})
