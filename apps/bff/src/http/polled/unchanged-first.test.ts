import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { sessions } from '#accounts/accounts.table.ts'
import { bumpRevision } from '#db/revision.ts'
import { signedIn } from '#testing/people.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

const path = '/api/static-exports?group=failed'

/** Every header of an answer but those that differ each time. */
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name)),
  )

/** Tag of the present page, which the server remembers from then on. */
const present = async () => (await app.get(path)).headers.get('etag') ?? ''

test('an unchanged poll is answered before the router as the router would answer it', async () => {
  const tag = await present()
  const first = await app.get(path, { 'if-none-match': tag })
  const wholeWay = await app.app.request(
    path,
    { headers: { 'if-none-match': tag, host: '127.0.0.1', cookie: app.cookie! } },
    { incoming: { socket: {}, headers: {} } },
  )
  expect([first.status, wholeWay.status]).toEqual([304, 304])
  expect(headersOf(first)).toEqual(headersOf(wholeWay))
  const id = first.headers.get('x-request-id') ?? ''
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  const line =
    app
      .logged()
      .split('\n')
      .find((logged) => logged.includes(id)) ?? ''
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/api/static-exports', status: 304, msg: 'answered' })
})

test('a change is seen by the very next poll', async () => {
  const tag = await present()
  await bumpRevision(app.db, 'static_exports')
  const answer = await app.get(path, { 'if-none-match': tag })
  expect(answer.headers.get('etag')).not.toBe(tag)
})

test('who was signed out is told so by the very next poll', async () => {
  const other = await signedIn(app.db, 'viewer')
  const poll = async () => (await app.get(path, { 'if-none-match': tag, cookie: other.cookie })).status
  const tag = await present()
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
    'a query that does not fit',
    (tag: string) => `GET ${path}&limit=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: ${tag}\r\n`,
    400,
  ],
  [
    'a body over the limit',
    (tag: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: ${tag}\r\nContent-Length: 70000\r\n`,
    413,
  ],
] as const)('a poll with %s is refused, whatever it holds', async ([, request, status]) => {
  const tag = await present()
  const answer = await rawRequest(app.port, `${request(tag)}Cookie: ${app.cookie}\r\nConnection: close\r\n\r\n`)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
