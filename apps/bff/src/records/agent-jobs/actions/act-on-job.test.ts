import { randomUUID } from 'node:crypto'
import { AgentJob, AgentJobLog } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { History } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { story, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const actionsApp = async () => {
  const app = await agentJobsApp({ embedded: true })
  const { upstream, post, get, db } = app
  const working = wireJob(story)
  upstream.has(working)
  upstream.onPost(() => ({ status: 201, body: working }))
  await app.create({ prompt: 'fix links\neverywhere' })
  return {
    ...app,
    act: async (action: string, body?: object) => {
      const response = await post(toPath(key, action), body)
      return response.ok ? response.json() : ApiErrorBody.parse(await response.json()).message
    },
    kinds: async () =>
      History.parse(await (await get(toPath(key, '/history'))).json()).events.map(({ kind, by }) => [kind, by]),
    audited: async () =>
      (await db.select().from(auditEvents).orderBy(auditEvents.auditId)).map(({ action, details }) => [
        action,
        details,
      ]),
  }
}

test('a working job is cancelled with one call, in history and audit, and needs no attention', async () => {
  const { upstream, act, kinds, audited, list } = await actionsApp()
  upstream.onPost(() => ({ body: wireJob({ ...story, status: 'failed', error: 'cancelled' }) }))
  expect(AgentJob.parse(await act('/cancel'))).toMatchObject({
    meaning: 'cancelled',
    needsAttention: false,
    actions: { cancel: 'This job is over.', retry: null, archive: null },
  })
  expect(await act('/cancel')).toBe('This job is over.')
  expect(upstream.posts.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
  expect((await list('?group=cancelled')).items).toHaveLength(1)
  expect((await kinds()).slice(1)).toEqual([
    ['cancel_requested', 'The admin'],
    ['cancelled', null],
  ])
  expect((await audited()).at(-1)).toEqual(['agent_job.cancelled', {}])
})

test('a cancellation that the service refuses or leaves unanswered keeps the job, reports the failure, and reads the job again', async () => {
  const { upstream, act, kinds, pass, read } = await actionsApp()
  upstream.onPost(() => ({ status: 409, body: { error: 'It has just finished' } }))
  expect(await act('/cancel')).toMatch(/The job is over.*“It has just finished”/)
  upstream.onPost(() => 'reset')
  expect(await act('/cancel')).toMatch(/may have been cancelled anyway/)
  expect((await kinds()).slice(1).map(([kind]) => kind)).toEqual([
    'cancel_requested',
    'action_failed',
    'cancel_requested',
    'action_failed',
  ])
  upstream.has(wireJob({ ...story, status: 'failed', error: 'cancelled' }))
  await pass()
  expect((await read()).meaning).toBe('cancelled')
})

test('a finished job is archived at the service', async () => {
  const { upstream, act, nextCheck } = await actionsApp()
  expect(await act('/archive')).toMatch(/isn’t over yet/)
  upstream.has(wireJob({ ...story, status: 'failed', error: 'Out of memory' }))
  await nextCheck()
  upstream.onPost(() => ({ body: wireJob({ ...story, status: 'archived' }) }))
  expect(AgentJob.parse(await act('/archive'))).toMatchObject({ meaning: 'archived', needsAttention: false })
})

test('a retry sends the latest prompt again, only once per request', async () => {
  const { upstream, act, nextCheck, kinds, audited, message } = await actionsApp()
  const requestId = randomUUID()
  expect(await act('/retry', { requestId })).toBe('This job isn’t over yet.')
  upstream.has(wireJob({ ...story, status: 'failed', error: 'Out of memory' }))
  await nextCheck()
  upstream.onPost(() => ({ status: 400, body: { error: 'Not understood' } }))
  await message({ prompt: 'refused, so not the one to repeat' })
  upstream.onPost(() => ({ body: wireJob(story) }))
  const first = SentAgentPrompt.parse(await act('/retry', { requestId }))
  expect(first).toMatchObject({
    prompt: { prompt: 'fix links\neverywhere', state: 'accepted' },
    job: { meaning: 'working' },
  })
  expect(SentAgentPrompt.parse(await act('/retry', { requestId })).prompt).toEqual(first.prompt)
  expect(upstream.posts.map(({ prompt }) => prompt).slice(2)).toEqual(['fix links\neverywhere'])
  expect((await kinds()).map(([kind]) => kind)).toContain('retried')
  expect((await audited()).at(-1)).toEqual(['agent_job.retried', { characters: 20 }])
})

test('the log of a job is read in parts, by anyone who may view the job', async () => {
  const { upstream, get, whole } = await actionsApp()
  const part = { text: 'reading\n', nextOffset: 48, isCut: false, ended: false }
  upstream.answersBelow('/log?offset=40', part)
  const log = await get(`${toPath(key, '/log')}?offset=40`)
  expect(AgentJobLog.parse(await log.json())).toEqual(part)
  upstream.answersBelow('/log?offset=48', { ...part, text: '[{,'.repeat(80_000), nextOffset: 240_048, ended: true })
  const long = AgentJobLog.parse(await (await whole.get(`${toPath(key, '/log')}?offset=48`)).json())
  expect([long.text.length, long.ended]).toEqual([240_000, true])
  expect((await get(`${toPath(key, '/log')}?offset=-1`)).status).toBe(400)
  expect((await get(toPath(key, '/changes'))).status).toBe(404)
})
