import { randomUUID } from 'node:crypto'
import { AgentJob, AgentJobList } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { MaintenancePreview } from '@docket/api-types/maintenance'
import { expect, onTestFinished, test } from 'vitest'
import { agentJobStandIn, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

const found = { summary: 'Two.', files: 1, occurrences: 2, examples: [], findings: 0, firstFindings: [], notes: [] }
const maintenance: NonNullable<TestAppOptions['maintenance']> = {
  describe: ({ action }) => `Do ${action}`,
  preview: async (projectId) => {
    if (projectId === 'gone') return { missing: true }
    return projectId === 'docs' ? { preview: found } : { refused: 'There is no folder “x”.' }
  },
}

const start = async (mode: 'local' | 'connected', local: TestAppOptions['local'] = null) => {
  const upstream = await agentJobStandIn()
  upstream.onPost(() => ({ status: 201, body: wireJob({ status: 'failed' }) }))
  const app = await testApp({ mode, maintenance, local, upstream: { url: upstream.url, key: 'test_key' } })
  onTestFinished(app.close)
  return { ...app, upstream }
}

const fix = { action: 'fix_links' } as const
const readError = async (response: Response) => {
  const { code, field } = ApiErrorBody.parse(await response.json())
  return [response.status, code, field]
}

test('a preview returns counts or a readable error, and is audited with its action', async () => {
  const { post, get } = await start('local')
  const preview = (projectId: string, order: object = fix) =>
    post('/api/maintenance/preview', { projectId, maintenance: order })
  expect(MaintenancePreview.parse(await (await preview('docs')).json())).toEqual(found)
  expect(await readError(await preview('blog'))).toEqual([409, 'conflict', undefined])
  expect(await readError(await preview('gone'))).toEqual([404, 'not_found', 'projectId'])
  const empty = { action: 'replace', find: '', replacement: '' }
  expect(await readError(await preview('docs', empty))).toEqual([400, 'invalid_request', 'maintenance.find'])
  const { items } = (await (await get('/api/audit')).json()) as { items: { action: string; details: object }[] }
  const previews = items.filter(({ action }) => action === 'maintenance.previewed')
  expect(previews.map(({ details }) => details)).toEqual([1, 2, 3].map(() => ({ maintenance: 'fix_links' })))
})

test('a maintenance order is sent once per request with its text, is not confused with another one, and can be retried', async () => {
  const { post, upstream } = await start('local')
  const requestId = randomUUID()
  const send = (order: object) => post('/api/agent-prompts', { requestId, projectId: 'docs', maintenance: order })
  const move = { action: 'move', from: 'a', to: 'b' }
  for (const answer of [await send(move), await send(move)])
    expect(SentAgentPrompt.parse(await answer.json()).prompt).toMatchObject({
      state: 'accepted',
      prompt: 'Do move',
      maintenance: move,
    })
  // Both are the same in these words.
  expect(await readError(await send({ ...move, to: 'c' }))).toEqual([400, 'invalid_request', 'requestId'])
  const sent = { path: '/v2/agent/docs/job', prompt: 'Do move', maintenance: move }
  expect(upstream.posts).toMatchObject([sent])
  expect((await post('/api/agent-jobs/docs/job_1/retry', { requestId: randomUUID() })).status).toBe(201)
  expect(upstream.posts).toMatchObject([sent, { ...sent, path: '/v2/agent/docs/job/job_1/message' }])
  const nothing = await post('/api/agent-prompts', { requestId: randomUUID(), projectId: 'docs' })
  expect(await readError(nothing)).toEqual([400, 'invalid_request', 'prompt'])
})

test('only the embedded service receives maintenance orders', async () => {
  const { post, upstream } = await start('connected')
  const body = { projectId: 'docs', maintenance: fix }
  expect(await readError(await post('/api/maintenance/preview', body))).toEqual([409, 'conflict', undefined])
  const sent = await post('/api/agent-prompts', { ...body, requestId: randomUUID() })
  expect(await readError(sent)).toEqual([409, 'conflict', undefined])
  expect(upstream.posts).toEqual([])
})

test('without an agent, a retry is offered only for maintenance orders', async () => {
  const { post, get } = await start('local', { domains: [], projectIds: ['docs'], agent: { configured: false } })
  const send = async (path: string, body: object) =>
    expect((await post(path, { requestId: randomUUID(), ...body })).status).toBe(201)
  const readRetries = async () => {
    const one = AgentJob.parse(await (await get('/api/agent-jobs/docs/job_1')).json())
    const { items } = AgentJobList.parse(await (await get('/api/agent-jobs')).json())
    return [one, ...items].map(({ actions }) => actions?.retry)
  }
  // As long as an agent was configured.
  await send('/api/agent-prompts', { projectId: 'docs', prompt: 'Rewrite it' })
  const reason = expect.stringContaining('No agent is configured') as string
  expect(await readRetries()).toEqual([reason, reason])
  const refused = await post('/api/agent-jobs/docs/job_1/retry', { requestId: randomUUID() })
  expect([refused.status, ApiErrorBody.parse(await refused.json()).message]).toEqual([409, reason])
  await send('/api/agent-prompts', { projectId: 'docs', maintenance: fix })
  expect(await readRetries()).toEqual([null, null])
})
