import { AgentJob } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { checkJob } from '#records/agent-jobs/agent-jobs.watcher.ts'
import { getJob } from '#records/agent-jobs/read-jobs.ts'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { testActor } from '#testing/people.ts'

test('a followed job shows all nine contract fields, when it was followed and when it is read next', async () => {
  const { upstream, follow, read } = await agentJobsApp()
  upstream.has(
    wireJob({
      status: 'archived',
      prLink: 'https://github.com/acme/docs/pull/12',
      archivedAt: '2026-05-01T11:59:00+02:00',
    }),
  )
  const [result] = await follow(key)
  expect(result).toMatchObject({ key, already: false, failure: null })
  expect(result?.job).toEqual({
    connectionId: testConnectionId,
    projectId: 'docs',
    id: 'job_1',
    status: 'archived',
    meaning: 'archived',
    source: {
      repository: {
        text: 'https://github.com/acme/docs',
        href: 'https://github.com/acme/docs',
        host: 'github.com',
        label: 'acme/docs',
      },
      ref: 'main',
    },
    model: 'sonnet-1',
    prLink: {
      text: 'https://github.com/acme/docs/pull/12',
      href: 'https://github.com/acme/docs/pull/12',
      host: 'github.com',
      label: 'acme/docs#12',
    },
    title: 'Agent job of acme/docs',
    askedBy: null,
    queuePosition: null,
    startedAt: null,
    summary: null,
    diffStat: null,
    pullRequest: {
      number: 12,
      title: null,
      state: null,
      knownFrom: null,
      checkedAt: null,
      checks: null,
      mergeable: null,
      problem: null,
    },
    usage: null,
    wasSeenRunning: false,
    actions: {
      cancel: 'This service has no way to cancel a job.',
      retry: 'This job is archived.',
      archive: 'This service has no way to archive a job.',
    },
    error: null,
    report: null,
    hasLog: false,
    createdAt: '2026-05-01T09:58:00.000Z',
    archivedAt: '2026-05-01T09:59:00.000Z',
    followedAt: '2026-05-01T10:00:00.000Z',
    finishedAt: '2026-05-01T10:00:00.000Z',
    goneAt: null,
    needsAttention: false,
    note: null,
    usual: null,
    checkedAt: '2026-05-01T10:00:00.000Z',
    nextCheckAt: '2026-05-01T10:01:00.000Z',
    checkFailure: null,
  })
  expect(await read()).toEqual(result?.job)
})

test('a job whose only field is a status can be followed, and every other field is null', async () => {
  const { upstream, follow } = await agentJobsApp()
  for (const body of [
    { status: 'active' },
    { status: 'active', source: null, model: null, prLink: null, createdAt: null, archivedAt: null },
    { status: 'active', source: 'x', model: 7, prLink: {}, createdAt: 'yesterday', archivedAt: [] },
  ]) {
    const id = `job_${upstream.calls.length}`
    upstream.has(body, { id })
    const [result] = await follow({ projectId: 'docs', id })
    expect(result?.job).toMatchObject({
      meaning: 'working',
      source: { repository: null, ref: null },
      model: null,
      prLink: null,
      createdAt: null,
      archivedAt: null,
      finishedAt: null,
    })
  }
})

test('of several requested jobs, each is followed or gets its own error, in the order of the request', async () => {
  const { upstream, follow, list } = await agentJobsApp()
  upstream.has(wireJob(), { id: 'a' })
  upstream.has(wireJob(), { id: 'b' })
  upstream.answers({ status: 200, body: { model: 'no status' } }, { id: 'odd' })
  const toKey = (id: string) => ({ projectId: 'docs', id })
  await follow(toKey('b'))
  const results = await follow(toKey('a'), toKey('missing'), toKey('odd'), toKey('b'), toKey('a'))
  expect(results.map(({ key: { id }, job, already, failure }) => [id, job?.id, already, failure?.code])).toEqual([
    ['a', 'a', false, undefined],
    ['missing', undefined, false, 'upstream_not_found'],
    ['odd', undefined, false, 'upstream_unexpected'],
    ['b', 'b', true, undefined],
    ['a', 'a', true, undefined],
  ])
  expect(results[1]?.failure?.message).toBe('There is no such job. Check the project and the ID.')
  expect(upstream.calls).toHaveLength(4)
  expect((await list()).items.map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
})

test('several jobs followed in one request are listed in the order of the request', async () => {
  const { upstream, follow, list } = await agentJobsApp()
  const jobs = ['z', 'm', 'a'].map((id) => ({ projectId: 'docs', id }))
  for (const { id } of jobs) upstream.has(wireJob(), { id })
  await follow(...jobs)
  expect((await list()).items.map(({ id }) => id)).toEqual(['z', 'm', 'a'])
})

test('a project and a job id with any characters survive every URL unchanged', async () => {
  const { upstream, follow, read, post, remove } = await agentJobsApp()
  for (const [projectId, id] of [
    ['a/b', 'job/1?x=1#y'],
    ['100%', '%2e%2e'],
    ['%41', 'a%2Fb'],
    ['проект', '工作 1'],
    ['a+b&c', '...'],
  ] as const) {
    upstream.has(wireJob(), { projectId, id })
    expect((await follow({ projectId, id }))[0]?.job).toMatchObject({ projectId, id })
    expect(await read({ projectId, id })).toMatchObject({ projectId, id })
    const checked = await post(toPath({ projectId, id }, '/check'))
    expect(AgentJob.parse(await checked.json())).toMatchObject({ projectId, id })
    expect([id, (await remove(toPath({ projectId, id }))).status]).toEqual([id, 204])
    expect([id, (await post(toPath({ projectId, id }, '/restore'))).status]).toEqual([id, 200])
  }
})

test('an unsafe pull-request link is shown as text without an href', async () => {
  const { upstream, follow } = await agentJobsApp()
  for (const [id, prLink, text] of [
    ['script', 'javascript:alert(1)', 'javascript:alert(1)'],
    ['http', 'http://github.com/a/b/pull/1', 'http://github.com/a/b/pull/1'],
    ['user', 'https://user@evil.test/', 'https://[removed]@evil.test/'],
    ['lookalike', 'https://gіthub.com/a/b', 'https://gіthub.com/a/b'],
  ] as const) {
    upstream.has(completedJob({ prLink, source: { repository: prLink, ref: null } }), { id })
    const [result] = await follow({ projectId: 'docs', id })
    expect(result?.job).toMatchObject({
      id,
      meaning: 'pull_request_ready',
      prLink: { text, href: null, host: null, label: null },
      source: { repository: { text, href: null } },
    })
  }
})

test('a loopback http link becomes a link only for the embedded service', async () => {
  for (const embedded of [true, false]) {
    const { upstream, follow } = await agentJobsApp({ embedded })
    upstream.has(completedJob({ prLink: 'http://127.0.0.1:4000/acme/docs/pull/1' }))
    const [result] = await follow(key)
    expect(result?.job?.prLink?.href).toBe(embedded ? 'http://127.0.0.1:4000/acme/docs/pull/1' : null)
  }
})

test('every route of a job returns 404 if the job is not followed', async () => {
  const { upstream, get, post, remove } = await agentJobsApp()
  upstream.has(wireJob())
  const responses = [
    await get(toPath(key)),
    await remove(toPath(key)),
    await post(toPath(key, '/restore')),
    await post(toPath(key, '/check')),
  ]
  for (const response of responses) {
    expect(response.status).toBe(404)
    expect(ApiErrorBody.parse(await response.json()).code).toBe('not_found')
  }
  expect(upstream.calls).toEqual([])
})

test('a removed job is neither listed nor polled, and undo restores it without calling the service', async () => {
  const { upstream, clock, follow, list, pass, read, get, post, remove } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  const before = await read()
  expect((await remove(toPath(key))).status).toBe(204)
  expect((await remove(toPath(key))).status).toBe(204)
  expect(await list()).toMatchObject({ items: [], nextCursor: null, counts: { all: 0, active: 0 } })
  expect((await get(toPath(key))).status).toBe(404)
  clock.ms += 3_600_000
  await pass()
  const restored = AgentJob.parse(await (await post(toPath(key, '/restore'))).json())
  expect(restored).toEqual({ ...before, nextCheckAt: restored.nextCheckAt })
  expect(restored.nextCheckAt).not.toBeNull()
  expect(upstream.calls).toHaveLength(1)
  expect((await list()).counts).toMatchObject({ all: 1, active: 1 })
})

test('a removed job can be followed again', async () => {
  const { upstream, clock, follow, remove } = await agentJobsApp()
  upstream.has(completedJob())
  await follow(key)
  await remove(toPath(key))
  clock.ms += 3_600_000
  const [result] = await follow(key)
  expect(result).toMatchObject({
    already: false,
    job: { followedAt: '2026-05-01T11:00:00.000Z', meaning: 'finishing' },
  })
})

test('a follow request with a late answer does not overwrite what another request read in the meantime', async () => {
  const { upstream, clock, follow, process } = await agentJobsApp()
  upstream.has(wireJob())
  const release = upstream.holdNext()
  const late = (await process()).follow(key)
  await upstream.asked(1)
  upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/12' }))
  const [first] = await follow(key)
  clock.ms += 1000
  release()
  expect(await late).toEqual([{ ...first, already: true }])
})

test('pages have no gaps or repetitions, even for jobs followed in the same millisecond', async () => {
  const { upstream, clock, follow, list } = await agentJobsApp()
  const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}${'ü/'.repeat(120)}`)
  for (const id of ids) {
    upstream.has(wireJob(), { projectId: 'p'.repeat(256), id })
    await follow({ projectId: 'p'.repeat(256), id })
  }
  clock.ms += 1
  upstream.has(completedJob())
  await follow(key)
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(page.counts).toMatchObject({ all: 6, active: 5 })
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(paged).toEqual(['job_1', ...ids])
})

test('a cursor that no page returned is rejected', async () => {
  const { get } = await agentJobsApp()
  const response = await get('/api/agent-jobs?cursor=nonsense')
  expect(response.status).toBe(400)
  expect(ApiErrorBody.parse(await response.json())).toMatchObject({ code: 'invalid_request', field: 'cursor' })
})

test('an unchanged list returns 304 without a body, and after any change it returns 200', async () => {
  const { upstream, follow, clock, pass, get, post, remove } = await agentJobsApp()
  const readTag = async () => (await get('/api/agent-jobs')).headers.get('etag') ?? ''
  const status = async (tag: string) => (await get('/api/agent-jobs', { 'if-none-match': tag })).status
  upstream.has(wireJob())
  const changes = [
    () => follow(key),
    () => (upstream.has(wireJob({ model: 'other' })), post(toPath(key, '/check'))),
    () => (upstream.has(completedJob()), (clock.ms += 60_000), pass()),
    () => remove(toPath(key)),
    () => post(toPath(key, '/restore')),
  ]
  for (const change of changes) {
    const tag = await readTag()
    const again = await get('/api/agent-jobs', { 'if-none-match': `W/${tag}, "other"` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
    await change()
    expect(await status(tag)).toBe(200)
  }
})

test('a check that finds no change updates only the check times, and the list still returns 304', async () => {
  const { upstream, follow, clock, pass, get, post, checks } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  const tag = (await get('/api/agent-jobs')).headers.get('etag') ?? ''
  for (const check of [() => post(toPath(key, '/check')), pass]) {
    clock.ms += 60_000
    await check()
    expect((await get('/api/agent-jobs', { 'if-none-match': tag })).status).toBe(304)
    expect(await checks()).toMatchObject([{ ...key, checkedAt: new Date(clock.ms).toISOString(), failedAt: null }])
  }
  upstream.answers({ status: 500, body: { error: 'broken' } })
  const failed = []
  for (let tries = 0; tries < 2; tries += 1) {
    clock.ms += 60_000
    await post(toPath(key, '/check'))
    expect((await checks())[0]?.failedAt).toBe(new Date(clock.ms).toISOString())
    failed.push((await get('/api/agent-jobs')).headers.get('etag'))
  }
  // The first failure is news; that it was tried again is not.
  expect(failed).toEqual([failed[0], failed[0]])
  expect(failed[0]).not.toBe(tag)
})

test('the list does not return 304 once a job leaves "finishing", even if no page is open', async () => {
  const { upstream, follow, clock, list, get } = await agentJobsApp()
  upstream.has(completedJob())
  await follow(key)
  const tag = (await get('/api/agent-jobs')).headers.get('etag') ?? ''
  const status = async () => (await get('/api/agent-jobs', { 'if-none-match': tag })).status
  clock.ms += 60 * 60_000 - 1
  expect(await status()).toBe(304)
  clock.ms += 1
  expect(await status()).toBe(200)
  expect((await list()).items[0]?.meaning).toBe('no_pull_request')
})

test('Check now reads the job once, however many requests arrive at the same time', async () => {
  const { upstream, follow, whole } = await agentJobsApp()
  const { records } = whole.services
  upstream.has(wireJob())
  await follow(key)
  upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/12' }))
  const release = upstream.holdNext()
  // Past HTTP, because nothing tells from outside when all ten requests have arrived.
  const clicks = Array.from({ length: 10 }, () => checkJob(records, key, testActor()))
  await upstream.asked(2)
  // The database answers in turn, so all clicks have found their job then.
  await Promise.all(Array.from({ length: 10 }, () => getJob(records, key)))
  release()
  for (const job of await Promise.all(clicks)) expect(job.meaning).toBe('pull_request_ready')
  expect(upstream.calls).toHaveLength(2)
})

test('a failed Check now returns the last good data together with the reason', async () => {
  const { upstream, follow, post } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.answers({ status: 500, body: { error: 'broken' } })
  const response = await post(toPath(key, '/check'))
  expect(response.status).toBe(200)
  expect(AgentJob.parse(await response.json())).toMatchObject({
    model: 'sonnet-1',
    checkedAt: '2026-05-01T10:00:00.000Z',
    checkFailure: { code: 'upstream_unavailable' },
  })
})

test('during a pause requested by the service, Check now and follow return an error without calling the service', async () => {
  const { upstream, clock, follow, post } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.always({ status: 429, headers: { 'retry-after': '30' }, body: { error: 'Slow down' } })
  await post(toPath(key, '/check'))
  upstream.always(null)
  clock.ms += 10_000
  const refused = await post(toPath(key, '/check'))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '20'])
  expect(ApiErrorBody.parse(await refused.json()).code).toBe('upstream_rate_limited')
  const [result] = await follow({ projectId: 'docs', id: 'job_2' })
  expect(result?.failure?.code).toBe('upstream_rate_limited')
  expect(upstream.calls).toHaveLength(2)
  clock.ms += 20_000
  expect((await post(toPath(key, '/check'))).status).toBe(200)
})

test.each([{ jobs: [] }, { jobs: [{ projectId: 'docs', id: '..' }] }, { jobs: [{ projectId: '', id: 'x' }] }, {}])(
  'the request %j is rejected before the service is called',
  async (body) => {
    const { upstream, post } = await agentJobsApp()
    expect((await post('/api/agent-jobs', body)).status).toBe(400)
    expect(upstream.calls).toEqual([])
  },
)
