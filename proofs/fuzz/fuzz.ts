import type { Role } from '#packages/api-types/src/session.ts'
import { access } from '#apps/bff/src/http/access/access.ts'
import { peopleAt } from '#apps/bff/src/testing/people-at.ts'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { databaseDeadlineMs, isDatabaseLate } from '#proofs/harness/client.ts'
import { exchange, type Answer } from '#proofs/harness/exchange.ts'
import { drawsFrom } from './random.ts'
import { fuzzedRequest, type Route } from './requests.ts'
import type { Described } from './samples.ts'
import { canaries, failingService } from './service.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const allRequests = 2_000
const quickRequests = 240
/** As a gate of the Admin API begins. */
const closedBreaker = '{"closed":null,"closings":0,"probeUntilMs":null,"outage":0,"lastGoodMs":null,"held":null}'
const atOnce = 6

const faults: Fault[] = [
  // The service echoes the key in its refusals.
  {
    file: 'log/redact.ts',
    instead:
      'if (secret.length < minSecretLength) continue\n    for (const spelling of spellings(secret)) clean = withoutPieces',
    write: 'if (secret.length > 0) continue\n    for (const spelling of spellings(secret)) clean = withoutPieces',
  },
  // A forged place in a list reaches the database.
  { file: 'db/pages.ts', instead: '  } catch {\n', write: '  } catch (error) {\n    throw error\n' },
]

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

/**
 * Requests that almost fit, as everybody who may ask, at every route, while the Admin API fails in every way it can.
 */
export const proof: Proof = {
  name: 'fuzz',
  bar: `of ${allRequests.toLocaleString('en')} fuzzed requests none leaks a canary, gets a 5xx that is not the service's, hangs, or is answered without the headers of every answer`,
  faults,
  run: async ({ planted, quick }) => {
    const requests = quick ? quickRequests : allRequests
    const service = await failingService()
    const databases = await startDatabaseServer(temporaryFolder())
    const databaseUrl = await databases.database((url) =>
      seedRecordsAt(url, { exports: 60, jobs: 60, active: 5, now: Date.now() }),
    )
    const people = peopleAt(databaseUrl)
    onEnd(people.close)
    const docket = await startDocket(
      {
        DATABASE_URL: databaseUrl,
        ADMIN_API_URL: service.url,
        ADMIN_API_KEY: canaries.key,
        ADMIN_API_CALLS_PER_HOUR: '1000000',
        ADMIN_API_TIMEOUT_MS: '1000',
      },
      planted ? faults : [],
      await people.cookieOf('admin'),
    )
    const { client } = docket
    const port = Number(new URL(client.url).port)
    const own: [string, string][] = [
      ['Host', `127.0.0.1:${port}`],
      ['Origin', client.url],
      ['X-Docket', '1'],
      ['Accept', 'application/json'],
    ]
    const cookies: Partial<Record<Role, string>> = {}
    const tokens: string[] = []
    /** Fuzzed sign-outs work, too. */
    const renew = async () => {
      for (const role of ['viewer', 'operator', 'admin'] as const) cookies[role] = await people.cookieOf(role)
      for (const scope of ['read', 'operate']) {
        const response = await client.post(
          '/api/tokens',
          { name: scope, scope, expiresInDays: 30 },
          { cookie: cookies.admin! },
        )
        const token = /"token":"([^"]+)"/.exec(await response.text())?.[1]
        if (token !== undefined) tokens.push(token)
      }
    }
    const toHeaders = (number: number): [string, string][] => {
      const kind = number % 6
      const role = (['operator', 'admin', 'viewer', 'operator'] as const)[kind]
      if (role !== undefined) return [...own, ['Cookie', cookies[role]!]]
      const token = kind === 4 ? tokens.at(-1 - (number % 2)) : undefined
      return token === undefined
        ? own
        : [
            ['Host', `127.0.0.1:${port}`],
            ['Authorization', `Bearer ${token}`],
          ]
    }
    await renew()
    const described = listRoutes(
      (await (await client.get('/api/openapi.json')).json()) as Parameters<typeof listRoutes>[0],
    )
    // Prefers routes that reach the service.
    const routes = described.flatMap((route) => Array.from({ length: reachesService(route) ? 4 : 1 }, () => route))
    // Seeded records belong to no connection, and nothing about them would reach the service.
    const [connection] = await people.column('select connection_id from connections where base_url is not null')
    for (const change of [
      `update static_exports set connection_id = '${String(connection)}'`,
      `update agent_jobs set connection_id = '${String(connection)}', project_id = 'docs'`,
    ])
      await people.column(change)
    const known = {
      connection: [connection],
      exportId: await people.column('select export_id from static_exports'),
      projectId: await people.column('select project_id from agent_jobs order by id'),
      id: await people.column('select id from agent_jobs order by id'),
      confirmed: [true],
      domain: ['a.example.com', 'b.example.com', 'c.example.com'],
    }

    const statuses = new Map<number, number>()
    const wrong: string[] = []
    const counts = { leaked: 0, broken: 0, bare: 0, hung: 0, cut: 0 }
    const draws = drawsFrom(20_261_121)
    const one = async (number: number) => {
      const startMs = performance.now()
      const route = routes[number % routes.length]!
      const headers = toHeaders(Math.floor(number / routes.length))
      const fuzzed = fuzzedRequest(route, headers, draws, known)
      const answer = await exchange(port, fuzzed.bytes, fuzzed)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const isSlow = isDatabaseLate(answer.status, answer.body) && performance.now() - startMs > databaseDeadlineMs
      const leaked = leaksIn(answer.text).filter((name) => name !== 'link' || !isLink(route, answer))
      const found: [boolean, keyof typeof counts][] = [
        [leaked.length > 0, 'leaked'],
        [answer.status >= 500 && !isExpected(answer) && !isSlow, 'broken'],
        [answer.status > 0 && !hasHeaders(answer), 'bare'],
        [answer.late, 'hung'],
        [answer.status === 0 && fuzzed.whole && !answer.late, 'cut'],
      ]
      for (const [is, what] of found) {
        if (!is) continue
        counts[what] += 1
        if (what !== 'cut' && wrong.length < 20)
          wrong.push(`${what}: ${fuzzed.line} → ${answer.status} ${answer.body.slice(0, 160)}`)
      }
    }
    /** Docket may hold these rows the other way round; the next time does it then. */
    const closeBreakers = () =>
      people.column(`update call_gates set state = '${closedBreaker}'`).catch((error: { code?: string }) => {
        if (error.code !== '40P01') throw error
      })
    let next = 0
    const worker = async () => {
      while (next < requests) {
        const number = next
        next += 1
        if (number % 40 === 0) await renew()
        // A refused key or too many calls would keep Docket from calling for minutes.
        if (number % 10 === 0) await closeBreakers()
        await one(number)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    const alive = (await client.get('/readyz')).status === 200
    const inLog = leaksIn(docket.wrote())
    if (inLog.length > 0) wrong.push(`in the log: ${inLog.join()}`)
    const causes = docket
      .wrote()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
    for (const line of [...wrong, ...causes.slice(0, 5)]) console.log(`  ${line.slice(0, 1_500)}`)
    const { leaked, broken, bare, hung, cut } = counts
    const statusCounts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    return {
      ok: leaked + broken + bare + hung + inLog.length === 0 && alive && service.calls() > (quick ? 0 : 60),
      figure: `${leaked} answers and ${inLog.length} kinds of lines in the log leaked, ${broken} unexpected 5xx, ${bare} without headers, ${hung} hung, of ${requests} requests at ${described.length} routes as ${tokens.length > 0 ? 6 : 5} kinds of people and programs, ${service.calls()} calls upstream (${statusCounts.join(', ')}; ${cut} cut without an answer)`,
    }
  },
}
