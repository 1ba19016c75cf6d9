import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { AuditList } from '@docket/api-types/audit'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import { agentJobsApp, key } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { makeToken } from '#testing/tokens.ts'

const secret = 'replace the codename Bluebird with Falcon'

/** A Docket that asked for a job and heard nothing. */
const lostApp = async () => {
  const app = await agentJobsApp()
  app.upstream.onPost((_, place) => (place === 1 ? 'reset' : { status: 201, body: wireJob({ id: `job_${place}` }) }))
  const { prompt } = await app.create({ prompt: secret })
  const refusal = async (response: Promise<Response>) => ApiErrorBody.parse(await (await response).json())
  const audited = async () => {
    const { items } = AuditList.parse(await (await app.get('/api/audit')).json())
    return items.filter(({ action }) => action.startsWith('agent_job.')).toReversed()
  }
  return { ...app, prompt, requestId: prompt.requestId, refusal, audited }
}

test('a lost response leaves an open request that is never sent again automatically', async () => {
  const { upstream, prompt, requestId, create, pass, clock, openPrompts, list } = await lostApp()
  expect(prompt).toMatchObject({ state: 'unknown', jobId: null, code: 'upstream_unavailable', prompt: secret })
  expect(prompt.reason).toMatch(/^The connection broke .* The job may have been created anyway\./)
  for (let round = 0; round < 3; round += 1) {
    clock.ms += 3_600_000
    await pass()
  }
  expect((await create({ requestId, prompt: secret })).prompt.state).toBe('unknown')
  expect(upstream.posts).toHaveLength(1)
  expect((await openPrompts()).map((open) => open.requestId)).toEqual([requestId])
  expect((await list()).counts.all).toBe(0)
})

test('a request records the answer it got, and a redirect that preserves the method proves that nothing was created', async () => {
  const { upstream, create } = await agentJobsApp()
  upstream.onPost((_, place) =>
    place === 1
      ? { status: 500, body: { error: 'Out of workers' } }
      : { status: place === 2 ? 302 : 307, headers: { location: 'https://elsewhere.example/' }, body: {} },
  )
  const failed = (await create()).prompt
  expect(failed).toMatchObject({ state: 'unknown' })
  expect(failed.reason).toMatch(/^The service reported an error \(500\)\. The service says: “Out of workers”/)
  const redirected = (await create()).prompt
  expect(redirected).toMatchObject({ state: 'unknown' })
  expect(redirected.reason).toContain('redirect (302)')
  const passedOn = (await create()).prompt
  expect(passedOn).toMatchObject({ state: 'refused' })
  expect(passedOn.reason).toContain('redirect (307)')
})

test('a job ID that a user enters is read and followed, and keeps the prompt', async () => {
  const { upstream, requestId, decide, openPrompts, listPrompts, read, audited } = await lostApp()
  upstream.has(wireJob())
  const { prompt, job } = await decide(requestId, 'attach', { id: 'job_1' })
  expect(prompt).toMatchObject({ state: 'accepted', jobId: 'job_1', reason: null, code: null })
  expect(job?.meaning).toBe('working')
  expect(await openPrompts()).toEqual([])
  expect((await listPrompts()).map((row) => row.prompt)).toEqual([secret])
  expect((await read()).status).toBe('active')
  expect((await audited()).map(({ action, target }) => [action, target?.name])).toEqual([
    ['agent_job.requested', 'docs'],
    ['agent_job.followed', 'docs/job_1'],
    ['agent_job.attached', 'docs/job_1'],
  ])
})

test('a job ID that is unknown to the service, or that another request created, cannot be attached', async () => {
  const { requestId, create, post, refusal, openPrompts } = await lostApp()
  await create()
  const path = `/api/agent-prompts/${requestId}/attach`
  expect((await refusal(post(path, { id: 'job_9' }))).code).toBe('upstream_not_found')
  expect(await refusal(post(path, { id: 'job_2' }))).toMatchObject({ code: 'conflict', field: 'id' })
  expect(await openPrompts()).toHaveLength(1)
})

test('asking again replaces the lost request once, even if two people do it', async () => {
  const { upstream, requestId, post, openPrompts, refusal } = await lostApp()
  const again = () =>
    post('/api/agent-prompts', { requestId: randomUUID(), projectId: 'docs', prompt: secret, replaces: requestId })
  const statuses = await Promise.all([again(), again(), again()].map(async (response) => (await response).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  expect(upstream.posts).toHaveLength(2)
  expect(await openPrompts()).toEqual([])
  expect((await refusal(post(`/api/agent-prompts/${requestId}/attach`, { id: 'job_1' }))).code).toBe('conflict')
})

test('if asking again is refused, the lost request becomes open again and keeps its prompt', async () => {
  const { upstream, requestId, create, openPrompts } = await lostApp()
  upstream.onPost(() => ({ status: 429, body: { error: 'Too many jobs' } }))
  expect((await create({ prompt: secret, replaces: requestId })).prompt.state).toBe('refused')
  expect(await openPrompts()).toMatchObject([{ requestId, replacedBy: null, prompt: secret }])
})

test('a forgotten request is hidden from the list until it is restored', async () => {
  const { requestId, remove, decide, openPrompts, audited } = await lostApp()
  for (let click = 0; click < 2; click += 1) expect((await remove(`/api/agent-prompts/${requestId}`)).status).toBe(204)
  expect(await openPrompts()).toEqual([])
  expect((await decide(requestId, 'restore')).prompt.state).toBe('unknown')
  expect(await openPrompts()).toHaveLength(1)
  expect((await audited()).map(({ action }) => action)).toEqual([
    'agent_job.requested',
    'agent_job.request_forgotten',
    'agent_job.request_restored',
  ])
})

test('a request with a known outcome cannot be attached, forgotten or repeated', async () => {
  const { upstream, create, post, remove, refusal } = await lostApp()
  const { prompt } = await create()
  const path = `/api/agent-prompts/${prompt.requestId}`
  expect((await refusal(post(`${path}/attach`, { id: 'job_1' }))).code).toBe('conflict')
  expect((await refusal(remove(path))).code).toBe('conflict')
  const again = { requestId: randomUUID(), projectId: 'docs', prompt: secret, replaces: prompt.requestId }
  expect((await refusal(post('/api/agent-prompts', again))).code).toBe('conflict')
  expect(upstream.posts).toHaveLength(2)
})

test('if Docket is killed during a call, the next process reports the outcome as unknown', async () => {
  const { db, process, upstream } = await agentJobsApp({ alone: true })
  const row = { kind: 'creation', projectId: 'docs', prompt: 'fix typos', state: 'sending', sentBy: 'Ada' } as const
  const requestId = randomUUID()
  const at = new Date('2026-05-01T09:59:59.000Z')
  const lease = { leaseOwner: 'gone/prompt', leaseUntil: new Date('2026-05-01T10:00:20.000Z') }
  await db.insert(agentPrompts).values({ ...row, requestId, sentAt: at, ...lease })
  const next = await process()
  await next.pass()
  expect(await next.openPrompts()).toMatchObject([{ requestId, state: 'unknown', code: null }])
  expect(upstream.calls).toEqual([])
})

test('with other replicas a call counts as lost only after its deadline, and an answer that still arrives is recorded', async () => {
  const { upstream, create, process, clock, openPrompts, list } = await agentJobsApp()
  upstream.onPost(() => ({ status: 201, body: wireJob() }))
  const release = upstream.holdNext()
  const request = create()
  await upstream.asked(1)
  const other = await process()
  await other.pass()
  expect(await other.openPrompts()).toMatchObject([{ state: 'sending' }])
  clock.ms += 60_000
  expect(await other.openPrompts()).toMatchObject([{ state: 'unknown' }])
  release()
  expect((await request).prompt).toMatchObject({ state: 'accepted', jobId: 'job_1' })
  expect(await openPrompts()).toEqual([])
  expect((await list()).items.map(({ id }) => id)).toEqual(['job_1'])
})

test('the text of a prompt is in no audit, history or log, even if the database fails', async () => {
  const { upstream, create, message, whole, get, post, db } = await lostApp()
  await create({ prompt: secret })
  upstream.onPost(() => ({ body: wireJob({ id: 'job_2' }) }))
  await message({ prompt: secret }, { ...key, id: 'job_2' })
  const events = await Promise.all(
    ['/api/audit', '/api/agent-jobs/docs/job_2/history'].map(async (path) => (await get(path)).text()),
  )
  expect(events.join('')).toContain('41')
  await db.execute(sql`alter table agent_prompts add constraint nothing_more check (false) not valid`)
  const request = { requestId: randomUUID(), projectId: 'docs', prompt: secret }
  expect((await post('/api/agent-prompts', request)).status).toBe(500)
  expect(whole.logged()).toMatch(/while running: insert into .*agent_prompts/)
  expect(`${events.join('')}${whole.logged()}`).not.toMatch(/Bluebird|Falcon/)
})

test('a token restricted to projects can create jobs and decide about requests in those projects only', async () => {
  const { whole, get, post, remove, requestId, upstream, openPrompts } = await lostApp()
  const inside = (await makeToken(whole, { projectIds: ['docs'] })).bearer
  const outside = (await makeToken(whole, { projectIds: ['blog'] })).bearer
  const request = () => ({ requestId: randomUUID(), projectId: 'docs', prompt: 'fix typos' })
  expect((await post('/api/agent-prompts', request(), outside)).status).toBe(403)
  upstream.has(wireJob())
  const path = `/api/agent-prompts/${requestId}`
  expect((await post(`${path}/attach`, { id: 'job_1' }, outside)).status).toBe(404)
  expect((await remove(path, outside)).status).toBe(404)
  expect((await openPrompts()).map((open) => open.requestId)).toEqual([requestId])
  expect(await (await get('/api/agent-prompts', outside)).json()).toEqual({ prompts: [] })
  expect((await post('/api/agent-prompts', request(), inside)).status).toBe(201)
  expect((await get('/api/agent-jobs/docs/job_2/prompts', outside)).status).toBe(404)
  expect((await get('/api/agent-jobs/docs/job_2/prompts', inside)).status).toBe(200)
  expect(upstream.posts).toHaveLength(2)
})
