import { ApiErrorBody } from '@docket/api-types/api-error'
import { afterAll, expect, test } from 'vitest'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp({ publicUrl: new URL('https://docket.example.com') })
afterAll(app.close)

const statusUnder = async (host: string, path = '/api/status') => {
  const answer = await rawRequest(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${app.cookie}\r\nConnection: close\r\n\r\n`,
  )
  return Number(answer.split(' ')[1])
}

test.for(['127.0.0.1', 'localhost:5173', 'LOCALHOST', '[::1]:3000', 'docket.example.com', 'Docket.Example.com'])(
  'Docket answers under its own name %s',
  async (host) => {
    expect(await statusUnder(host)).toBe(200)
  },
)

test.for([
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.example:3000',
  'docket.localhost',
  'docket.example.com:444',
  'docket.example.com.evil.example',
  '192.168.0.1',
  '0.0.0.0',
  '[::2]',
])('the foreign name %s gets nothing, whether it asks for data or the page', async (host) => {
  expect(await statusUnder(host)).toBe(403)
  expect(await statusUnder(host, '/')).toBe(403)
})

test.for(['', '127.0.0.1@evil.example', 'local host', 'evil.example/127.0.0.1', 'localhost:3000:3000'])(
  'the malformed name %j is refused as a request',
  async (host) => {
    expect(await statusUnder(host)).toBe(400)
  },
)

test('health checks answer under any name, because a probe calls an address', async () => {
  expect(await statusUnder('10.1.2.3:3000', '/livez')).toBe(200)
  expect(await statusUnder('10.1.2.3:3000', '/readyz')).toBe(200)
})

const jobs = { jobs: [{ projectId: 'docs', id: 'job-1' }] }

test("what Docket's own page sends is let through", async () => {
  expect((await app.post('/api/agent-jobs', jobs)).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { 'sec-fetch-site': undefined })).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { origin: undefined })).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
    200,
  )
})

test('the public address is an origin of its own pages', async () => {
  const response = await app.post('/api/agent-jobs', jobs, { origin: 'https://docket.example.com' })
  expect(response.status).toBe(200)
})

test.for([
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['a foreign origin whose browser is lied about', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:5000' }],
  ['the same name over https', { origin: 'https://127.0.0.1:3000' }],
  ['an opaque origin', { origin: 'null' }],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
  ['a foreign page', { 'sec-fetch-site': 'cross-site' }],
  ['a typed address', { 'sec-fetch-site': 'none', origin: undefined }],
  ['nobody in particular', { origin: undefined, 'sec-fetch-site': undefined }],
  ['a page without the header', { 'x-docket': undefined }],
  ['a page with another value of the header', { 'x-docket': 'yes' }],
] as const)('a change asked for by %s is refused', async ([, headers]) => {
  for (const response of [
    await app.post('/api/agent-jobs', jobs, headers),
    await app.post('/api/agent-jobs/docs/job-1/check', undefined, headers),
    await app.delete('/api/agent-jobs/docs/job-1', headers),
  ]) {
    expect(response.status).toBe(403)
    expect(ApiErrorBody.parse(await response.json()).code).toBe('forbidden')
  }
})

test.for([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'text/json',
])('a body of the type %s, which a form could send, is refused', async (type) => {
  const response = await app.post('/api/agent-jobs', jobs, { 'content-type': type })
  expect(response.status).toBe(400)
})

test('no origin is ever allowed to read by CORS', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const preflight = await fetch(`${app.url}/api/agent-jobs`, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(403)
  const read = await app.get('/api/status', { origin: 'https://evil.example' })
  for (const response of [preflight, read])
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})
