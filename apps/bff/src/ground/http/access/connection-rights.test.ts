import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ApiTokenList } from '@docket/api-types/tokens'
import { GrantList } from '@docket/api-types/grants'
import { Session, type Role } from '@docket/api-types/session'
import { Status } from '@docket/api-types/status'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { addConnection, addRecords } from '#testing/connections.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { access } from './access.ts'

type Place = 'production' | 'staging'
type Headers = Record<string, string | undefined>
type Scoped = Partial<Record<Place, 'viewer' | 'operator'>>

const places = ['production', 'staging'] as const
let app: TestApp
/** A second process on the same database. */
let replica: TestApp
const ids = {} as Record<Place, string>
const records = {} as Record<Place, Awaited<ReturnType<typeof addRecords>>>

beforeAll(async () => {
  app = await testApp({ logLevel: 'info' })
  replica = await testApp({ database: { db: app.db, url: app.databaseUrl }, logLevel: 'info' })
  for (const place of places) {
    ids[place] = await addConnection(app.db, place)
    records[place] = await addRecords(app.db, ids[place], place)
  }
  for (const { services } of [app, replica]) await services.service.registry.refresh()
})
afterAll(async () => {
  await replica.close()
  await app.close()
})

const person = async (role: Role, scoped: Scoped = {}) => {
  const { userId, cookie } = await signedIn(app.db, role)
  for (const [place, there] of Object.entries(scoped))
    await app.db.insert(grants).values({ userId, role: there, connectionId: ids[place as Place] })
  return { userId, headers: { cookie } }
}

const rank = ['none', 'viewer', 'operator', 'admin']
/** The role over everything, and those on connections. */
const people: Record<string, [Role, Scoped]> = {
  'an admin': ['admin', {}],
  'an operator': ['operator', {}],
  'an operator with less on a connection': ['operator', { production: 'viewer' }],
  'a viewer': ['viewer', {}],
  'a viewer who operates staging': ['viewer', { staging: 'operator' }],
  'a viewer of production who operates staging': ['none', { production: 'viewer', staging: 'operator' }],
  'an operator of staging alone': ['none', { staging: 'operator' }],
  'an auditor': ['auditor', {}],
  'an auditor who operates staging': ['auditor', { staging: 'operator' }],
  'a viewer of staging alone': ['none', { staging: 'viewer' }],
  nobody: ['none', {}],
}

const signedInPeople = new Map<string, ReturnType<typeof person>>()

/** One of `people`, signed in for all tests. */
const lasting = (name: string) => {
  const known = signedInPeople.get(name) ?? person(...people[name]!)
  signedInPeople.set(name, known)
  return known
}

const recordRoutes = Object.keys(access).filter((route) => /:exportId|:projectId\/:id/.test(route))

const send = (at: TestApp, route: string, place: Place, headers: Headers) => {
  const [method = '', pattern = ''] = route.split(' ')
  const { exportId, job } = records[place]
  const path = pattern.replace(':exportId', exportId).replace(':projectId', job.projectId).replace(':id', job.id)
  if (method === 'GET') return at.get(path, headers)
  return method === 'DELETE' ? at.delete(path, headers) : at.send(method, path, {}, headers)
}

/** How far a request came: `absent` as for no record, `refused` by the role, or to the route. */
const judge = async (response: Response): Promise<'absent' | 'refused' | 'open'> => {
  const text = await response.text()
  // A record that is there may have no log, no changes and no stored bundle.
  const isAbsent = /isn’t on the list|no such connection/.test(text)
  if (response.status === 404) return isAbsent ? 'absent' : 'open'
  // Whoever sees an export downloads what a channel shows.
  if (response.status !== 403 || text.includes('no channel shows')) return 'open'
  const { code, message } = ApiErrorBody.parse(JSON.parse(text))
  expect(code).toBe('forbidden')
  expect(message).toMatch(/^(Only operators|You can only view|Only people with a role)/)
  return 'refused'
}

const expectedAt = (place: Place, [role, scoped]: [Role, Scoped], needed: number) => {
  if (role === 'auditor') return needed > rank.indexOf('viewer') ? 'refused' : 'open'
  const highest = (roles: readonly string[]) => Math.max(...roles.map((one) => rank.indexOf(one)))
  const here = highest([role, scoped[place] ?? 'none'])
  if (highest([role, ...Object.values(scoped)]) < needed) return 'refused'
  return here === 0 ? 'absent' : here < needed ? 'refused' : 'open'
}

/** Everybody about both records with `SAMPLES`; otherwise each about one of them, in turns over the routes. */
const isAsked = (route: string, name: string, place: Place) =>
  process.env['SAMPLES'] !== undefined ||
  places[(recordRoutes.indexOf(route) + Object.keys(people).indexOf(name)) % places.length] === place

test.for(recordRoutes)('%s is open to callers whose highest role on the record is sufficient', async (route) => {
  const needed = rank.indexOf(access[route]!.role)
  for (const [name, roles] of Object.entries(people)) {
    const { headers } = await lasting(name)
    for (const place of places.filter((one) => isAsked(route, name, one))) {
      const found = await judge(await send(app, route, place, headers))
      expect([name, place, found]).toEqual([name, place, expectedAt(place, roles, needed)])
      if (found === 'open' && route.startsWith('DELETE') && !route.endsWith('/dismiss'))
        await send(app, route.replace('DELETE', 'POST').concat('/restore'), place, { cookie: app.cookie })
    }
  }
})

test.for<[string, (connectionId: string) => object]>([
  [
    '/api/static-exports',
    (connectionId) => ({ connectionId, requestId: randomUUID(), domain: `${randomUUID()}.example.com` }),
  ],
  ['/api/static-exports/import', (connectionId) => ({ connectionId, jobId: 'x', domain: 'x.example.com' })],
  ['/api/agent-jobs', (connectionId) => ({ connectionId, jobs: [{ projectId: 'docs', id: 'x' }] })],
  ['/api/agent-prompts', (connectionId) => ({ connectionId, requestId: randomUUID(), projectId: 'x', prompt: 'x' })],
])('POST %s is open to operators of the connection that it names', async ([path, body]) => {
  for (const [name, roles] of Object.entries(people)) {
    const { headers } = await lasting(name)
    for (const place of places) {
      const found = await judge(await app.post(path, body(ids[place]), headers))
      expect([name, place, found]).toEqual([name, place, expectedAt(place, roles, rank.indexOf('operator'))])
    }
  }
})

test('lists, filters, activity and status reveal nothing of connections on which the caller has no role', async () => {
  for (const [name, roles] of Object.entries(people)) {
    const { headers } = await lasting(name)
    const texts = new Map<string, string>()
    const read = async (path: string) => {
      const text = texts.get(path) ?? (await (await app.get(path, headers)).text())
      texts.set(path, text)
      return text
    }
    const status = name === 'nobody' ? null : Status.parse(JSON.parse(await read('/api/status')))
    for (const place of places) {
      const sees = expectedAt(place, roles, rank.indexOf('viewer')) === 'open'
      const operates = expectedAt(place, roles, rank.indexOf('operator')) === 'open'
      for (const path of ['/api/static-exports', '/api/static-exports/filters', '/api/activity'])
        expect([name, place, path, (await read(path)).includes(place)]).toEqual([name, place, path, sees])
      expect([name, (await read('/api/agent-jobs')).includes(`job-${place}`)]).toEqual([name, sees])
      for (const path of ['/api/static-exports', '/api/agent-jobs'])
        expect([name, (await read(`${path}?connection=${ids[place]}`)).includes(ids[place])]).toEqual([name, sees])
      for (const query of [`domain=${place}.example.com`, `domain=${place}.example.com&connection=${ids[place]}`])
        expect([name, (await read(`/api/static-exports/statistics?${query}`)).includes(ids[place])]).toEqual([
          name,
          sees,
        ])
      const there = status?.connections.find((one) => one.name === place)
      expect([name, place, there?.mayOperate]).toEqual([name, place, sees ? operates : undefined])
    }
  }
})

test('a cached response for a caller who sees everything is never sent to one who does not', async () => {
  const path = '/api/static-exports?sort=domain'
  const etag = (await app.get(path)).headers.get('etag')!
  const [viewer, limited] = [await person('viewer'), await person('none', { staging: 'operator' })]
  const poll = async (headers: Headers) => (await app.get(path, { ...headers, 'if-none-match': etag })).status
  expect([await poll({}), await poll(viewer.headers), await poll(limited.headers)]).toEqual([304, 304, 200])
})

test('a record of an invisible connection gets the same response as an unknown one', async () => {
  const { headers } = await person('none', { staging: 'operator' })
  const read = async (path: string, method = 'GET') => {
    const response = method === 'GET' ? await app.get(path, headers) : await app.send(method, path, {}, headers)
    const { requestId: _, ...body } = ApiErrorBody.parse(await response.json())
    return [response.status, body]
  }
  const { exportId, job } = records.production
  for (const rest of ['', '/history'])
    expect(await read(`/api/static-exports/${exportId}${rest}`)).toEqual(
      await read(`/api/static-exports/${randomUUID()}${rest}`),
    )
  for (const project of ['docs', '%20docs%20', 'd%6fcs'])
    for (const [rest, method] of [
      ['', 'GET'],
      ['/messages', 'POST'],
      ['/check', 'POST'],
      [`?connection=${ids.production}`, 'GET'],
      [`?connection=${ids.production.toUpperCase()}`, 'GET'],
    ])
      expect([project, rest, await read(`/api/agent-jobs/${project}/${job.id}${rest}`, method)]).toEqual([
        project,
        rest,
        await read(`/api/agent-jobs/${project}/${randomUUID()}${rest}`, method),
      ])
})

test('the key of an agent job gives no access without a role, however the key is written', async () => {
  const { headers } = await person('viewer', { staging: 'operator' })
  const { job } = records.production
  for (const path of [`docs/${job.id}`, `%20docs%20/${job.id}`, `docs/${job.id}%20`, `docs/${job.id}/`])
    for (const query of ['', `?connection=${ids.staging}`, `?connection=${ids.production}`, '?connection=x']) {
      const response = await app.delete(`/api/agent-jobs/${path}${query}`, headers)
      expect([path, query, response.ok]).toEqual([path, query, false])
    }
  const [row] = await app.db.select().from(agentJobs).where(eq(agentJobs.id, job.id))
  expect(row).toMatchObject({ connectionId: ids.production, removedAt: null })
})

test('a job key that exists in several visible connections is a conflict unless the request names one', async () => {
  const twin = { projectId: 'docs', id: 'twin' }
  for (const place of places)
    await app.db.insert(agentJobs).values({ connectionId: ids[place], ...twin, followedAt: new Date() })
  const [both, one] = [await person('viewer'), await person('none', { staging: 'viewer' })]
  const ask = async (query: string, { headers }: { headers: Headers }) =>
    (await app.get(`/api/agent-jobs/docs/twin${query}`, headers)).status
  expect(await ask('', both)).toBe(409)
  expect(await ask('', { headers: { cookie: app.cookie } })).toBe(409)
  expect(await ask(`?connection=${ids.staging}`, both)).toBe(200)
  expect(await ask('', one)).toBe(200)
  expect(await ask(`?connection=${ids.production}`, one)).toBe(404)
})

test('giving or removing a role on a connection takes effect at the next request in every replica', async () => {
  const { userId, headers } = await person('none')
  const read = async () => {
    const answers = await Promise.all([app, replica].map((at) => send(at, recordRoutes[0]!, 'staging', headers)))
    return answers.map(({ status }) => status)
  }
  expect(await read()).toEqual([403, 403])
  const added = await app.post('/api/grants', { userId, role: 'viewer', connectionId: ids.staging })
  expect(added.status).toBe(201)
  expect(await read()).toEqual([200, 200])
  const again = await app.post('/api/grants', { userId, role: 'operator', connectionId: ids.staging })
  const { grantId } = (await again.json()) as { grantId: string }
  const listed = GrantList.parse(await (await replica.get('/api/grants')).json()).items
  expect(listed.filter((grant) => grant.userId === userId)).toMatchObject([
    { grantId, role: 'operator', connectionId: ids.staging, createdBy: 'The admin' },
  ])
  const session = Session.parse(await (await app.get('/api/session', headers)).json())
  expect(session.person?.role).toBe('operator')
  expect((await replica.delete(`/api/grants/${grantId}`)).status).toBe(204)
  expect(await read()).toEqual([403, 403])
  const mine = eq(auditEvents.targetId, userId)
  const events = await app.db.select().from(auditEvents).where(mine).orderBy(auditEvents.auditId)
  expect(events.map(({ action, details }) => [action, details])).toEqual([
    ['grant.added', { role: 'viewer', connectionId: ids.staging }],
    ['grant.added', { role: 'operator', connectionId: ids.staging }],
    ['grant.removed', { role: 'operator', connectionId: ids.staging }],
  ])
})

test('only admins can grant roles, and never to themselves', async () => {
  const boss = await person('admin')
  await app.db
    .update(users)
    .set({ oidcGroups: ['owners'] })
    .where(eq(users.id, boss.userId))
  const add = async (body: object, { headers }: { headers: Headers } = boss) =>
    (await app.post('/api/grants', { role: 'operator', connectionId: ids.staging, ...body }, headers)).status
  expect(await add({ userId: boss.userId })).toBe(403)
  expect(await add({ userId: boss.userId.toUpperCase() })).toBe(403)
  expect(await add({ oidcGroup: 'owners' })).toBe(403)
  expect(await add({ oidcGroup: ' owners ' })).toBe(403)
  for (const role of ['none', 'viewer', 'operator'] as const) {
    const other = await person(role, { staging: 'operator' })
    expect(await add({ userId: other.userId }, other)).toBe(403)
    expect(await add({ oidcGroup: 'others' }, other)).toBe(403)
  }
  expect(await app.db.select().from(grants).where(eq(grants.userId, boss.userId))).toMatchObject([{ role: 'admin' }])
  const [own] = await app.db
    .insert(grants)
    .values({ userId: boss.userId, role: 'viewer', connectionId: ids.staging })
    .returning()
  expect((await app.delete(`/api/grants/${own!.grantId}`, boss.headers)).status).toBe(403)
  // A role over everything is changed with the person only.
  const [everywhere] = await app.db.select().from(grants).where(eq(grants.role, 'operator')).limit(1)
  const other = await person('operator')
  const [row] = await app.db.select().from(grants).where(eq(grants.userId, other.userId))
  expect((await app.delete(`/api/grants/${row!.grantId}`, boss.headers)).status).toBe(404)
  expect(everywhere).toBeDefined()
  expect(await add({ userId: other.userId, role: 'admin' })).toBe(400)
  expect(await add({ userId: other.userId, oidcGroup: 'others' })).toBe(400)
  expect(await add({})).toBe(400)
  expect(await add({ userId: randomUUID() })).toBe(404)
  expect(await add({ userId: other.userId, connectionId: randomUUID() })).toBe(404)
})

test('an auditor cannot be given a role on a connection', async () => {
  const { userId } = await person('auditor')
  const response = await app.post('/api/grants', { userId, role: 'operator', connectionId: ids.staging })
  expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('The auditor is an auditor')])
})

test('a token never exceeds its owner’s rights, in every replica from the next request on', async () => {
  const owner = await signedIn(app.db, 'admin')
  const made = await app.post(
    '/api/tokens',
    { name: 'theirs', scope: 'operate', expiresInDays: null },
    { cookie: owner.cookie },
  )
  const { token } = (await made.json()) as { token: string }
  const bearer = { authorization: `Bearer ${token}`, cookie: undefined, origin: undefined, 'x-docket': undefined }
  const check = async (place: Place) => {
    const route = 'POST /api/static-exports/:exportId/check'
    const answers = await Promise.all([app, replica].map((at) => send(at, route, place, bearer)))
    return answers.map(({ status }) => (status === 403 || status === 404 ? status : 200))
  }
  const setRole = async (role: Role) => {
    const response = await app.send('PATCH', `/api/users/${owner.userId}`, { role })
    expect(response.status).toBe(200)
  }
  expect(await check('staging')).toEqual([200, 200])
  await setRole('viewer')
  expect(await check('staging')).toEqual([403, 403])
  expect((await replica.get('/api/static-exports', bearer)).status).toBe(200)
  await setRole('auditor')
  expect(await check('staging')).toEqual([403, 403])
  expect((await replica.get('/api/static-exports', bearer)).status).toBe(200)
  expect((await replica.get('/api/audit', bearer)).status).toBe(403)
  await setRole('none')
  expect((await replica.get('/api/static-exports', bearer)).status).toBe(403)
  await app.post('/api/grants', { userId: owner.userId, role: 'operator', connectionId: ids.staging })
  expect([await check('staging'), await check('production')]).toEqual([
    [200, 200],
    [404, 404],
  ])
  await setRole('operator')
  expect(await check('production')).toEqual([200, 200])
  expect((await app.delete(`/api/users/${owner.userId}`)).status).toBe(204)
  expect((await app.get('/api/static-exports', bearer)).status).toBe(401)
})

test('a token limited to some connections cannot find records of other connections', async () => {
  const { bearer, apiToken } = await makeToken(app, { connectionIds: [ids.staging.toUpperCase(), ids.staging] })
  expect(apiToken.connectionIds).toEqual([ids.staging])
  const { items } = ApiTokenList.parse(await (await app.get('/api/tokens')).json())
  expect(items.find(({ tokenId }) => tokenId === apiToken.tokenId)?.connectionIds).toEqual([ids.staging])
  for (const route of recordRoutes.filter((one) => access[one]!.tokens !== 'none' && !one.startsWith('DELETE'))) {
    expect([route, await judge(await send(app, route, 'production', bearer))]).toEqual([route, 'absent'])
    expect([route, await judge(await send(app, route, 'staging', bearer))]).toEqual([route, 'open'])
  }
})
