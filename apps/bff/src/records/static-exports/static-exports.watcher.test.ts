import { expect, test } from 'vitest'
import { staticExportsApp } from '#records/static-exports/testing/static-exports-app.ts'

test('a running export is read repeatedly, with progress, speed and an end, and never again after the end', async () => {
  const { started, upstream, nextCheck, clock, pass } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'queued' })
  expect(await nextCheck(exportId)).toMatchObject({ state: 'accepted', status: 'queued', progress: null })
  upstream.has('job-1', { status: 'running', progress: 20, pageCount: 10 })
  expect(await nextCheck(exportId)).toMatchObject({ status: 'running', progress: 20, pageCount: 10 })
  upstream.has('job-1', { status: 'running', progress: '60%', pageCount: '30' })
  const running = await nextCheck(exportId)
  expect(running).toMatchObject({ progress: 60, pageCount: 30 })
  expect(running.pagesPerSecond).toBeGreaterThan(5)
  upstream.has('job-1', { status: 'completed', progress: 100, pageCount: 50 })
  expect(await nextCheck(exportId)).toMatchObject({
    state: 'completed',
    progress: 100,
    pageCount: 50,
    finishedAt: new Date(clock.ms).toISOString(),
    nextCheckAt: null,
    bundle: { sizeBytes: null, sha256: null, fileName: 'docs.example.com-2026-05-01' },
  })
  const readCount = upstream.reads.length
  clock.ms += 86_400_000
  await pass()
  expect(upstream.reads).toHaveLength(readCount)
})

test('if no export is active, the watcher makes no call', async () => {
  const { pass, upstream } = await staticExportsApp()
  await pass()
  expect(upstream.reads).toEqual([])
})

test('a failed export shows the reason of the service', async () => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'failed', progress: 40, error: 'page /a does not render' })
  expect(await nextCheck(exportId)).toMatchObject({
    state: 'failed',
    progress: 40,
    reason: 'page /a does not render',
    bundle: null,
  })
})

test.each([
  [{ status: 'indexing' }, 'indexing'],
  [{ status: 'complete' }, 'complete'],
  [{ status: 'completed-with-errors', progress: 100 }, 'completed-with-errors'],
  [{ status: ['completed'], progress: 100 }, null],
  [{ status: true, progress: 'done', pageCount: 5 }, null],
  [{ progress: 100, pageCount: 7 }, null],
])('%j is not a final status: it is shown, and polling continues', async (body, status) => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', body)
  const checked = await nextCheck(exportId)
  expect(checked).toMatchObject({ state: 'accepted', status })
  expect(checked.nextCheckAt).not.toBeNull()
})

test('the two final statuses are recognised in any letter case', async () => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'Completed ' })
  expect((await nextCheck(exportId)).state).toBe('completed')
})

test('after malformed responses, failures or a rejected key, an export keeps its last data with the reason and is read again', async () => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running', progress: 33, pageCount: 3 })
  await nextCheck(exportId)
  for (const [answer, code] of [
    [{ body: ['nonsense'] }, 'upstream_unexpected'],
    [{ status: 500 }, 'upstream_unavailable'],
    [{ status: 401 }, 'upstream_key_rejected'],
    ['reset', 'upstream_unavailable'],
  ] as const) {
    upstream.answers('job-1', answer as never)
    const checked = await nextCheck(exportId)
    expect(checked).toMatchObject({ state: 'accepted', progress: 33, pageCount: 3, checkFailure: { code } })
    expect(checked.nextCheckAt).not.toBeNull()
  }
  upstream.has('job-1', { status: 'running', progress: 50 })
  expect(await nextCheck(exportId)).toMatchObject({ progress: 50, checkFailure: null })
})

test('Retry-After stops every read, and a click gets an error with the time to wait', async () => {
  const { started, upstream, nextCheck, clock, pass, request, refused } = await staticExportsApp()
  const { exportId } = await started()
  upstream.answers('job-1', { status: 429, headers: { 'retry-after': '120' } })
  const { nextCheckAt } = await nextCheck(exportId)
  expect(Date.parse(nextCheckAt!) - clock.ms).toBeGreaterThanOrEqual(120_000)
  clock.ms += 60_000
  await pass()
  expect(upstream.reads).toHaveLength(1)
  expect(await refused(request('POST', `/${exportId}/check`))).toMatchObject({
    status: 503,
    code: 'upstream_rate_limited',
    retryAfter: '60',
  })
  expect(upstream.reads).toHaveLength(1)
})

test('an export missing at the service keeps its last data, frees its domain, and is restored when the service finds it', async () => {
  const { started, upstream, nextCheck, list } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running', progress: 70 })
  await nextCheck(exportId)
  upstream.answers('job-1', { status: 410, body: { error: 'no such job' } })
  const gone = await nextCheck(exportId)
  expect(gone).toMatchObject({ state: 'accepted', progress: 70, checkFailure: { code: 'upstream_not_found' } })
  expect(gone.goneAt).not.toBeNull()
  expect((await list()).counts.active).toBe(0)
  upstream.has('job-1', { status: 'completed' })
  expect(await nextCheck(exportId)).toMatchObject({ state: 'completed', goneAt: null, checkFailure: null })
})

test('an export that stays gone is read ever more slowly, and never after a day', async () => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  let checked = await started()
  upstream.answers('job-1', { status: 410 })
  for (let reads = 0; reads < 20 && checked.nextCheckAt !== null; reads++) checked = await nextCheck(checked.exportId)
  expect(checked.nextCheckAt).toBeNull()
  expect(upstream.reads.length).toBeLessThan(10)
})

test('a late answer never overwrites a newer one', async () => {
  const { started, upstream, process, clock, act, pass, read } = await staticExportsApp()
  const { exportId, nextCheckAt } = await started()
  upstream.has('job-1', { status: 'running', progress: 10 })
  const release = upstream.holdNext()
  clock.ms = Date.parse(nextCheckAt!)
  const late = pass()
  await upstream.asked(2)
  upstream.has('job-1', { status: 'completed' })
  await process().act(exportId, 'check')
  release()
  await late
  expect(await read(exportId)).toMatchObject({ state: 'completed', progress: 100 })
  upstream.has('job-1', { status: 'running', progress: 10 })
  expect(await act(exportId, 'check')).toMatchObject({ state: 'completed', progress: 100 })
})

test('two Dockets on one database read an export once per interval', async () => {
  const { started, upstream, process, clock, pass } = await staticExportsApp()
  const { nextCheckAt } = await started()
  upstream.has('job-1', { status: 'running' })
  clock.ms = Date.parse(nextCheckAt!)
  await Promise.all([pass(), process().pass(), process().pass()])
  expect(upstream.reads).toHaveLength(1)
})

test('two clicks on Check now make one call', async () => {
  const { databaseIsIdle, started, upstream, act } = await staticExportsApp()
  const { exportId } = await started()
  upstream.has('job-1', { status: 'running', progress: 5 })
  const release = upstream.holdNext()
  const both = [act(exportId, 'check'), act(exportId, 'check')]
  await upstream.asked(2)
  await databaseIsIdle()
  release()
  expect((await Promise.all(both)).map(({ progress }) => progress)).toEqual([5, 5])
  expect(upstream.reads).toHaveLength(1)
})
