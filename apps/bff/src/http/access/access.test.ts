import { ApiErrorBody } from '@docket/api-types/api-error'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { access, checkAccess } from '#http/access/access.ts'
import type { AppEnv } from '#http/app-env.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

const people = ['viewer', 'operator', 'admin'] as const
const tokens = ['read token', 'operate token', 'restricted token'] as const
type Asker = 'nobody' | (typeof people)[number] | (typeof tokens)[number]
const askers: readonly Asker[] = ['nobody', ...people, ...tokens]

let app: TestApp
let bearers: Record<(typeof tokens)[number], Record<string, string | undefined>>
beforeAll(async () => {
  app = await testApp()
  bearers = {
    'read token': (await makeToken(app, { scope: 'read' })).bearer,
    'operate token': (await makeToken(app)).bearer,
    'restricted token': (await makeToken(app, { domains: ['docs.example.com'], projectIds: ['p'] })).bearer,
  }
})
afterAll(() => app.close())

const roleOf: Record<Asker, string> = {
  nobody: 'nobody',
  viewer: 'viewer',
  operator: 'operator',
  admin: 'admin',
  'read token': 'viewer',
  'operate token': 'operator',
  'restricted token': 'operator',
}
const rank = ['nobody', 'viewer', 'operator', 'admin']

const isExpected = (route: string, asker: Asker): boolean => {
  const { role, tokens: which } = access[route]!
  if (asker.endsWith('token') && which === 'none') return false
  if (asker === 'restricted token' && which === 'whole') return false
  return role === 'anyone' || rank.indexOf(roleOf[asker]) >= rank.indexOf(role)
}

/** Somebody new each time: some routes end the session that asks. */
const headersOf = async (asker: Asker): Promise<Record<string, string | undefined>> => {
  if (asker === 'nobody') return { cookie: undefined }
  const person = people.find((role) => role === asker)
  return person === undefined
    ? bearers[asker as (typeof tokens)[number]]
    : { cookie: (await signedIn(app.db, person)).cookie }
}

/** Whether access control let the request through: what comes after it says other sentences. */
const isLetThrough = async (route: string, asker: Asker): Promise<boolean> => {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replaceAll(/:\w*[iI]d\b/g, '00000000-0000-4000-8000-000000000000')
  const headers = await headersOf(asker)
  const response =
    method === 'GET'
      ? await app.get(url, headers)
      : method === 'DELETE'
        ? await app.delete(url, headers)
        : await app.send(method, url, {}, headers)
  if (response.status !== 401 && response.status !== 403) return true
  const { code, message } = ApiErrorBody.parse(await response.json())
  expect(code).toBe(asker === 'nobody' ? 'not_signed_in' : 'forbidden')
  expect(response.headers.get('www-authenticate')).toBe(response.status === 401 ? 'Bearer' : null)
  return !/^(?:Sign in to go on|This takes an? |API tokens may not|This token (?:may only read|is for some))/.test(
    message,
  )
}

test.for(Object.keys(access))('%s is open to exactly those who are written down', async (route) => {
  const open = await Promise.all(askers.map(async (asker) => [asker, await isLetThrough(route, asker)]))
  expect(open).toEqual(askers.map((asker) => [asker, isExpected(route, asker)]))
})

test('the table names every route that the server has, and no other', () => {
  const served = app.app.routes.flatMap(({ method, path }) =>
    method === 'ALL' || path === '*' || path === '/*' ? [] : [`${method} ${path}`],
  )
  expect([...new Set(served)].toSorted()).toEqual(Object.keys(access).toSorted())
})

test('what changes something is never open to viewers but for their own account, and never to everybody but to come in', () => {
  const changing = Object.entries(access).filter(([route]) => !route.startsWith('GET '))
  for (const [route, { role }] of changing) {
    if (role === 'viewer') expect(route).toMatch(/^\w+ \/api\/(?:account|auth)\b/)
    if (role === 'anyone') expect(route).toMatch(/^\w+ \/api\/(?:session|setup|auth|links)\b/)
  }
})

test('no token reaches people, accounts, tokens or the audit', () => {
  const guarded = Object.entries(access).filter(([route]) =>
    /\/api\/(?:users|account|auth|links|setup|tokens|audit)\b/.test(route),
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

test('a route that nobody wrote down keeps the server from starting', () => {
  const served = everyRoute()
  expect(() => checkAccess(served)).not.toThrow()
  served.post('/api/forgotten', (c) => c.body(null))
  expect(() => checkAccess(served)).toThrow('POST /api/forgotten')
})

test('a route that is written down and does not exist keeps the server from starting', () => {
  const served = new Hono<AppEnv>()
  expect(() => checkAccess(served)).toThrow('names routes that do not exist: GET /livez')
})
