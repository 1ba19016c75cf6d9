import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { access } from '#ground/http/access/access.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { signedIn } from '#testing/people.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { seedRecords } from '#testing/seed-records.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { crossSiteVectors, isCrossSiteRefusal } from './testing/cross-site-vectors.ts'

const app = await testApp({ publicUrl: new URL('https://docket.example.com'), logLevel: 'info' })
afterAll(app.close)

const statusUnder = async (host: string, path = '/api/status') => {
  const answer = await rawRequest(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${app.cookie}\r\nConnection: close\r\n\r\n`,
  )
  return Number(answer.split(' ')[1])
}

test.for(['127.0.0.1', 'localhost:5173', 'LOCALHOST', '[::1]:3000', 'docket.example.com', 'Docket.Example.com'])(
  'Docket accepts requests under its own name %s',
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
])('requests under the foreign name %s get neither data nor the page', async (host) => {
  expect(await statusUnder(host)).toBe(403)
  expect(await statusUnder(host, '/')).toBe(403)
})

test.for(['', '127.0.0.1@evil.example', 'local host', 'evil.example/127.0.0.1', 'localhost:3000:3000'])(
  'a request with the malformed host name %j is refused',
  async (host) => {
    expect(await statusUnder(host)).toBe(400)
  },
)

test('health checks answer under any host name, because probes call an address', async () => {
  expect(await statusUnder('10.1.2.3:3000', '/livez')).toBe(200)
  expect(await statusUnder('10.1.2.3:3000', '/readyz')).toBe(200)
})

const jobs = { jobs: [{ projectId: 'docs', id: 'job-1' }] }

test("requests of Docket's own page are accepted", async () => {
  expect((await app.post('/api/agent-jobs', jobs)).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { 'sec-fetch-site': undefined })).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { origin: undefined })).status).toBe(200)
  expect((await app.post('/api/agent-jobs', jobs, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
    200,
  )
})

test('the public address is accepted as an origin of Docket’s own pages', async () => {
  const response = await app.post('/api/agent-jobs', jobs, { origin: 'https://docket.example.com' })
  expect(response.status).toBe(200)
})

/**
 * Everything that a change could touch, as one sum. A read notes that somebody looks at a record, which is no change.
 */
const stateSum = async () => {
  const tables = ['users', 'sessions', 'api_tokens', 'one_time_links', 'static_exports', 'agent_jobs', 'agent_prompts']
  const row = `(to_jsonb(t) - 'viewed_until' - 'next_check_at')::text`
  const sums = tables.map((table) => `(select md5(string_agg(${row}, ',' order by ${row})) from ${table} t)`)
  const { rows } = await app.db.execute(sql.raw(`select jsonb_build_array(${sums.join()})::text as sum`))
  return rows[0]
}

/** Method and path of a route, with ids of nothing where `ids` gives none. */
const addressed = (route: string, ids: Readonly<Record<string, string>> = {}) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? randomUUID()))
  return { method, path }
}

// Git's route changes nothing and takes no cookie.
const unsafeRoutes = Object.keys(access).filter((route) => !/^GET | \/git\/|\/backchannel-logout$/.test(route))

/** Every way at each route with `SAMPLES`; otherwise a tenth of them, in turns over the routes. */
const step = process.env['SAMPLES'] === undefined ? 10 : 1
const waysAt = (route: string) => crossSiteVectors.filter((_, at) => at % step === unsafeRoutes.indexOf(route) % step)

test(`none of ${crossSiteVectors.length} kinds of cross-site request is accepted, in turns over ${unsafeRoutes.length} routes`, async () => {
  await seedRecords(app.db, { exports: 3, jobs: 3, now: Date.now() })
  const { userId, sessionId } = await signedIn(app.db, 'viewer')
  const { apiToken } = await makeToken(app)
  const [record] = await app.db.select().from(staticExports)
  const [job] = await app.db.select().from(agentJobs)
  const { projectId, id } = job!
  const ids = { userId, sessionId, projectId, id, exportId: record!.exportId, tokenId: apiToken.tokenId }
  const own = { origin: app.url, host: `127.0.0.1:${app.port}`, port: app.port }
  const send = async (method: string, path: string, headers: Record<string, string>, body: string) => {
    const lines = Object.entries({ host: own.host, cookie: app.cookie!, ...headers, 'content-length': body.length })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const connection = headers['upgrade'] === undefined ? 'close' : 'upgrade, close'
    const request = `${method} ${path} HTTP/1.1\r\n${head}connection: ${connection}\r\n\r\n${body}`
    const text = await rawRequest(app.port, request)
    return { status: Number(text.split(' ')[1]), text }
  }
  const before = await stateSum()
  const wrong: string[] = []
  for (const route of unsafeRoutes) {
    const { method, path } = addressed(route, ids)
    const json = JSON.stringify({ requestId: randomUUID(), domain: 'docs.example.com', name: 'x', scope: 'operate' })
    const tries = waysAt(route).map(async (vector) => {
      const requestMethod = vector.method ?? method
      const body = requestMethod === 'GET' ? '' : (vector.body?.(json) ?? json)
      const { status, text } = await send(requestMethod, path + (vector.query ?? ''), vector.headers(own), body)
      const isExpected = requestMethod === 'GET' ? [200, 400, 404].includes(status) : isCrossSiteRefusal(status, text)
      if (!isExpected || /^access-control-allow/im.test(text))
        wrong.push(`${route} by ${vector.name}: ${text.slice(0, 20)}`)
    })
    await Promise.all(tries)
  }
  expect(wrong).toEqual([])
  expect(await stateSum()).toEqual(before)
  // Docket's own page gets past that rule everywhere, or nothing above would mean anything.
  const endsSession = / \/api\/(?:session|account|auth)\b/
  let { cookie } = await signedIn(app.db, 'admin')
  for (const route of unsafeRoutes) {
    const { method, path } = addressed(route)
    const response = await app.send(method, path, {}, { cookie })
    expect([route, isCrossSiteRefusal(response.status, await response.text())]).toEqual([route, false])
    if (endsSession.test(route)) ({ cookie } = await signedIn(app.db, 'admin'))
  }
})

test('CORS never allows any origin to read responses', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const preflight = await fetch(`${app.url}/api/agent-jobs`, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(403)
  const read = await app.get('/api/status', { origin: 'https://evil.example' })
  for (const response of [preflight, read])
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})
