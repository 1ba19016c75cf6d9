import { Agent, type IncomingHttpHeaders, request as ask } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { access, checkAccess } from '#ground/http/access/access.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { type Asker, type Headers, makeAskers, type SiteRight } from './testing/askers.ts'
import { listAudited, listIdNames, sampleRequest } from './testing/sample-requests.ts'
import { type Ids, makeUnknownIds, twoOfEverything } from './testing/two-of-everything.ts'

const clock = { now: Date.now() }
let stand: Awaited<ReturnType<typeof twoOfEverything>>
let askers: Record<string, Asker>
const unknown = makeUnknownIds()
/** The ETag an admin got from each route that is read, as browsers send it along. */
const entityTags = new Map<string, string>()

beforeAll(async () => {
  stand = await twoOfEverything(() => clock.now)
  askers = await makeAskers(stand, clock)
  for (const route of Object.keys(access).filter((one) => one.startsWith('GET '))) {
    const response = await send(sampleRequest(route, ownIds(), stand.worlds.own.ids), {})
    const { etag } = response.headers
    if (etag !== undefined) entityTags.set(route, etag)
  }
  expect(entityTags.size).toBeGreaterThan(2)
}, 60_000)
afterAll(() => stand.close())

/** Own records, and unknown people, connections and tokens, which the requests of admins would change for everybody. */
const ownIds = (): Ids => {
  const { ids } = stand.worlds.own
  const accounts = ['userId', 'sessionId', 'invitationId', 'grantId', 'viewId', 'passkeyId', 'tokenId', 'connectionId']
  return { ...ids, ...Object.fromEntries(accounts.map((name) => [name, unknown[name]!])) }
}

type Sample = ReturnType<typeof sampleRequest>
type Answer = { status: number; text: string; headers: IncomingHttpHeaders }

const agent = new Agent({ keepAlive: true })

/** The route of each request, by the id of the request. */
const sent = new Map<string, string>()

/** Sends what Docket's own page sends, unless `headers` say otherwise. */
const send = (
  { method, path, body, route }: Pick<Sample, 'method' | 'path' | 'body'> & { route?: string },
  more: Headers,
): Promise<Answer> => {
  const { app } = stand
  const isRead = method === 'GET'
  const changing = {
    origin: app.url,
    'sec-fetch-site': 'same-origin',
    'x-docket': '1',
    'content-type': 'application/json',
  }
  const all = { cookie: app.cookie, ...(!isRead && changing), ...more }
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const sending = ask({ agent, host: '127.0.0.1', port: app.port, method, path, headers }, (response) => {
      const { statusCode, headers: answered } = response
      if (route !== undefined) sent.set(String(answered['x-request-id']), route)
      text(response).then((said) => resolve({ status: statusCode!, text: said, headers: answered }), reject)
    })
    sending.on('error', reject).end(isRead || method === 'DELETE' ? undefined : JSON.stringify(body ?? {}))
  })
}

const included: Record<Asker['role'], readonly string[]> = {
  nobody: [],
  none: ['none'],
  viewer: ['none', 'viewer'],
  auditor: ['none', 'viewer', 'auditor'],
  operator: ['none', 'viewer', 'operator'],
  admin: ['none', 'viewer', 'auditor', 'operator', 'admin'],
}

/** True when the table lets somebody pass. */
const isListed = (route: string, { role, token, mute }: Asker): boolean => {
  const rule = access[route]!
  if (token === 'dead') return !/ \/(?:api|sites|bundles)\//.test(route)
  if (token !== undefined && rule.tokens === 'none') return false
  if (token === 'restricted' && rule.tokens === 'whole') return false
  if (mute && rule.prompts) return false
  return rule.role === 'anyone' || included[role].includes(rule.role)
}

const ofChannel = '/api/sites/:siteId/channels/:channelId'
/** What each route of one site needs there. */
const siteNeeds: Readonly<Record<string, SiteRight>> = {
  'GET /api/sites/:siteId': 'see',
  'PATCH /api/sites/:siteId': 'change',
  // People have roles for it.
  'DELETE /api/sites/:siteId': 'admin',
  'GET /api/sites/:siteId/artifacts': 'see',
  'GET /api/sites/:siteId/releases': 'see',
  'POST /api/sites/:siteId/join': 'operate',
  'POST /api/sites/:siteId/separate': 'operate',
  'POST /api/sites/:siteId/channels': 'change',
  [`PATCH ${ofChannel}`]: 'change',
  [`DELETE ${ofChannel}`]: 'change',
  [`GET ${ofChannel}/publish-checks`]: 'see',
  [`POST ${ofChannel}/proposals`]: 'publish',
  [`DELETE ${ofChannel}/proposals/:proposalId`]: 'override',
  [`POST ${ofChannel}/proposals/:proposalId/approval`]: 'approve',
  [`DELETE ${ofChannel}/proposals/:proposalId/approval`]: 'approve',
  [`GET ${ofChannel}/releases`]: 'see',
  [`POST ${ofChannel}/releases`]: 'publish',
  [`POST ${ofChannel}/rollback`]: 'publish',
  [`POST ${ofChannel}/pin`]: 'publish',
  [`DELETE ${ofChannel}/pin`]: 'publish',
  [`GET ${ofChannel}/targets`]: 'publish',
  [`POST ${ofChannel}/targets`]: 'admin',
  [`PATCH ${ofChannel}/targets/:targetId`]: 'admin',
  [`DELETE ${ofChannel}/targets/:targetId`]: 'admin',
  [`GET ${ofChannel}/targets/:targetId/dry-run`]: 'publish',
  [`GET ${ofChannel}/targets/:targetId/deliveries`]: 'publish',
  [`POST ${ofChannel}/targets/:targetId/deliveries`]: 'publish',
}

/** `SAMPLES` asks everybody at every route, about every world. */
const isWhole = process.env['SAMPLES'] !== undefined

/**
 * Everybody whose answer may differ. Of those whom the table treats alike for the same reason one is asked, and of those whose sessions and
 * tokens ended three, in turns over the routes. What somebody reaches matters for records. Caches of answers know them all.
 */
const listAskers = (route: string): [string, Asker][] => {
  const all = Object.entries(askers)
  if (entityTags.has(route) || isWhole) return all
  const turn = everyone.indexOf(route)
  const groups = Map.groupBy(all, ([name, asker]) =>
    asker.isExtra ? 'extra' : isListed(route, asker) && isAboutRecords(route) ? name : `${asker.role} ${asker.token}`,
  )
  return [...groups].flatMap(([group, members]) =>
    Array.from({ length: group === 'extra' ? 3 : 1 }, (_, at) => members[(turn + at) % members.length]!),
  )
}

type Outcome = 'open' | 'refused' | 'absent'

/** How far a request about own records comes, as the tables say. */
const expectOwn = (route: string, asker: Asker): Outcome => {
  if (!isListed(route, asker)) return 'refused'
  const { reach, role } = asker
  const rights = reach?.site ?? []
  if (/ \/(?:sites|bundles|api\/hosted-sites)\//.test(route))
    return rights.includes('see') ? 'open' : role === 'nobody' ? 'refused' : 'absent'
  const records = / .*\/:exportId/.test(route)
    ? reach?.exports
    : / .*(?:\/:projectId\/:id|agent-prompts\/:requestId)/.test(route)
      ? reach?.jobs
      : 'operate'
  if (records === 'none') return 'absent'
  if (records === 'see' && access[route]!.role === 'operator') return 'refused'
  // The export is live, for those who see its channel.
  if (/\/(?:download|zip|file)$/.test(route) && records === 'see') return rights.includes('see') ? 'open' : 'refused'
  const need = siteNeeds[route] ?? (route.endsWith('/:exportId/site') ? 'see' : null)
  // The other site is one at the same connection.
  if (route.endsWith('/join') && reach?.outside.includes('sibling')) return 'absent'
  if (need === null || rights.includes(need)) return 'open'
  return rights.includes('see') ? 'refused' : 'absent'
}

const refusals =
  /^(?:Sign in to continue|This bundle isn’t public|Only |API tokens can’t|You asked for|This token (?:can only read|may not send prompts|can’t do anything|is limited to)|This API token doesn’t work)|Only they can withdraw/
const absences =
  /isn’t on the list|There is no such (?:site|channel|bundle|connection)|no site yet|No site that you may read/

const judge = (asker: Asker, { status, text: body, headers }: Answer): Outcome => {
  if (status === 404 && absences.test(body)) return 'absent'
  if (status !== 401 && status !== 403) return 'open'
  const { code, message } = ApiErrorBody.parse(JSON.parse(body))
  expect(code).toBe(asker.role === 'nobody' ? 'not_signed_in' : 'forbidden')
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
  return refusals.test(message) ? 'refused' : 'open'
}

// Git's routes take no cookie; code-host.test.ts has them.
const everyone = Object.keys(access).filter((route) => !route.includes(' /git/'))

const isAboutRecords = (route: string) =>
  /:exportId|:projectId\/:id|agent-prompts\/:requestId|:siteId| \/(?:sites|bundles|api\/hosted-sites)\//.test(route)

test.for(everyone)(
  '%s is open to exactly the callers that the access table lists, for their own records',
  async (route) => {
    const { own, sibling } = stand.worlds
    const request = sampleRequest(route, ownIds(), route.endsWith('/join') ? sibling.ids : own.ids)
    const [isRecords, isRead] = [isAboutRecords(route), request.method === 'GET']
    if (isRecords) expect([route, request.fits]).toEqual([route, true])
    if (route.includes(':siteId')) expect(Object.keys(siteNeeds)).toContain(route)
    const find = async ([name, asker]: [string, Asker]) => {
      const headers = { ...(await asker.headers(route)), 'if-none-match': entityTags.get(route) }
      // Without a body that fits, what concerns no record changes nothing.
      const answer = await send(isRecords ? request : { ...request, body: {} }, headers)
      expect([name, answer.status]).not.toEqual([name, 500])
      if (isRecords && !isRead && answer.status < 300) await stand.restore()
      const outcome = judge(asker, answer)
      return [name, outcome === 'absent' && !isRecords ? 'open' : outcome]
    }
    const all = listAskers(route)
    const found: unknown[] = []
    if (isRead || !isRecords) found.push(...(await Promise.all(all.map(find))))
    else for (const one of all) found.push(await find(one))
    expect(found).toEqual(all.map(([name, asker]) => [name, expectOwn(route, asker)]))
  },
)

/** What is the same in answers about other ids. */
const normalize = ({ status, text: body }: Answer, ids: Ids) => [
  status,
  Object.entries(ids).reduce(
    (rest, [name, id]) => rest.replaceAll(id, `<${name}>`),
    body.replace(/"requestId":"[\w-]+"/, ''),
  ),
]

test.for(everyone)('%s neither reveals nor changes the records of others', async (route) => {
  const { worlds } = stand
  const names = listIdNames(route, worlds.foreign.ids)
  const isOfChannel = names.some((name) => /^(?:channelId|channel|sum|releaseId|proposalId|targetId)$/.test(name))
  const limited = Object.entries(askers).filter(
    ([, asker]) => asker.reach?.outside.length && !asker.isExtra && isListed(route, asker),
  )
  type Planned = { name: string; asker: Asker; marks: readonly string[]; ids: Ids; request: Sample; never?: Sample }
  const planned = limited.flatMap(([name, asker]): Planned[] => {
    const { outside } = asker.reach!
    const about = { name, asker, marks: outside.flatMap((world) => worlds[world].marks) }
    if (names.length === 0) return [{ ...about, ids: unknown, request: { ...sampleRequest(route, unknown), body: {} } }]
    const others = outside.filter((world) => world !== 'channel' || isOfChannel)
    return others
      .filter(
        (_, at) =>
          isWhole || at === (everyone.indexOf(route) + limited.findIndex(([one]) => one === name)) % others.length,
      )
      .flatMap((world): Planned[] => {
        const { ids } = worlds[world]
        const [never, own] = [sampleRequest(route, unknown), sampleRequest(route, worlds.own.ids)]
        const whole = { ...about, ids, request: sampleRequest(route, ids), ...(world === 'foreign' && { never }) }
        // Of others in a request about something of one's own.
        const mixed = sampleRequest(route, worlds.own.ids, ids)
        const isMixed = ![own, whole.request].some((one) => JSON.stringify(one) === JSON.stringify(mixed))
        return isMixed ? [whole, { ...about, ids, request: mixed }] : [whole]
      })
  })
  const check = async ({ name, asker, marks, ids, request, never }: Planned) => {
    const answer = await send(request, await asker.headers(route))
    const asked = decodeURIComponent(request.path) + JSON.stringify(request.body ?? '')
    const said = answer.text + JSON.stringify(answer.headers)
    const told = marks.filter((mark) => said.includes(mark) && !asked.includes(mark))
    expect([name, request.path, told, answer.status === 500]).toEqual([name, request.path, [], false])
    if (never !== undefined)
      expect([name, ...normalize(answer, ids)]).toEqual([
        name,
        ...normalize(await send(never, await asker.headers(route)), unknown),
      ])
  }
  await Promise.all(planned.map(check))
  expect(await stand.digest()).toEqual(stand.pristine)
})

test('records of others are unreachable through hosted sites, previews, git, help and metrics', async () => {
  const { port } = stand.app
  for (const [name, asker] of Object.entries(askers)) {
    const outside = asker.reach?.outside ?? (['channel', 'sibling', 'foreign'] as const)
    const headers = await asker.headers('GET /')
    for (const world of outside.filter((one) => one !== 'channel')) {
      const { ids, marks } = stand.worlds[world]
      const label = ids['label']!
      for (const [host, path] of [
        [ids['hostname']!, '/'],
        [ids['hostname']!, '/index.html'],
        [`staging--${label}.localhost:${port}`, '/'],
        [`preview-${label}.localhost:${port}`, '/'],
        [`127.0.0.1:${port}`, `/sites/${ids['siteId']}`],
        [`127.0.0.1:${port}`, `/help/${label}`],
        [`127.0.0.1:${port}`, '/metrics'],
        [`127.0.0.1:${port}`, `/git/${ids['repository']}/info/refs?service=git-upload-pack`],
        [`127.0.0.1:${port}`, '/readyz'],
      ] as const) {
        const answer = await send({ method: 'GET', path, body: undefined }, { ...headers, host })
        const [status, said] = [answer.status, answer.text + JSON.stringify(answer.headers)]
        const told = marks.filter((mark) => said.includes(mark) && !(host + path).includes(mark))
        expect([name, host, path, told, said.includes('<h1>Docs</h1>'), status === 500]).toEqual([
          name,
          host,
          path,
          [],
          false,
          false,
        ])
      }
    }
  }
})

test('every audit action of a request is declared for its route', async () => {
  const { rows } = await stand.app.db.execute<{ id: string; action: string }>(
    sql`select request_id as id, action from audit_events where outcome = 'ok' and request_id is not null`,
  )
  const left = rows.flatMap(({ id, action }) => (sent.has(id) ? [[sent.get(id)!, action] as const] : []))
  const undeclared = left.filter(([route, action]) => !listAudited(route).includes(action))
  expect([...new Set(undeclared.map((one) => one.join(' ')))]).toEqual([])
  expect(new Set(left.map(([route]) => route)).size).toBeGreaterThan(15)
})

test('every changing route declares its audit actions, except those that only begin or end something of the caller', () => {
  const silent = Object.keys(access).filter((route) => !/^GET |\/git\//.test(route) && listAudited(route).length === 0)
  expect(silent).toEqual([
    'POST /api/session',
    'POST /api/setup/check',
    'POST /api/auth/passkey/options',
    'POST /api/auth/oidc',
    'POST /api/account/read-news',
    'POST /api/account/sessions/handover',
    'POST /api/account/second-factor/begin',
    'POST /api/account/passkeys/options',
    'DELETE /api/static-exports/:exportId/artifact/previews/:previewId',
    'POST /api/host-keys',
  ])
})

test('the access table lists exactly the routes that the server has', () => {
  const served = stand.app.app.routes.flatMap(({ method, path }) =>
    method === 'ALL' || path === '*' || path === '/*' ? [] : [`${method} ${path}`],
  )
  expect([...new Set(served)].toSorted()).toEqual(Object.keys(access).toSorted())
})

test('viewers, auditors and people without a role can change only their own things, and signed-out callers can only sign in', () => {
  const changing = Object.entries(access).filter(([route]) => !route.startsWith('GET '))
  for (const [route, { role }] of changing) {
    if (role === 'viewer' || role === 'auditor' || role === 'none')
      // Git reads with a POST.
      expect(route).toMatch(
        /^\w+ \/(?:api\/(?:account|auth|hosted-sites|views|sites)\b|.*\/artifact\/previews\b|git\/:repository\/git-upload-pack$)/,
      )
    if (role === 'anyone') expect(route).toMatch(/^\w+ \/api\/(?:session|setup|auth|links)\b/)
  }
})

test('an auditor can reach only what a viewer can, and the audit', () => {
  const ofAuditors = Object.entries(access).flatMap(([route, { role }]) => (role === 'auditor' ? [route] : []))
  expect(ofAuditors).toEqual(['GET /api/audit', 'GET /api/audit/export', 'GET /api/audit/verify'])
})

test('no token can reach people, accounts, tokens or the audit', () => {
  const guarded = Object.entries(access).filter(([route]) =>
    /\/api\/(?:users|grants|site-grants|account|views|auth|links|setup|tokens|audit)\b/.test(route),
  )
  expect(guarded.length).toBeGreaterThan(3)
  for (const [route, rule] of guarded) expect([route, rule.tokens]).toEqual([route, 'none'])
})

const everyRoute = () => {
  const served = new Hono<AppEnv>()
  for (const route of Object.keys(access)) {
    const [method = '', path = ''] = route.split(' ')
    served.on(method, path, (c) => c.body(null))
  }
  return served
}

test('a route without an access rule prevents the start of the server', () => {
  const served = everyRoute()
  expect(() => checkAccess(served)).not.toThrow()
  served.post('/api/forgotten', (c) => c.body(null))
  expect(() => checkAccess(served)).toThrow('POST /api/forgotten')
})

test('an access rule without a route prevents the start of the server', () => {
  const served = new Hono<AppEnv>()
  expect(() => checkAccess(served)).toThrow('names routes that do not exist: GET /api/session')
})
