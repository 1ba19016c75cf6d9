import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, withPassword } from '#people/accounts/testing/browser.ts'
import { access } from '#ground/http/access/access.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { countingAdminApi } from '#testing/counting-admin-api.ts'
import { hangingDatabase } from '#testing/hanging-database.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

/** Below the limit of a single query, so that a request without a deadline fails the test. */
const patienceMs = 120_000

let database: Awaited<ReturnType<typeof hangingDatabase>>
let upstream: Awaited<ReturnType<typeof countingAdminApi>>
let app: TestApp
/** A shorter deadline, for tests in which the database hangs many times. */
let hasty: TestApp
beforeAll(async () => {
  database = await hangingDatabase()
  upstream = await countingAdminApi()
  const options = {
    database: { db: database.db, url: '' },
    upstream: { url: upstream.url, key: 'test_key_0123456789' },
  }
  app = await testApp({ ...options, databaseWaitMs: 1_000 })
  hasty = await testApp({ ...options, databaseWaitMs: 200 })
  await withPassword(database.db, 'ada@example.com')
})
afterAll(async () => {
  database.wake()
  await Promise.all([app.close(), hasty.close()])
  await upstream.close()
  await database.close()
})

type Ask = { route: string; body?: unknown; headers?: Record<string, string | undefined> }

const ask = async ({ get, send }: TestApp, { route, body, headers = {} }: Ask) => {
  const [method = '', path = ''] = route.split(' ')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${route}`)), patienceMs)
  })
  const answer = method === 'GET' ? get(path, headers) : send(method, path, body, headers)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

const works = ({ get }: TestApp) =>
  expect.poll(async () => (await get('/api/status')).status, { interval: 20 }).toBe(200)

const nobody = { cookie: undefined }
const id = '00000000-0000-4000-8000-000000000000'
const signIn: Ask = {
  route: 'POST /api/auth/sign-in/password',
  body: { email: 'ada@example.com', password: goodPassword },
  headers: nobody,
}
const list = 'GET /api/static-exports'
const requests: Ask[] = [
  ...Object.keys(access)
    .filter((route) => !['GET /livez', 'GET /here'].includes(route) && !route.includes(' /git/'))
    .map((route) => ({ route: route.replaceAll(/:\w*[iI]d\b/g, id), body: {} })),
  signIn,
  { route: 'POST /api/links/read', body: { token: 'a'.repeat(43) }, headers: nobody },
]

test('while the database hangs, every route that needs it answers 503 by the deadline, and recovers afterwards', async () => {
  const { bearer } = await makeToken(app)
  const etag = (await ask(app, { route: list })).headers.get('etag')!
  const polls = [bearer, { 'if-none-match': etag }, { 'if-none-match': etag }, {}]
  database.hang()
  const answers = await Promise.all(
    [...requests, ...polls.map((headers) => ({ route: list, headers }))].map(async (one) => {
      const response = await ask(app, one)
      return [one.route, response.status, response.headers.get('retry-after'), await response.text()] as const
    }),
  )
  const { status } = await app.get('/livez')
  database.wake()
  expect(status).toBe(200)
  for (const [route, ...answer] of answers) {
    expect([route, ...answer]).toEqual([route, 503, '5', expect.any(String)])
    expect(ApiErrorBody.parse(JSON.parse(answer[2])).code).toBe('database_unavailable')
  }
  await works(app)
  expect((await ask(app, signIn)).status).toBe(200)
})

test('an export start that got a 503 started nothing, whichever query hangs, and can be repeated', async () => {
  const statuses = new Set<number>()
  for (let nth = 0, done = false; !done; nth += 1) {
    const domain = `docs-${nth}.example.com`
    const start = { route: 'POST /api/static-exports', body: { requestId: randomUUID(), domain } }
    const hungAt = database.hangBefore(nth)
    const { status } = await ask(hasty, start)
    const at = hungAt()
    database.wake()
    await works(hasty)
    done = at === null && status === 201
    statuses.add(status)
    if (status === 503) expect([at, upstream.starts]).toEqual([at, expect.not.arrayContaining([domain])])
    // Only a lost answer to `commit` leaves a doubt: then the intent may exist, and nobody makes its call.
    if (status === 503 && at === 'commit') continue
    const rows = await database.db.select().from(staticExports).where(eq(staticExports.domain, domain))
    expect([at, status, rows.length]).toEqual(status === 201 ? [at, 201, 1] : [at, 503, 0])
    await expect.poll(async () => (await ask(hasty, start)).status).toBe(201)
    expect(upstream.starts.filter((started) => started === domain)).toHaveLength(1)
  }
  expect(statuses).toEqual(new Set([503, 201]))
})

test.each([
  { one: { route: list }, step: 1 },
  { one: { route: `GET /api/static-exports/${id}/download` }, step: 1 },
  { one: { route: `DELETE /api/static-exports/${id}` }, step: 1 },
  { one: signIn, step: 5 },
])('$one.route is answered 503, whichever query hangs', async ({ one, step }) => {
  for (let nth = 0, done = false; !done; nth += step) {
    const hungAt = database.hangBefore(nth)
    const { status } = await ask(hasty, one)
    const at = hungAt()
    database.wake()
    await works(hasty)
    if (at !== null) expect([at, status]).toEqual([at, 503])
    done = status !== 503
  }
})

test('a response that has begun has no deadline', async () => {
  // After the session's tag and the audit's row.
  database.hangBefore(2)
  const response = await ask(hasty, { route: 'GET /api/audit/export?format=jsonl' })
  expect(response.status).toBe(200)
  setTimeout(database.wake, 500)
  expect((await response.text()).split('\n')[0]).toContain('audit.exported')
})
