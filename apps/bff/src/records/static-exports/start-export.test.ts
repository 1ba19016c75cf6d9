import { randomUUID } from 'node:crypto'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { expect, test } from 'vitest'
import { openExportHistory } from './read-exports.ts'
import { staticExportsApp } from '#records/static-exports/testing/static-exports-app.ts'

test('a started export has the jobId of the service, and the response states what was stripped from the domain', async () => {
  const { start, upstream } = await staticExportsApp()
  const response = await start({ domain: 'https://Docs.example.com/guide', version: 'v2', paths: ['/a', '/b'] })
  expect(response.status).toBe(201)
  const { export: started, domainNotes } = StartedStaticExport.parse(await response.json())
  expect(started).toMatchObject({
    domain: 'docs.example.com',
    state: 'accepted',
    jobId: 'job-1',
    version: 'v2',
    startedAt: '2026-05-01T10:00:00.000Z',
  })
  expect(domainNotes).toEqual(['Removed https:// and the path /guide.'])
  expect(upstream.starts).toEqual([{ domain: 'docs.example.com', version: 'v2', paths: ['/a', '/b'] }])
})

test('a service with only the base contract receives the domain and nothing else', async () => {
  const { started, upstream } = await staticExportsApp()
  await started()
  expect(upstream.starts).toEqual([{ domain: 'docs.example.com' }])
})

test('if the answer to a start contains the whole job, the job is shown at once, finished or not', async () => {
  const { started, upstream } = await staticExportsApp()
  upstream.onStart((n) =>
    n === 1
      ? { status: 202, body: { jobId: 'a', status: 'queued', progress: 5, pageCount: 1 } }
      : { body: { jobId: 'b', status: 'completed' } },
  )
  expect(await started()).toMatchObject({ state: 'accepted', status: 'queued', progress: 5, pageCount: 1 })
  expect(await started({ domain: 'b.example' })).toMatchObject({ state: 'completed', progress: 100, nextCheckAt: null })
})

test('an export that its start reports as completed has no duration, and one that was seen running has one', async () => {
  const { started, upstream, clock, nextCheck } = await staticExportsApp()
  upstream.onStart((place) => ({ body: { jobId: `job-${place}`, ...(place === 1 && { status: 'completed' }) } }))
  const done = await started()
  expect(done).toMatchObject({ state: 'completed', durationMs: null })
  expect(done.finishedAt).not.toBeNull()
  const running = await started({ domain: 'b.example' })
  expect(running.durationMs).toBeNull()
  upstream.has('job-2', { status: 'completed' })
  const startedMs = clock.ms
  expect((await nextCheck(running.exportId)).durationMs).toBe(clock.ms - startedMs)
  expect(clock.ms).toBeGreaterThan(startedMs)
})

test('text that is not a hostname reaches neither the table nor the service', async () => {
  const { start, refused, list, upstream } = await staticExportsApp()
  expect(await refused(start({ domain: 'http://127.0.0.1/' }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    field: 'domain',
  })
  expect((await list()).counts.all).toBe(0)
  expect(upstream.starts).toEqual([])
})

test('the same request starts one export, even if it is repeated at once and later', async () => {
  const { started, upstream, list } = await staticExportsApp()
  const requestId = randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, () => started({ requestId })))
  answers.push(await started({ requestId }))
  expect(new Set(answers.map(({ exportId }) => exportId)).size).toBe(1)
  expect(answers.every(({ state }) => state === 'accepted')).toBe(true)
  expect(upstream.starts).toHaveLength(1)
  expect((await list()).counts).toMatchObject({ all: 1, active: 1 })
})

test('if the same request reaches two processes, both return the outcome of one call', async () => {
  const { started, process, upstream } = await staticExportsApp()
  const requestId = randomUUID()
  const answers = await Promise.all([started({ requestId }), process().started({ requestId })])
  expect(answers.map(({ state, jobId }) => [state, jobId])).toEqual([
    ['accepted', 'job-1'],
    ['accepted', 'job-1'],
  ])
  expect(upstream.starts).toHaveLength(1)
})

test('a repeated request for another domain is rejected', async () => {
  const { start, started, refused, upstream } = await staticExportsApp()
  const requestId = randomUUID()
  await started({ requestId })
  expect(await refused(start({ requestId, domain: 'b.example' }))).toMatchObject({ status: 400, field: 'requestId' })
  expect(upstream.starts).toHaveLength(1)
})

test('a second export of a domain needs a confirmation that names the first export', async () => {
  const { start, started, refused, upstream } = await staticExportsApp()
  const { exportId } = await started()
  expect(await refused(start())).toMatchObject({ status: 409, code: 'conflict', exportId })
  expect((await started({ confirmed: true })).jobId).toBe('job-2')
  expect((await started({ domain: 'b.example' })).jobId).toBe('job-3')
  expect(upstream.starts).toHaveLength(3)
})

test('exactly one of two simultaneous starts of a domain passes', async () => {
  const { start, upstream, process } = await staticExportsApp()
  const other = process()
  const statuses = await Promise.all(
    [start(), other.start(), start(), other.start()].map(async (r) => (await r).status),
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
  expect(upstream.starts).toHaveLength(1)
})

test('sixty concurrent clicks with six requests start at most six exports', async () => {
  const { start, upstream } = await staticExportsApp()
  const intents = Array.from({ length: 6 }, (_, place) => ({ requestId: randomUUID(), confirmed: place > 0 }))
  await Promise.all(Array.from({ length: 60 }, (_, click) => start(intents[click % 6])))
  expect(upstream.starts.length).toBeLessThanOrEqual(6)
  expect(upstream.starts.length).toBeGreaterThan(0)
})

test('a refused start is a record with the message of the service, and the domain can be exported again', async () => {
  const { started, upstream } = await staticExportsApp()
  upstream.onStart((n) =>
    n === 1 ? { status: 403, body: { error: 'Static export needs the Enterprise plan.' } } : { body: { jobId: 'x' } },
  )
  expect(await started()).toMatchObject({
    state: 'refused',
    reason: 'Static export needs the Enterprise plan.',
    jobId: null,
    nextCheckAt: null,
    checkFailure: { code: 'upstream_forbidden' },
  })
  // A refusal of one domain does not affect the next.
  expect(await started({ domain: 'b.example' })).toMatchObject({ state: 'accepted', jobId: 'x' })
  expect(upstream.starts).toHaveLength(2)
})

test('a start that gets a 429 is refused with the time to wait', async () => {
  const { started, upstream } = await staticExportsApp()
  upstream.onStart(() => ({ status: 429, headers: { 'retry-after': '37' }, body: { error: 'slow down' } }))
  const refused = await started()
  expect(refused.state).toBe('refused')
  expect(refused.reason).toContain('37 seconds')
  expect((await started({ domain: 'b.example' })).state).toBe('refused')
  expect(upstream.starts).toHaveLength(1)
})

test.for([
  ['refused', { status: 409, body: { error: 'Already running.', jobId: 'se_77' } }],
  ['unknown', { status: 202, headers: { location: '/v1/static-export/jobs/se_77' }, body: {} }],
] as const)(
  'the job that the service names instead of starting one can be tracked in a start that is %s, without a second start',
  async ([state, answer]) => {
    const { started, upstream, request, read, refused } = await staticExportsApp()
    upstream.onStart(() => answer)
    upstream.has('se_77', { status: 'running', progress: 40 })
    const { exportId, ...row } = await started()
    const attach = (id: string, jobId: string) => request('POST', `/${id}/attach`, { jobId })
    expect(row).toMatchObject({ state, jobId: null, checkFailure: { jobId: 'se_77' } })
    expect(upstream.reads).toEqual([])
    if (state === 'refused') expect(await refused(attach(exportId, 'se_78'))).toMatchObject({ status: 409 })
    expect((await attach(exportId, 'se_77')).status).toBe(200)
    expect(await read(exportId)).toMatchObject({
      state: 'accepted',
      jobId: 'se_77',
      progress: 40,
      reason: null,
      finishedAt: null,
      checkFailure: null,
    })
    expect(upstream.starts).toHaveLength(1)
    const again = await started({ confirmed: true })
    expect(await refused(attach(again.exportId, 'se_77'))).toMatchObject({ status: 409, exportId })
  },
)

test('a lost response leaves an unknown outcome that is never started again automatically', async () => {
  const { started, start, refused, upstream, clock, pass, read } = await staticExportsApp()
  upstream.onStart(() => 'reset')
  const lost = await started()
  expect(lost).toMatchObject({ state: 'unknown', jobId: null, nextCheckAt: null, finishedAt: null })
  clock.ms += 3_600_000
  await pass()
  expect(await read(lost.exportId)).toMatchObject({ state: 'unknown' })
  expect(upstream.starts).toHaveLength(1)
  expect(await refused(start())).toMatchObject({ status: 409, exportId: lost.exportId })
})

test.for([
  ['500', { status: 500, body: { error: 'Disk full' } }, /^The service reported an error \(500\)\. .*“Disk full”/],
  ['503', { status: 503, headers: { 'retry-after': '9' }, body: {} }, /^The service reported an error \(503\)\./],
  ['504', { status: 504, body: 'upstream' }, /^The service timed out \(504\)\./],
  ['301', { status: 301, headers: { location: 'https://x.example/' } }, /^The service returned a redirect \(301\)/],
  ['302', { status: 302, headers: { location: 'https://x.example/' } }, /^The service returned a redirect \(302\)/],
  ['303', { status: 303, headers: { location: 'https://x.example/' } }, /^The service returned a redirect \(303\)/],
  ['a web page', { body: '<html>Sign in</html>' }, /^Unusable response: it is a web page\./],
  ['204', { status: 204 }, /^Unusable response: it is empty\./],
  ['202 without a jobId', { status: 202, body: { id: 'j' } }, /^Unusable response: it has no usable jobId\./],
  ['a cut connection', 'reset', /^The connection broke before the response was complete\./],
] as const)(
  'the row of a start that ended in %s shows the reason, and warns that the export may be running',
  async ([, answer, reason]) => {
    const { started, upstream, ctx } = await staticExportsApp()
    upstream.onStart(() => answer)
    const row = await started()
    expect(row).toMatchObject({ state: 'unknown', jobId: null, finishedAt: null })
    expect(row.reason).toMatch(reason)
    expect(row.reason).toContain('The export may have started anyway.')
    expect(row.reason).not.toMatch(/no response|try again/i)
    const { value } = await openExportHistory(ctx, row.exportId).read()
    expect(value.events.find(({ kind }) => kind === 'answer_lost')?.to).toBe(row.reason)
  },
)

test.for([307, 308])(
  'a start redirected with %d was never carried out, so it is refused and the domain can be exported again',
  async (status) => {
    const { started, upstream } = await staticExportsApp()
    upstream.onStart((place) =>
      place === 1
        ? { status, headers: { location: 'https://elsewhere.example/' }, body: { message: 'Moved' } }
        : { body: { jobId: 'x' } },
    )
    const refused = await started()
    expect(refused).toMatchObject({ state: 'refused', jobId: null, nextCheckAt: null })
    expect(refused.reason).toMatch(new RegExp(`^The service returned a redirect \\(${status}\\).*ADMIN_API_URL`))
    expect((await started()).state).toBe('accepted')
  },
)

test.for([
  ['a port where nothing listens', 'http://127.0.0.1:1', /nothing listens there \(ECONNREFUSED\)/],
  ['a name that nobody has', 'https://docket-test.invalid', /its name (?:is unknown|could not be looked up)/],
  ['a server that speaks no TLS', null, /\([A-Z_]*(?:SSL|EPROTO|TLS)[A-Z_]*\)/],
] as const)('a start to %s was never sent, so it is refused', async ([, baseUrl, reason]) => {
  const { started, upstream } = await staticExportsApp({ baseUrl: (url) => baseUrl ?? url.replace('http:', 'https:') })
  const row = await started()
  expect(row).toMatchObject({ state: 'refused', jobId: null })
  expect(row.reason).toMatch(/^No connection: /)
  expect(row.reason).toMatch(reason)
  // The address comes last, where a cut takes it first.
  expect(row.reason).toMatch(/Address: https?:\/\/\S+\.$/)
  expect(upstream.starts).toEqual([])
})

test('starting again replaces the unknown export, once', async () => {
  const { started, start, refused, upstream, read } = await staticExportsApp()
  upstream.onStart((n) => (n === 1 ? 'reset' : { body: { jobId: `job-${n}` } }))
  const lost = await started()
  const [one, two] = await Promise.all([start({ replaces: lost.exportId }), start({ replaces: lost.exportId })])
  const [good, bad] = one.status === 201 ? [one, two] : [two, one]
  const { export: again } = StartedStaticExport.parse(await good.json())
  expect(await read(lost.exportId)).toMatchObject({ state: 'unknown', replacedBy: again.exportId })
  expect(await refused(bad)).toMatchObject({ status: 409, exportId: again.exportId })
  expect(upstream.starts).toHaveLength(2)
  expect(await refused(start({ domain: 'b.example', replaces: lost.exportId }))).toMatchObject({ field: 'replaces' })
  expect(await refused(start({ replaces: again.exportId, confirmed: true }))).toMatchObject({ status: 409 })
})

test.for([
  ['at once for one that is alone on its database', true],
  ['when its lease has run out beside others', false],
] as const)(
  'a process that dies before the answer leaves an unknown outcome, %s, and the start is never sent again',
  async ([, alone]) => {
    const { here, started, upstream, process, clock, list, checks } = await staticExportsApp({ alone })
    const release = upstream.holdNext()
    const requestId = randomUUID()
    const answer = started({ requestId })
    await upstream.asked(1)
    const next = process()
    expect((await list()).items[0]).toMatchObject({ state: 'starting' })
    expect((await checks())[0]).toMatchObject({ nextCheckAt: null })
    await next.pass()
    expect((await list()).items[0]?.state).toBe(alone ? 'unknown' : 'starting')
    clock.ms += 40_000
    await next.pass()
    expect((await list()).items[0]).toMatchObject({ state: 'unknown' })
    expect((await next.started({ requestId })).state).toBe('unknown')
    expect(upstream.starts).toHaveLength(1)
    // It was not dead after all: the answer it still gets is the truth.
    release()
    expect(await answer).toMatchObject({ state: 'accepted', jobId: 'job-1' })
    await here.watcher.stop()
    clock.ms += 1
  },
)

test('a start with an overdue answer becomes unknown, even in the process that sent it', async () => {
  const { started, upstream, clock, here, list } = await staticExportsApp()
  const release = upstream.holdNext()
  const answer = started()
  await upstream.asked(1)
  here.watcher.start()
  await expect.poll(async () => (await list()).items[0]?.state).toBe('starting')
  clock.ms += 61_000
  here.watcher.wake()
  await expect.poll(async () => (await list()).items[0]?.state).toBe('unknown')
  release()
  expect((await answer).state).toBe('accepted')
  await here.watcher.stop()
})

test('if a service returns the same job for two starts, the job has one row', async () => {
  const { started, upstream } = await staticExportsApp()
  upstream.onStart(() => ({ body: { jobId: 'same' } }))
  await started()
  const second = await started({ confirmed: true })
  expect(second).toMatchObject({ state: 'refused', jobId: null })
  expect(second.reason).toContain('same')
})
