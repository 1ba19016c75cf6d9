import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { expect, test } from 'vitest'
import { agentJobsApp } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob, type PromptAnswer } from '#records/agent-jobs/testing/stand-in.ts'

const created = (id: string): PromptAnswer => ({ status: 201, body: wireJob({ id }) })
const refusedBy = async (response: Promise<Response>) => {
  const { status, headers } = await response
  return { status, wait: headers.get('retry-after'), ...ApiErrorBody.parse(await (await response).json()) }
}

test('a created job is followed at once, with its prompt, and polled', async () => {
  const { upstream, create, list, listPrompts, nextCheck, openPrompts } = await agentJobsApp()
  upstream.onPost(() => created('job_1'))
  const { prompt, job } = await create({ prompt: '  fix typos\r\n\tin the guide  ' })
  expect(prompt).toMatchObject({ state: 'accepted', jobId: 'job_1', sentBy: 'The admin', reason: null })
  expect(job).toMatchObject({ projectId: 'docs', id: 'job_1', meaning: 'working', model: 'sonnet-1' })
  expect(upstream.posts).toEqual([{ path: '/v2/agent/docs/job', prompt: 'fix typos\n\tin the guide' }])
  expect((await list()).items.map(({ id }) => id)).toEqual(['job_1'])
  expect((await listPrompts()).map((prompt) => prompt.prompt)).toEqual(['fix typos\n\tin the guide'])
  expect(await openPrompts()).toEqual([])
  upstream.has(wireJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/1' }))
  expect((await nextCheck()).meaning).toBe('pull_request_ready')
})

test('the embedded service receives the identity of the caller, and the audit has no e-mail address', async () => {
  const { upstream, create, message, whole } = await agentJobsApp({ embedded: true })
  upstream.onPost(() => created('job_1'))
  await create()
  await message()
  const requestedBy = { name: 'The admin', email: expect.stringContaining('@') as string }
  expect(upstream.posts).toEqual([
    { path: '/v2/agent/docs/job', prompt: 'fix typos', requestedBy },
    { path: '/v2/agent/docs/job/job_1/message', prompt: 'format', requestedBy },
  ])
  const audit = await (await whole.get('/api/audit')).text()
  expect(audit).toContain('agent_job.requested')
  expect(audit).not.toContain('@')
})

test('if a service returns only the id of a created job, the other fields are read from it', async () => {
  const { upstream, create, pass, read } = await agentJobsApp()
  upstream.onPost(() => ({ status: 201, body: { id: 'job_1' } }))
  upstream.has(wireJob())
  expect((await create()).job).toMatchObject({ id: 'job_1', status: null })
  await pass()
  expect(await read()).toMatchObject({ meaning: 'working', model: 'sonnet-1' })
})

test('the same request creates one job, even if it is repeated at once, later or in another process', async () => {
  const { upstream, create, process } = await agentJobsApp()
  upstream.onPost((_, place) => created(`job_${place}`))
  const requestId = randomUUID()
  const other = await process()
  const prompt = [...Array.from({ length: 8 }, () => create({ requestId })), other.create({ requestId })]
  const answers = [...(await Promise.all(prompt)), await create({ requestId })]
  expect(new Set(answers.map(({ prompt }) => `${prompt.state} ${prompt.jobId}`))).toEqual(new Set(['accepted job_1']))
  expect(upstream.posts).toHaveLength(1)
})

test('a repeated request with another prompt or project is rejected, and nothing is sent', async () => {
  const { upstream, create, post } = await agentJobsApp()
  upstream.onPost(() => created('job_1'))
  const requestId = randomUUID()
  await create({ requestId })
  for (const other of [{ prompt: 'format' }, { projectId: 'blog' }]) {
    const body = { requestId, projectId: 'docs', prompt: 'fix typos', ...other }
    expect(await refusedBy(post('/api/agent-prompts', body))).toMatchObject({ status: 400, field: 'requestId' })
  }
  expect(upstream.posts).toHaveLength(1)
})

test('an invalid prompt is rejected with the name of the field before anything is written', async () => {
  const { upstream, post, openPrompts } = await agentJobsApp()
  for (const [wrong, field] of [
    [{ prompt: ' \n\t ' }, 'prompt'],
    [{ prompt: 'x'.repeat(10_001) }, 'prompt'],
    [{ prompt: 'fix\u0007 typos' }, 'prompt'],
    [{ prompt: 'fix \ud800' }, 'prompt'],
    [{ projectId: '..' }, 'projectId'],
  ] as const) {
    const body = { requestId: randomUUID(), projectId: 'docs', prompt: 'fix typos', ...wrong }
    expect(await refusedBy(post('/api/agent-prompts', body))).toMatchObject({ status: 400, field })
  }
  expect(upstream.calls).toEqual([])
  expect(await openPrompts()).toEqual([])
})

test('the longest prompt and characters of every Unicode plane reach the service unchanged', async () => {
  const { upstream, create } = await agentJobsApp()
  upstream.onPost(() => created('job_1'))
  const prompt = `${'\u{1f600}"\\\u2028'.repeat(1_999)}x`
  expect((await create({ prompt })).prompt.state).toBe('accepted')
  expect(upstream.posts[0]?.prompt).toBe(prompt)
})

const refusals: [PromptAnswer, RegExp, string][] = [
  [{ status: 400, body: { error: 'No recipe.' } }, /^No recipe\.$/, 'upstream_refused'],
  [{ status: 401, body: { error: 'Invalid key' } }, /ADMIN_API_KEY.*“Invalid key”/, 'upstream_key_rejected'],
  [{ status: 403, body: { error: 'Read-only key' } }, /read-only.*“Read-only key”/, 'upstream_forbidden'],
  [{ status: 404, body: { error: 'Not found' } }, /doesn’t create agent jobs, or has/, 'upstream_refused'],
  // Services need not have this operation, so a web page here is no sign of a wrong address.
  [
    { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Cannot POST</h1>' },
    /doesn’t/,
    'upstream_refused',
  ],
  [{ status: 405 }, /doesn’t create agent jobs \(405\)/, 'upstream_refused'],
]

test('a prompt that the service refuses creates no job, shows the reason, and does not block the next prompt', async () => {
  const { upstream, create, list, openPrompts } = await agentJobsApp()
  upstream.onPost((_, place) => refusals[place - 1]?.[0] ?? created('job_9'))
  for (const [answer, reason, code] of refusals) {
    const { prompt, job } = await create()
    expect([answer, prompt]).toMatchObject([answer, { state: 'refused', code, jobId: null }])
    expect(prompt.reason).toMatch(reason)
    expect(job).toBeNull()
  }
  expect((await list()).items).toEqual([])
  expect(await openPrompts()).toEqual([])
  expect((await create()).prompt.state).toBe('accepted')
})

test('a 429 pauses prompts for as long as the service asks, and reads of jobs continue', async () => {
  const { upstream, create, clock, follow, nextCheck, get } = await agentJobsApp()
  upstream.has(wireJob())
  await follow({ projectId: 'docs', id: 'job_1' })
  upstream.onPost((_, place) =>
    place === 1
      ? { status: 429, headers: { 'retry-after': '600' }, body: { error: 'Too many jobs' } }
      : created('job_2'),
  )
  const first = await create()
  expect(first.prompt).toMatchObject({ state: 'refused', code: 'upstream_rate_limited' })
  expect(first.prompt.reason).toMatch(/asked Docket to wait 10 minutes/)
  expect((await create()).prompt).toMatchObject({ state: 'refused', code: 'upstream_rate_limited' })
  expect(upstream.posts).toHaveLength(1)
  const reads = upstream.calls.length
  expect(await nextCheck()).toMatchObject({ checkFailure: null })
  expect(upstream.calls.length).toBe(reads + 1)
  expect(await (await get('/api/status')).json()).toMatchObject({ watching: { heldBack: null } })
  clock.ms += 600_000
  expect((await create()).prompt.state).toBe('accepted')
})

test('with a spent budget a prompt is rejected before anything is written, and the error states how long to wait', async () => {
  const { upstream, post, openPrompts } = await agentJobsApp({ callsPerHour: 20 })
  upstream.onPost((_, place) => created(`job_${place}`))
  const request = () => ({ requestId: randomUUID(), projectId: 'docs', prompt: 'fix typos' })
  let last = await post('/api/agent-prompts', request())
  while (last.status === 201) last = await post('/api/agent-prompts', request())
  expect(await refusedBy(Promise.resolve(last))).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(upstream.posts.length).toBeLessThanOrEqual(20)
  expect(await openPrompts()).toEqual([])
})

test('without the permission of the operator no job is created or prompted, and the status explains why', async () => {
  const { upstream, post, get, follow } = await agentJobsApp({ agentJobCreation: false })
  upstream.has(wireJob({ status: 'completed' }))
  await follow({ projectId: 'docs', id: 'job_1' })
  const calls = upstream.calls.length
  const body = { requestId: randomUUID(), prompt: 'fix typos' }
  const refused = { status: 403, code: 'forbidden' }
  expect(await refusedBy(post('/api/agent-prompts', { ...body, projectId: 'docs' }))).toMatchObject(refused)
  expect(await refusedBy(post('/api/agent-jobs/docs/job_1/messages', body))).toMatchObject(refused)
  expect(upstream.calls.length).toBe(calls)
  expect(await (await get('/api/status')).json()).toMatchObject({ agentJobCreation: false })
})
