import { ApiErrorBody } from '@docket/api-types/api-error'
import type { CreateApiToken } from '@docket/api-types/api-tokens'
import type { Role } from '@docket/api-types/session'
import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#accounts/accounts.table.ts'
import { grants } from '#accounts/grants.table.ts'
import { access, checkAccess } from '#http/access/access.ts'
import type { AppEnv } from '#http/app-env.ts'
import { addConnection } from '#testing/connections.ts'
import { sites } from '#sites/sites.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

type Headers = Record<string, string | undefined>
/**
 * A caller: the role they count as, and how their token is restricted. A `dead` token is refused wherever it is sent.
 */
type Asker = {
  role: Role | 'nobody'
  token?: 'whole' | 'restricted' | 'dead'
  /** They may not prompt agents. */
  mute?: true
  headers: (route: string) => Headers | Promise<Headers>
}

const dayMs = 86_400_000
const clock = { now: Date.now() }
let app: TestApp
const askers: Record<string, Asker> = {}
/** The ETag an admin got from each route that is read, as browsers send it along. */
const entityTags = new Map<string, string>()

const signIn = (role: Role) => signedIn(app.db, role, { now: clock.now })

/** Routes that may end the caller's session. */
const ending = / \/api\/(?:session|account|auth|setup|links)\b/

/** The same person for every route, and a new one after each that may end the session. */
const lasting = (signInAnew: () => Promise<Headers>): Asker['headers'] => {
  let known: Headers | null = null
  return async (route) => {
    const headers = known ?? (await signInAnew())
    known = ending.test(route) ? null : headers
    return headers
  }
}

/**
 * Asks twice, so that every cache of people and responses knows these headers, then ends the session or token behind
 * them.
 */
const ended = async (headers: Headers, end: () => unknown): Promise<() => Headers> => {
  for (const path of ['/api/static-exports', '/api/agent-jobs', '/api/activity']) {
    const { status, headers: answered } = await app.get(path, headers)
    const again = await app.get(path, { ...headers, 'if-none-match': answered.get('etag') ?? '' })
    expect([path, status, again.status]).toEqual([path, 200, 304])
  }
  await end()
  return () => headers
}

const addEnded = async (name: string, end: (person: Awaited<ReturnType<typeof signIn>>) => unknown) => {
  const person = await signIn('admin')
  askers[name] = { role: 'nobody', headers: await ended({ cookie: person.cookie }, () => end(person)) }
}

const addToken = async (name: string, role: Role, token: 'whole' | 'restricted', request: Partial<CreateApiToken>) => {
  const { bearer } = await makeToken(app, request)
  askers[name] = { role, token, headers: () => bearer }
}

beforeAll(async () => {
  app = await testApp({ now: () => clock.now })
  askers['nobody'] = { role: 'nobody', headers: () => ({ cookie: undefined }) }
  const forged = app.cookie!.replace(/\.(.)/, (_, first) => `.${first === 'A' ? 'B' : 'A'}`)
  askers['nobody with a forged cookie'] = { role: 'nobody', headers: () => ({ cookie: forged }) }
  for (const role of ['none', 'viewer', 'auditor', 'operator', 'admin'] as const)
    askers[role] = { role, headers: lasting(async () => ({ cookie: (await signIn(role)).cookie })) }
  const connectionId = await addConnection(app.db, 'staging')
  for (const role of ['viewer', 'operator'] as const)
    askers[`${role} of a connection`] = {
      role,
      headers: lasting(async () => {
        const { cookie, userId } = await signIn('none')
        await app.db.insert(grants).values({ userId, role, connectionId })
        return { cookie }
      }),
    }
  askers['an admin of a connection'] = {
    role: 'operator',
    headers: lasting(async () => {
      const { cookie, userId } = await signIn('none')
      await app.db.insert(grants).values({ userId, role: 'admin', connectionId })
      return { cookie }
    }),
  }
  askers['an auditor who operates a connection'] = {
    role: 'auditor',
    headers: lasting(async () => {
      const { cookie, userId } = await signIn('auditor')
      await app.db.insert(grants).values({ userId, role: 'operator', connectionId })
      return { cookie }
    }),
  }
  // As a group of the single sign-on changes roles: the sessions go on.
  askers['an admin who became a viewer'] = {
    role: 'viewer',
    headers: lasting(async () => {
      const { cookie, userId } = await signIn('admin')
      expect((await app.get('/api/users', { cookie })).status).toBe(200)
      await app.db.update(users).set({ role: 'viewer' }).where(eq(users.id, userId))
      return { cookie }
    }),
  }
  askers['an operator who may not prompt'] = {
    role: 'operator',
    mute: true,
    headers: lasting(async () => {
      const { cookie, userId } = await signIn('operator')
      // The rights of before are cached.
      expect((await app.get('/api/agent-jobs', { cookie })).status).toBe(200)
      const changed = await app.send('PATCH', `/api/users/${userId}`, { mayPrompt: false })
      expect(changed.status).toBe(200)
      return { cookie }
    }),
  }
  const { bearer: mute } = await makeToken(app, { mayPrompt: false })
  askers['a token that may not prompt'] = { role: 'operator', token: 'whole', mute: true, headers: () => mute }
  await addToken('a token to read', 'viewer', 'whole', { scope: 'read' })
  await addToken('a token to operate', 'operator', 'whole', {})
  await addToken('a token to read a domain', 'viewer', 'restricted', { scope: 'read', domains: ['a.example'] })
  await addToken('a token to operate a domain', 'operator', 'restricted', { domains: ['a.example'] })
  await addToken('a token to operate a project', 'operator', 'restricted', { projectIds: ['p'] })
  const [site] = await app.db
    .insert(sites)
    .values({ connectionId, domain: 'a.example', createdAt: new Date() })
    .returning()
  await addToken('a token to operate a site', 'operator', 'restricted', { sites: [{ siteId: site!.siteId }] })
  await addToken('a token to operate both', 'operator', 'restricted', { domains: ['a.example'], projectIds: ['p'] })
  await addEnded('an admin who was idle for three days', () => {})
  const [revoked, expired] = [await makeToken(app), await makeToken(app, { expiresInDays: 1 })]
  askers['an expired token'] = { role: 'nobody', token: 'dead', headers: await ended(expired.bearer, () => {}) }
  clock.now += 2 * dayMs
  // The admin who asks in `app` is not idle.
  await app.get('/api/status')
  clock.now += dayMs
  const revoke = () => app.delete(`/api/tokens/${revoked.apiToken.tokenId}`)
  askers['a revoked token'] = { role: 'nobody', token: 'dead', headers: await ended(revoked.bearer, revoke) }
  const path = (userId: string) => `/api/users/${userId}`
  await addEnded('an admin who signed out', ({ cookie }) => app.delete('/api/session', { cookie }))
  await addEnded('an admin whose sessions were ended', ({ userId }) => app.delete(`${path(userId)}/sessions`))
  await addEnded('a disabled admin', ({ userId }) => app.send('PATCH', path(userId), { disabled: true }))
  await addEnded('a demoted admin', ({ userId }) => app.send('PATCH', path(userId), { role: 'viewer' }))
  await addEnded('a deleted admin', ({ userId }) => app.delete(path(userId)))
  for (const route of Object.keys(access).filter((one) => one.startsWith('GET '))) {
    const response = await app.get(toAddress(route))
    const tag = response.headers.get('etag')
    if (tag !== null) entityTags.set(route, tag)
    await response.body?.cancel()
  }
  expect(entityTags.size).toBeGreaterThan(2)
})
afterAll(() => app.close())

const toAddress = (route: string) =>
  route.split(' ')[1]!.replaceAll(/:\w*[iI]d\b/g, '00000000-0000-4000-8000-000000000000')

const included: Record<Asker['role'], readonly string[]> = {
  nobody: [],
  none: ['none'],
  viewer: ['none', 'viewer'],
  auditor: ['none', 'viewer', 'auditor'],
  operator: ['none', 'viewer', 'operator'],
  admin: ['none', 'viewer', 'auditor', 'operator', 'admin'],
}

const isExpected = (route: string, { role, token, mute }: Asker): boolean => {
  const rule = access[route]!
  if (token === 'dead') return !/ \/(?:api|sites|bundles)\//.test(route)
  if (token !== undefined && rule.tokens === 'none') return false
  if (token === 'restricted' && rule.tokens === 'whole') return false
  if (mute && rule.prompts) return false
  return rule.role === 'anyone' || included[role].includes(rule.role)
}

/** True when access control let the request pass; later checks use other messages. */
const isLetThrough = async (route: string, asker: Asker): Promise<boolean> => {
  const [method = ''] = route.split(' ')
  const headers = { ...(await asker.headers(route)), 'if-none-match': entityTags.get(route) }
  const response =
    method === 'GET'
      ? await app.get(toAddress(route), headers)
      : method === 'DELETE'
        ? await app.delete(toAddress(route), headers)
        : await app.send(method, toAddress(route), {}, headers)
  if (response.status !== 401 && response.status !== 403) return true
  const { code, message } = ApiErrorBody.parse(await response.json())
  expect(code).toBe(asker.role === 'nobody' ? 'not_signed_in' : 'forbidden')
  expect(response.headers.get('www-authenticate')).toBe(response.status === 401 ? 'Bearer' : null)
  return !/^(?:Sign in to continue|Only |API tokens can’t|This token (?:can only read|may not send prompts|can’t do anything|is limited to)|This API token doesn’t work)/.test(
    message,
  )
}

// Git's routes take no cookie; code-host.test.ts has them.
test.for(Object.keys(access).filter((route) => !route.includes(' /git/')))(
  '%s is open to exactly those who are written down',
  async (route) => {
    const all = Object.entries(askers)
    const open = await Promise.all(all.map(async ([name, asker]) => [name, await isLetThrough(route, asker)]))
    expect(open).toEqual(all.map(([name, asker]) => [name, isExpected(route, asker)]))
  },
)

test('the table names every route that the server has, and no other', () => {
  const served = app.app.routes.flatMap(({ method, path }) =>
    method === 'ALL' || path === '*' || path === '/*' ? [] : [`${method} ${path}`],
  )
  expect([...new Set(served)].toSorted()).toEqual(Object.keys(access).toSorted())
})

test('viewers, auditors and people without a role may change only their own account, views and previews, and without a session only sign-in routes change anything', () => {
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

test('an auditor reaches what a viewer reaches and the audit, and nothing more', () => {
  const ofAuditors = Object.entries(access).flatMap(([route, { role }]) => (role === 'auditor' ? [route] : []))
  expect(ofAuditors).toEqual(['GET /api/audit', 'GET /api/audit/export', 'GET /api/audit/verify'])
})

test('no token reaches people, accounts, tokens or the audit', () => {
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

test('a route that is written down and does not exist keeps the server from starting', () => {
  const served = new Hono<AppEnv>()
  expect(() => checkAccess(served)).toThrow('names routes that do not exist: GET /livez')
})
