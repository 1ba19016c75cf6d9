import type { Role } from '@docket/api-types/session'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { access } from '#ground/http/access/access.ts'
import { exchange, type Answer } from '#testing/exchange.ts'
import { testConnectionId } from '#testing/connection.ts'
import { signedIn } from '#testing/people.ts'
import { seedRecords } from '#testing/seed-records.ts'
import { testApp } from '#testing/test-app.ts'
import { canaries, failingService } from './testing/fuzz/failing-service.ts'
import { drawsFrom } from './testing/fuzz/random.ts'
import { fuzzedRequest, type Route } from './testing/fuzz/requests.ts'
import type { Described } from './testing/fuzz/samples.ts'

/** As a gate of the Admin API begins. */
const closedBreaker = '{"closed":null,"closings":0,"probeUntilMs":null,"outage":0,"lastGoodMs":null,"held":null}'
const atOnce = 6

const service = await failingService()
const app = await testApp({ upstream: { url: service.url, key: canaries.key }, callsPerHour: 1_000_000 })
afterAll(async () => {
  await app.close()
  await service.close()
})

/** Spellings in which a canary would be as good as plain. */
const spellings = Object.entries(canaries).flatMap(([name, text]) =>
  [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('hex'),
  ].map((spelling) => ({ name, spelling })),
)
const leaksIn = (text: string): string[] => [
  ...new Set(spellings.filter(({ spelling }) => text.includes(spelling)).map(({ name }) => name)),
]

/** True for a 5xx answer that passes on a deliberate failure of the service. */
const isExpected = ({ status, body, head }: Answer): boolean => {
  if (status === 505) return /^HTTP\/1\.1 505 [^]*content-length: 0/im.test(`${head}\r\n`) || body === ''
  return [502, 503, 504].includes(status) && /"code":"upstream_/.test(body)
}

/** Headers of every answer. */
const hasHeaders = ({ head }: Answer) =>
  /^content-security-policy: default-src 'none'/im.test(head) &&
  /^x-content-type-options: nosniff/im.test(head) &&
  /^cache-control: /im.test(head)

/** This route returns a link on purpose. */
const isLink = ({ path, method }: Route, { status }: Answer) =>
  method === 'POST' && path.endsWith('/bundle') && status === 200

const reachesService = ({ method, path }: Route) =>
  /\/api\/(static-exports|agent-jobs)/.test(path) && (method === 'POST' || path.endsWith('/download'))

const listRoutes = (document: { paths: Record<string, Record<string, Described>> }): Route[] =>
  Object.keys(access).map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path, described: document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {} }
  })

const column = async (query: string): Promise<unknown[]> =>
  (await app.db.execute<{ value: unknown }>(sql.raw(query))).rows.map(({ value }) => value)

test('the fuzzer finds a secret in every encoding', () => {
  for (const [name, text] of Object.entries(canaries))
    for (const encoding of ['utf8', 'base64', 'hex'] as const)
      expect(leaksIn(`a ${Buffer.from(text).toString(encoding)} b`)).toEqual([name])
})

test('every fuzzed request gets a response with all security headers, no secret and no internal error, however the service fails', async () => {
  const samples = Number(process.env['SAMPLES'] ?? 240)
  await seedRecords(app.db, { exports: 60, jobs: 60, active: 5, now: Date.now() })
  await app.db.execute(sql`update agent_jobs set project_id = 'docs'`)
  const known = {
    connection: [testConnectionId],
    exportId: await column('select export_id as value from static_exports'),
    projectId: ['docs'],
    id: await column('select id as value from agent_jobs order by id'),
    confirmed: [true],
    domain: ['a.example.com', 'b.example.com', 'c.example.com'],
  }
  const own: [string, string][] = [
    ['Host', `127.0.0.1:${app.port}`],
    ['Origin', app.url],
    ['X-Docket', '1'],
    ['Accept', 'application/json'],
  ]
  const cookies: Partial<Record<Role, string>> = {}
  const tokens: string[] = []
  /** Fuzzed sign-outs work, too. */
  const renew = async () => {
    for (const role of ['viewer', 'operator', 'admin'] as const) cookies[role] = (await signedIn(app.db, role)).cookie
    for (const scope of ['read', 'operate']) {
      const request = { name: scope, scope, expiresInDays: 30 }
      const response = await app.post('/api/tokens', request, { cookie: cookies.admin })
      const token = /"token":"([^"]+)"/.exec(await response.text())?.[1]
      if (token !== undefined) tokens.push(token)
    }
  }
  const toHeaders = (number: number): [string, string][] => {
    const kind = number % 6
    const role = (['operator', 'admin', 'viewer', 'operator'] as const)[kind]
    if (role !== undefined) return [...own, ['Cookie', cookies[role]!]]
    const token = kind === 4 ? tokens.at(-1 - (number % 2)) : undefined
    return token === undefined ? own : [own[0]!, ['Authorization', `Bearer ${token}`]]
  }
  const described = listRoutes((await (await app.get('/api/openapi.json')).json()) as Parameters<typeof listRoutes>[0])
  // Prefers routes that reach the service.
  const routes = described.flatMap((route) => Array.from({ length: reachesService(route) ? 4 : 1 }, () => route))
  const draws = drawsFrom(20_261_121)
  const wrong: string[] = []
  const play = async (number: number) => {
    const route = routes[number % routes.length]!
    const fuzzed = fuzzedRequest(route, toHeaders(Math.floor(number / routes.length)), draws, known)
    const answer = await exchange(app.port, fuzzed.bytes, fuzzed)
    const leaked = leaksIn(answer.text).filter((name) => name !== 'link' || !isLink(route, answer))
    const found = {
      [`leaked ${leaked.join()}`]: leaked.length > 0,
      broken: answer.status >= 500 && !isExpected(answer),
      'without headers': answer.status > 0 && !hasHeaders(answer),
      hung: answer.late,
    }
    for (const [what, is] of Object.entries(found))
      if (is) wrong.push(`${what}: ${fuzzed.line} → ${answer.status} ${answer.body.slice(0, 160)}`)
  }
  /** Docket may hold these rows the other way round; the next time does it then. */
  const closeBreakers = () =>
    app.db
      .execute(sql`update call_gates set state = ${closedBreaker}`)
      .catch((error: { cause?: { code?: string } }) => {
        if (error.cause?.code !== '40P01') throw error
      })
  let next = 0
  const worker = async () => {
    while (next < samples) {
      const number = next
      next += 1
      if (number % 40 === 0) await renew()
      // A refused key or too many calls would keep Docket from calling for minutes.
      if (number % 10 === 0) await closeBreakers()
      await play(number)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  expect(wrong).toEqual([])
  expect(leaksIn(app.logged())).toEqual([])
  expect((await app.get('/readyz')).status).toBe(200)
  expect(service.calls()).toBeGreaterThan(samples / 40)
})
