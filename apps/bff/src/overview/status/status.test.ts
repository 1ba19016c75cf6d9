import { ApiErrorBody } from '@docket/api-types/api-error'
import { Status } from '@docket/api-types/status'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

test('the status names the origin of the Admin API, whose state is unknown at first', async () => {
  const response = await app.get('/api/status')
  const status = Status.parse(await response.json())
  expect(response.status).toBe(200)
  expect(status.connection).toEqual({
    state: 'unknown',
    origin: 'http://127.0.0.1:1',
    message: null,
    since: null,
    lastOkAt: null,
  })
  expect(status.active).toEqual({ staticExports: 0, agentJobs: 0 })
})

test('an unknown address under /api gets a JSON 404 that names the request', async () => {
  const response = await app.get('/api/nothing-here')
  const body = ApiErrorBody.parse(await response.json())
  expect(response.status).toBe(404)
  expect(body.code).toBe('not_found')
  expect(response.headers.get('x-request-id')).toBe(body.requestId)
})

test('a call that cannot reach the Admin API is shown in the status with a remedy', async () => {
  await app.post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id: 'job-1' }] })
  const status = Status.parse(await (await app.get('/api/status')).json())
  expect(status.connection.state).toBe('unreachable')
  expect(status.connection.message).toMatch(/127\.0\.0\.1/)
})
