import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { History } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, wireJob, type PromptAnswer } from '#records/agent-jobs/testing/stand-in.ts'

/** A job that was followed to its pull request. */
const finishedApp = async () => {
  const app = await agentJobsApp()
  app.upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/1' }))
  await app.follow(key)
  const history = async () => History.parse(await (await app.get(toPath(key, '/history'))).json()).events
  return { ...app, kinds: async () => (await history()).map(({ kind }) => kind), history }
}

test('a follow-up makes a finished job active again, and the job is polled until it ends again', async () => {
  const { upstream, message, nextCheck, listPrompts, history } = await finishedApp()
  upstream.onPost(() => ({ body: wireJob({ prLink: 'https://github.com/acme/docs/pull/1' }) }))
  const { prompt, job } = await message({ prompt: 'also format' })
  expect(prompt).toMatchObject({ kind: 'message', state: 'accepted', jobId: 'job_1' })
  expect(job).toMatchObject({ meaning: 'working', finishedAt: null })
  expect(upstream.posts).toEqual([{ path: '/v2/agent/docs/job/job_1/message', prompt: 'also format' }])
  upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/1' }))
  expect((await nextCheck()).meaning).toBe('pull_request_ready')
  expect((await listPrompts()).map((prompt) => prompt.prompt)).toEqual(['also format'])
  expect((await history()).slice(1).map(({ kind, by, to }) => [kind, by, to])).toEqual([
    ['message_sent', 'The admin', '11'],
    ['active_again', null, 'active'],
    ['completed', null, null],
    ['pull_request_reported', null, 'https://github.com/acme/docs/pull/1'],
  ])
})

test('a job that the service resumes shortly after the follow-up is read soon', async () => {
  const { upstream, message, nextCheck } = await finishedApp()
  upstream.onPost(() => ({ body: completedJob() }))
  const { job } = await message()
  expect(job?.nextCheckAt).toBe('2026-05-01T10:00:05.000Z')
  upstream.has(wireJob())
  expect((await nextCheck()).meaning).toBe('working')
})

test('a read that began before the follow-up cannot overwrite the changes made by the follow-up', async () => {
  const { upstream, message, post, read } = await finishedApp()
  const release = upstream.holdNext()
  const calls = upstream.calls.length
  const late = post(toPath(key, '/check'))
  await upstream.asked(calls + 1)
  upstream.onPost(() => ({ body: wireJob() }))
  expect((await message()).job?.meaning).toBe('working')
  release()
  await late
  expect((await read()).meaning).toBe('working')
})

test('the same follow-up reaches the service once, even if it is repeated at once and in another process', async () => {
  const { upstream, message, process, kinds } = await finishedApp()
  upstream.onPost(() => ({ body: wireJob() }))
  const requestId = randomUUID()
  const other = await process()
  await Promise.all([...Array.from({ length: 8 }, () => message({ requestId })), other.message({ requestId })])
  expect(upstream.posts).toHaveLength(1)
  expect((await kinds()).filter((kind) => kind === 'message_sent')).toHaveLength(1)
})

const refusals: [PromptAnswer, RegExp][] = [
  [{ status: 400, body: { error: `Too ${'long '.repeat(200)}` } }, /^Too (long ?){200}$/],
  [{ status: 404, body: { error: 'Not found' } }, /doesn’t accept follow-ups, or no longer finds/],
  [{ status: 405 }, /doesn’t accept follow-ups/],
  [{ status: 409, body: { error: 'The job is archived' } }, /may be archived.*“The job is archived”/],
  [{ status: 429, headers: { 'retry-after': '60' }, body: { error: 'Slow down' } }, /wait 60 seconds/],
]

test('after a refused follow-up the reason is shown and the job is read', async () => {
  const { upstream, message, pass, kinds, read } = await finishedApp()
  for (const [answer, reason] of refusals) {
    upstream.onPost(() => answer)
    const { prompt, job } = await message()
    expect([answer, prompt]).toMatchObject([answer, { state: 'refused', jobId: 'job_1' }])
    expect(prompt.reason).toMatch(reason)
    expect(job?.meaning).toBe('pull_request_ready')
    const reads = upstream.calls.length
    await pass()
    expect(upstream.calls.length).toBe(reads + 1)
  }
  expect((await kinds()).slice(1, 5)).toEqual(['message_sent', 'refused', 'message_sent', 'refused'])
  upstream.onPost(() => ({ status: 429 }))
  await message()
  upstream.has(wireJob({ status: 'archived' }))
  await pass()
  expect((await read()).meaning).toBe('archived')
})

test('after a lost answer the outcome of a follow-up is unknown, the job is read, and the follow-up is never sent again', async () => {
  const { upstream, message, pass, kinds, listPrompts, read } = await finishedApp()
  upstream.onPost(() => 'reset')
  const requestId = randomUUID()
  expect((await message({ requestId })).prompt).toMatchObject({ state: 'unknown', code: 'upstream_unavailable' })
  upstream.has(wireJob())
  await pass()
  expect((await read()).meaning).toBe('working')
  expect((await message({ requestId })).prompt.state).toBe('unknown')
  expect(upstream.posts).toHaveLength(1)
  expect((await listPrompts())[0]?.reason).toMatch(/The message may have arrived anyway/)
  expect(await kinds()).toContain('answer_lost')
})

test('a follow-up to a job that is not followed is rejected', async () => {
  const { upstream, post } = await agentJobsApp()
  const response = await post(toPath(key, '/messages'), { requestId: randomUUID(), prompt: 'format' })
  expect([response.status, ApiErrorBody.parse(await response.json()).code]).toEqual([404, 'not_found'])
  expect(upstream.calls).toEqual([])
})
