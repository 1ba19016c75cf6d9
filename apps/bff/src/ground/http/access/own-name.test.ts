import { Handover, Session } from '@docket/api-types/session'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sessions } from '#people/accounts/accounts.table.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'

let later = 0
const ownName = 'docket-0123456789ab.localhost'
const app = await testApp({ ownName, now: () => Date.now() + later })
afterAll(app.close)
const byNumber = `127.0.0.1:${app.port}`

type Sent = { host?: string; cookie?: string; origin?: string; body?: object }

const send = async (method: string, path: string, { host = byNumber, cookie, origin, body }: Sent = {}) => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`]),
    ...(method === 'GET' ? [] : ['X-Docket: 1', 'Content-Type: application/json', `Content-Length: ${text.length}`]),
  ]
  if (method !== 'GET' && origin === undefined) headers.push(`Origin: http://${host}`)
  const answer = await rawRequest(app.port, `${headers.join('\r\n')}\r\n\r\n${text}`)
  const [head = '', rest = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(answer.split(' ')[1]), head, json: /\{.*\}/s.exec(rest)?.[0] ?? '' }
}
const readSession = async (request: Sent) =>
  Session.parse(JSON.parse((await send('GET', '/api/session', request)).json))
const handOver = async (request: Sent) => {
  const { json, head } = await send('POST', '/api/account/sessions/handover', request)
  return { ...Handover.parse(JSON.parse(json)), head }
}
const cookieIn = (head: string) => /^set-cookie: (docket_[0-9a-f]+=[^;]+);/im.exec(head)?.[1] ?? ''

test.for([
  [ownName, 200],
  [`${ownName}:3000`, 200],
  [ownName.toUpperCase(), 200],
  ['docket-ba9876543210.localhost', 404],
  ['docket.localhost', 404],
  [`x.${ownName}`, 403],
  [`${ownName}.evil.example`, 403],
] as const)('under the name %s Docket answers with %i', async ([host, status]) => {
  expect((await send('GET', '/api/status', { host, cookie: app.cookie! })).status).toBe(status)
})

test('only a page on the same port of 127.0.0.1 or localhost may check whether it reaches Docket’s own name', async () => {
  const allowed = async (origin: string, host = `${ownName}:${app.port}`) =>
    /^access-control-allow-origin: (.*)$/im.exec((await send('GET', '/here', { host, origin })).head)?.[1]
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(await allowed(`http://${name}:${app.port}`)).toBe(`http://${name}:${app.port}`)
    expect(await allowed(`http://${name}:${app.port + 1}`)).toBeUndefined()
    expect(await allowed(`http://${name}:${app.port}`, byNumber)).toBeUndefined()
  }
  for (const origin of ['null', 'https://evil.example', `http://docket.localhost:${app.port}`])
    expect(await allowed(origin)).toBeUndefined()
})

test('under 127.0.0.1, Docket’s own name is revealed to signed-in people, but not to tokens or signed-out callers', async () => {
  const { cookie } = await signedIn(app.db, 'viewer')
  expect((await readSession({ cookie })).ownAddress).toBe(`http://${ownName}:${app.port}`)
  expect((await readSession({ cookie, host: `${ownName}:1` })).ownAddress).toBeNull()
  expect((await readSession({})).ownAddress).toBeNull()
  const created = await app.post('/api/tokens', { name: 'CI', scope: 'read', expiresInDays: 1 })
  const { token } = z.object({ token: z.string() }).parse(await created.json())
  const asToken = await app.get('/api/session', { cookie: undefined, authorization: `Bearer ${token}` })
  expect(JSON.stringify([...asToken.headers]) + (await asToken.text())).not.toContain(ownName)
})

test('the policy of a page under 127.0.0.1 allows names of this computer on its port, without revealing Docket’s own name', async () => {
  const policyAt = async (host: string) =>
    /connect-src ([^;]*)/i.exec((await send('GET', '/api/session', { host })).head)?.[1]
  expect(await policyAt(byNumber)).toBe(`'self' http://*.localhost:${app.port}`)
  expect(await policyAt('localhost')).toBe("'self' http://*.localhost")
  expect(await policyAt(`${ownName}:${app.port}`)).toBe("'self'")
})

test('a session handed over continues only under Docket’s own name, once, with its old limits', async () => {
  const { cookie, sessionId } = await signedIn(app.db, 'operator')
  const { handover, head } = await handOver({ cookie })
  expect(head).toMatch(/^set-cookie: docket_[0-9a-f]+=; Max-Age=0/im)
  expect(head).toMatch(/^set-cookie: docket_[0-9a-f]+-device=; Max-Age=0/im)
  expect((await readSession({ cookie })).person).toBeNull()
  const there = { host: `${ownName}:${app.port}`, body: { handover } }
  const all = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/api/session', there)))
  const [done, ...more] = all.filter(({ status }) => status === 204)
  expect([done?.status, more]).toEqual([204, []])
  expect(all.filter(({ status }) => status === 401)).toHaveLength(7)
  const goesOn = { host: there.host, cookie: cookieIn(done!.head) }
  expect((await readSession(goesOn)).person?.role).toBe('operator')
  const sessions = z
    .object({ items: z.array(z.object({ sessionId: z.string() })) })
    .parse(JSON.parse((await send('GET', '/api/account/sessions', goesOn)).json))
  expect(sessions.items.map((one) => one.sessionId)).toEqual([sessionId])
})

test('a handover token cannot be used as a session, and expires after a minute', async () => {
  const { cookie, token, sessionId } = await signedIn(app.db, 'operator')
  const { handover } = await handOver({ cookie })
  const name = cookie.split('=')[0]!
  expect((await readSession({ cookie: `${name}=${handover}` })).person).toBeNull()
  expect((await send('POST', '/api/session', { body: { handover: `9999999999999-${token}` } })).status).toBe(401)
  // The end of the session is part of the token.
  const longer = handover.replace(/^\d+/, '9999999999999')
  expect((await send('POST', '/api/session', { body: { handover: longer } })).status).toBe(401)
  later = 61_000
  expect((await send('POST', '/api/session', { body: { handover } })).status).toBe(401)
  const [row] = await app.db.select().from(sessions).where(eq(sessions.id, sessionId))
  expect(row!.expiresAt.getTime()).toBeLessThan(Date.now() + later)
  later = 0
})

test('no session is handed over from Docket’s own name', async () => {
  const { cookie } = await signedIn(app.db, 'operator')
  const there = { host: `${ownName}:${app.port}`, cookie }
  expect((await send('POST', '/api/account/sessions/handover', there)).status).toBe(409)
  expect((await readSession(there)).person).not.toBeNull()
})

test('a handover that is answered 503 leaves the session unchanged', async () => {
  const hasty = await testApp({ ownName, database: { db: app.db, url: '' }, databaseWaitMs: 300 })
  onTestFinished(hasty.close)
  const { cookie, sessionId } = await signedIn(app.db, 'operator')
  const holder = await app.db.$client.connect()
  await holder.query('begin')
  await holder.query('select 1 from sessions where id = $1 for update', [sessionId])
  const answer = await hasty.send('POST', '/api/account/sessions/handover', undefined, { cookie })
  expect(answer.status).toBe(503)
  await holder.query('commit')
  holder.release()
  // Whatever of it is still on its way in the database ends before this.
  await expect
    .poll(async () => (await app.db.execute(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)).rows)
    .toEqual([])
  expect((await readSession({ cookie })).person).not.toBeNull()
})
