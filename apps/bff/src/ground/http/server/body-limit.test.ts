import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const chunked = (text: string) =>
  rawRequest(
    app.port,
    `POST /api/agent-jobs HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nOrigin: http://127.0.0.1:${app.port}\r\nX-Docket: 1\r\nCookie: ${app.cookie}\r\n` +
      'Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  )

test('a request without a body reaches its route', async () => {
  expect((await app.delete('/api/agent-jobs/docs/nobody')).status).toBe(404)
  expect((await app.post('/api/agent-jobs/docs/nobody/restore')).status).toBe(404)
})

test('a small body without a Content-Length is read like any other', async () => {
  expect(await chunked('{"jobs":[]}')).toMatch(/^HTTP\/1\.1 400 [^]*"field":"jobs"/)
})

test('a large body without a Content-Length is refused', async () => {
  expect(await chunked(`{"jobs":[],"x":"${'x'.repeat(70_000)}"}`)).toMatch(/^HTTP\/1\.1 413 [^]*"too_large"/)
})

test.each([
  ['a field twice', '{"jobs":[],"jobs":[{"projectId":"docs","id":"job-1"}]}'],
  ['a field of prototypes', '{"jobs":[],"__proto__":{"jobs":[{"projectId":"docs","id":"job-1"}]}}'],
  [
    'a field of prototypes far inside',
    '{"jobs":[{"projectId":"docs","id":"job-1","x":{"constructor":{"prototype":{}}}}]}',
  ],
  ['bytes that are no UTF-8', '{"jobs":[{"projectId":"docs","id":"\xc0\xaf"}]}'],
])('a body with %s is refused, however it is sent', async (_, body) => {
  const bytes = Buffer.from(body, 'latin1')
  const announced = await fetch(`${app.url}/api/agent-jobs`, {
    method: 'POST',
    headers: { origin: app.url, 'x-docket': '1', 'content-type': 'application/json', cookie: app.cookie ?? '' },
    body: bytes,
  })
  expect([announced.status, await announced.json()]).toMatchObject([400, { code: 'invalid_request' }])
  expect(await chunked(body)).toMatch(/^HTTP\/1\.1 400 /)
})

test('a query cannot set a prototype, and one with a repeated name is refused', async () => {
  const plain = await (await app.get('/api/agent-jobs')).text()
  for (const query of [
    '__proto__=x',
    '__proto__[x]=1',
    '__proto__.x=1',
    'constructor=x',
    'constructor[prototype][x]=1',
  ])
    expect(await (await app.get(`/api/agent-jobs?${query}&${query}`)).text()).toBe(plain)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>)['x']).toBe(undefined)
  expect((await app.get('/api/agent-jobs?cursor=a&cursor=b')).status).toBe(400)
})
