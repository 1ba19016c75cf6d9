import { ApiErrorBody } from '@docket/api-types/api-error'
import { afterAll, expect, test } from 'vitest'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())

const start = (more: object) => ({ requestId: crypto.randomUUID(), domain: 'docs.example.com', ...more })
const cursor = (place: unknown) => `?cursor=${Buffer.from(JSON.stringify(place)).toString('base64url')}`
const uuid = '7d7f2f4e-55c5-4f4b-9f2f-0b9bb1a5c111'

test.each([
  ['a version with a NUL', '/api/static-exports', start({ version: 'a\0b' })],
  ['a version that is half a character', '/api/static-exports', start({ version: 'a\ud800' })],
  ['a path with a NUL', '/api/static-exports', start({ paths: ['/a\0b'] })],
  ['a path that is half a character', '/api/static-exports', start({ paths: ['/\udc00'] })],
  ['a path on two lines', '/api/static-exports', start({ paths: ['/a\n/b'] })],
  ['a domain with a NUL', '/api/static-exports', start({ domain: 'a\0.example' })],
  ['an id that is half a character', '/api/static-exports/import', { jobId: '\ud800', domain: 'docs.example.com' }],
  ['a project that is half a character', '/api/agent-jobs', { jobs: [{ projectId: '\ud800', id: 'x' }] }],
  ['a prototype instead of fields', '/api/static-exports', '{"__proto__":{"requestId":"x","domain":"a.example"}}'],
  ['JSON nested thousandfold', '/api/static-exports', '['.repeat(30_000)],
  ['a list that is only called one', '/api/agent-jobs', { jobs: { length: 99_999_999 } }],
])('%s is the fault of the request, not of Docket', async (_, path, body) => {
  const response = await app.post(path, body)
  expect(response.status).toBe(400)
  expect(ApiErrorBody.parse(await response.json()).code).toBe('invalid_request')
})

test.each([
  [[9e15, ['a', 'b']]],
  [[8.64e15, ['a', 'b']]],
  [[-8e15, ['a', 'b']]],
  [[1e300, ['a', 'b']]],
  [[1, ['\0', 'b']]],
  [[1, ['\ud800', 'b']]],
  [[1, ['a']]],
  [[1, [uuid, 'b', 'c']]],
  [[1, ['not a uuid']]],
  [[1, 'a', 'b']],
  [null],
  ['x'],
])('the forged cursor %j is no page of any list', async (place) => {
  const lists = ['/api/agent-jobs', '/api/static-exports']
  for (const response of await Promise.all(lists.map((list) => app.get(list + cursor(place)))))
    expect([response.status, ApiErrorBody.parse(await response.json()).field]).toEqual([400, 'cursor'])
})

test('a request that breaks off inside its body is no error of Docket', async () => {
  const head = [
    'POST /api/agent-jobs HTTP/1.1',
    `Host: 127.0.0.1:${app.port}`,
    `Origin: ${app.url}`,
    'X-Docket: 1',
    `Cookie: ${app.cookie}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  await rawRequest(app.port, `${head.join('\r\n')}\r\n\r\n5\r\n{"job\r\nno chunk`)
  // Nobody reads an answer, so only the log can tell.
  await expect.poll(() => app.logged().includes('"message":"aborted"')).toBe(true)
  expect(app.logged().includes('"level":"error"')).toBe(false)
})
