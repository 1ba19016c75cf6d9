import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { sessions } from '#people/accounts/accounts.table.ts'
import { signedIn } from '#testing/people.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

const path = '/api/static-exports?group=failed'
const readTag = async () => (await app.get(path)).headers.get('etag') ?? ''

/** Every header but those that differ each time. */
const stableHeaders = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name)),
  )

test('an unchanged poll gets the same headers and log line as from the router', async () => {
  const tag = await readTag()
  const first = await app.get(path, { 'if-none-match': tag })
  const routed = await app.app.request(
    path,
    { headers: { 'if-none-match': tag, host: '127.0.0.1', cookie: app.cookie! } },
    { incoming: { socket: {}, headers: {} } },
  )
  expect([first.status, routed.status]).toEqual([304, 304])
  expect(stableHeaders(first)).toEqual(stableHeaders(routed))
  const id = first.headers.get('x-request-id') ?? ''
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  const line =
    app
      .logged()
      .split('\n')
      .find((logged) => logged.includes(id)) ?? ''
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/api/static-exports', status: 304, msg: 'answered' })
})

test('after a sign-out, the very next poll of a cached page is refused', async () => {
  const other = await signedIn(app.db, 'viewer')
  const tag = await readTag()
  const poll = async () => (await app.get(path, { 'if-none-match': tag, cookie: other.cookie })).status
  expect(await poll()).toBe(304)
  await app.db.delete(sessions).where(eq(sessions.id, other.sessionId))
  expect(await poll()).toBe(401)
})

test.for([
  ['a foreign name', (tag: string) => `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nIf-None-Match: ${tag}\r\n`, 403],
  [
    'two names',
    (tag: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nIf-None-Match: ${tag}\r\n`,
    400,
  ],
  [
    'an invalid query',
    (tag: string) => `GET ${path}&limit=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: ${tag}\r\n`,
    400,
  ],
  [
    'a body over the limit',
    (tag: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: ${tag}\r\nContent-Length: 70000\r\n`,
    413,
  ],
] as const)('a poll with %s is refused, whatever entity tag it sends', async ([, request, status]) => {
  const answer = await rawRequest(
    app.port,
    `${request(await readTag())}Cookie: ${app.cookie}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
