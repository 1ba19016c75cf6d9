import { ApiErrorBody } from '@docket/api-types/api-error'
import { afterAll, expect, test } from 'vitest'
import { securityHeaderValues } from '#ground/http/security-headers.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

const post = (path: string, headers = '', body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\nX-Docket: 1\r\nCookie: ${app.cookie}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`
const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nConnection: close\r\nCookie: ${app.cookie}\r\n${headers}\r\n`

test.for([
  ['200', get('/api/status')],
  ['200', get('/livez')],
  ['200', get('/api/agent-jobs').replace('GET', 'HEAD')],
  ['304', get('/api/agent-jobs', 'If-None-Match: {etag}\r\n')],
  ['400', post('/api/agent-jobs', 'Content-Length: 1\r\n', '{')],
  ['400', get('/').replace('127.0.0.1', 'x@evil.example')],
  ['400', get('/%ff%', 'Host: two\r\n')],
  ['401', get('/api/status').replace(/Cookie: [^\r]+\r\n/, '')],
  ['405', get('/').replace('GET', 'TRACE')],
  ['400', 'NONSENSE\r\n\r\n'],
  ['403', get('/').replace('127.0.0.1', 'evil.example')],
  ['404', get('/api/nothing')],
  ['404', get('/assets/gone.js')],
  ['404', post('/nothing', 'Content-Length: 2\r\n', '{}')],
  ['413', post('/api/agent-jobs', 'Content-Length: 70000\r\n', 'x'.repeat(70_000))],
  ['431', get('/', `X-Long: ${'x'.repeat(20_000)}\r\n`)],
] as const)('a response with status %s has every security header', async ([status, request]) => {
  const { headers } = await app.get('/api/agent-jobs')
  const answer = await rawRequest(app.port, request.replace('{etag}', headers.get('etag') ?? ''))
  const head = answer.split('\r\n\r\n')[0] ?? ''
  expect(head.split(' ')[1]).toBe(status)
  for (const [name, value] of Object.entries({ ...securityHeaderValues, 'Cache-Control': 'no-store' }))
    expect(head.toLowerCase()).toContain(`\r\n${name}: ${value}`.toLowerCase())
})

test('a body that is not JSON is an invalid request', async () => {
  const response = await app.post('/api/agent-jobs', '{"jobs":')
  expect(response.status).toBe(400)
  expect(ApiErrorBody.parse(await response.json()).code).toBe('invalid_request')
})

test('the error for an invalid body names the field at fault', async () => {
  const response = await app.post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id: '..' }] })
  const body = ApiErrorBody.parse(await response.json())
  expect([response.status, body.code, body.field]).toEqual([400, 'invalid_request', 'jobs.0.id'])
})

test('a body over 64 KiB is refused, even without a Content-Length', async () => {
  const large = JSON.stringify({ jobs: [], padding: 'x'.repeat(70_000) })
  const announced = await app.post('/api/agent-jobs', large)
  expect(ApiErrorBody.parse(await announced.json()).code).toBe('too_large')
  const chunks = [large.slice(0, 40_000), large.slice(40_000)].map(
    (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
  )
  const streamed = await rawRequest(
    app.port,
    post('/api/agent-jobs', 'Transfer-Encoding: chunked\r\n', `${chunks.join('')}0\r\n\r\n`),
  )
  expect(streamed).toMatch(/^HTTP\/1\.1 413 /)
  expect(streamed).toContain('"too_large"')
})

test('a request ID chosen by the caller is ignored', async () => {
  const response = await app.get('/api/nothing', { 'x-request-id': 'mine' })
  const body = ApiErrorBody.parse(await response.json())
  expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/)
})

// Last, because one of them signs out.
const routes = [...new Set(app.app.routes.map(({ method, path }) => `${method} ${path}`))].filter(
  (route) => !route.startsWith('ALL ') && route !== 'GET *',
)

test('there are routes to sample', () => {
  expect(routes.length).toBeGreaterThan(25)
})

test.for(routes)('%s answers every caller with all security headers and no-store', async (route) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replaceAll(/:\w+/g, () => crypto.randomUUID())
  const own = { origin: app.url, 'x-docket': '1', 'content-type': 'application/json' }
  for (const cookie of [undefined, app.cookie]) {
    const init = method === 'GET' ? {} : { body: '{}' }
    const headers = cookie === undefined ? own : { ...own, cookie }
    const response = await fetch(app.url + path, { method, headers, redirect: 'manual', ...init })
    // Pages may frame previews.
    const frames = path.startsWith('/api/') ? '' : `; frame-src ${app.url}/preview/`
    const found = Object.keys(securityHeaderValues).map((name) => [
      name,
      response.headers.get(name)?.replace(frames, ''),
    ])
    expect(Object.fromEntries(found)).toEqual(securityHeaderValues)
    expect(response.headers.get('cache-control')).toMatch(/^(private, )?no-(store|cache)/)
    expect(response.status).not.toBe(500)
    await response.arrayBuffer()
  }
})
