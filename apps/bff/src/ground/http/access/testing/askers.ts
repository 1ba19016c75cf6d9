import type { CreateApiToken } from '@docket/api-types/tokens'
import type { Role } from '@docket/api-types/session'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { findSession } from '#people/accounts/sessions.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { signedIn } from '#testing/people.ts'
import { makeToken } from '#testing/tokens.ts'
import type { twoOfEverything } from './two-of-everything.ts'

export type Headers = Record<string, string | undefined>

/** Rights of a caller on the site of their world. */
export type SiteRight = 'see' | 'publish' | 'approve' | 'change' | 'operate' | 'override' | 'admin'

/** Which records of the world `own` a caller may see and change, and which worlds are invisible to them. */
type ExpectedRights = {
  exports: 'none' | 'see' | 'operate'
  jobs: 'none' | 'see' | 'operate'
  site: readonly SiteRight[]
  outside: readonly ('channel' | 'sibling' | 'foreign')[]
}

/**
 * A caller: the role they count as, and how their token is restricted. A `dead` token is refused wherever it is sent.
 */
export type Asker = {
  role: Role | 'nobody'
  token?: 'whole' | 'restricted' | 'dead'
  /** The caller may not prompt agents. */
  mute?: true
  /** True for callers that are tested on some routes only, because other callers are like them. */
  isExtra?: true
  /** Null for callers who are refused every record. */
  reach: ExpectedRights | null
  headers: (route: string) => Headers | Promise<Headers>
}

const sees: SiteRight[] = ['see']
const publishes: SiteRight[] = [...sees, 'publish']
const operates: SiteRight[] = [...publishes, 'change', 'operate']
const nowhere = ['channel', 'sibling', 'foreign'] as const

const reaches = {
  sees: { exports: 'see', jobs: 'see', site: sees, outside: [] },
  operates: { exports: 'operate', jobs: 'operate', site: [...operates, 'approve'], outside: [] },
  admin: { exports: 'operate', jobs: 'operate', site: [...operates, 'approve', 'override', 'admin'], outside: [] },
  token: { exports: 'operate', jobs: 'operate', site: operates, outside: [] },
} satisfies Record<string, ExpectedRights>
const there = (reach: ExpectedRights): ExpectedRights => ({ ...reach, outside: ['foreign'] })
const ofSite = (site: SiteRight[], outside: ExpectedRights['outside']): ExpectedRights => ({
  exports: 'none',
  jobs: 'none',
  site,
  outside,
})

const ofRole: Record<Role, ExpectedRights | null> = {
  none: ofSite([], nowhere),
  viewer: reaches.sees,
  auditor: reaches.sees,
  operator: reaches.operates,
  admin: reaches.admin,
}

/** Routes that may end the caller's session. */
const ending = / \/api\/(?:session|account|auth|setup|links)\b/

type SignedIn = { cookie: string; token: string }

/** Uses the same person for every route, and a new one after a route that ended the session. */
const lasting = (
  signInAnew: () => Promise<SignedIn>,
  isSignedIn: (token: string) => Promise<boolean>,
): Asker['headers'] => {
  let known: SignedIn | null = null
  let mayHaveEnded = false
  return async (route) => {
    if (known !== null && mayHaveEnded && !(await isSignedIn(known.token))) known = null
    known ??= await signInAnew()
    mayHaveEnded = ending.test(route)
    return { cookie: known.cookie }
  }
}

type Stand = Pick<Awaited<ReturnType<typeof twoOfEverything>>, 'app' | 'worlds'>

/** All kinds of callers, by name. `clock` advances by three days. */
export const makeAskers = async ({ app, worlds }: Stand, clock: { now: number }): Promise<Record<string, Asker>> => {
  const { connectionId, siteId, channelId, domain, projectId } = worlds.own.ids as Record<string, string>
  const askers: Record<string, Asker> = {}
  const signIn = (role: Role) => signedIn(app.db, role, { now: clock.now })
  const isSignedIn = async (token: string) => (await findSession(app.db, token, clock.now)) !== null

  /** Sends two requests, so that all caches contain these headers, then ends the session or token behind them. */
  const ended = async (headers: Headers, end: () => unknown): Promise<() => Headers> => {
    for (const path of ['/api/static-exports', '/api/agent-jobs', '/api/activity']) {
      const { status, headers: answered } = await app.get(path, headers)
      const again = await app.get(path, { ...headers, 'if-none-match': answered.get('etag') ?? '' })
      expect([path, status, again.status]).toEqual([path, 200, 304])
    }
    await end()
    return () => headers
  }
  const addPerson = (
    name: string,
    { role, reach, has = 'none' }: { role: Role; reach: ExpectedRights | null; has?: Role },
    change: (userId: string, cookie: string) => unknown = () => {},
  ) => {
    const signInAnew = async () => {
      const { cookie, userId, token } = await signIn(has)
      await change(userId, cookie)
      return { cookie, token }
    }
    askers[name] = { role, reach, headers: lasting(signInAnew, isSignedIn) }
  }
  const addEnded = async (name: string, end: (person: Awaited<ReturnType<typeof signIn>>) => unknown) => {
    const person = await signIn('admin')
    askers[name] = { role: 'nobody', reach: null, headers: await ended({ cookie: person.cookie }, () => end(person)) }
  }
  const addToken = async (
    name: string,
    kind: Pick<Asker, 'role' | 'token' | 'reach'>,
    request: Partial<CreateApiToken>,
  ) => {
    const { bearer } = await makeToken(app, request)
    askers[name] = { ...kind, headers: () => bearer }
  }
  const grant = (role: Role) => (userId: string) =>
    app.db.insert(grants).values({ userId, role, connectionId: connectionId! })
  const grantSite = (role: 'viewer' | 'operator', ofChannel?: string) => (userId: string) =>
    app.db.insert(siteGrants).values({ userId, role, siteId: siteId!, channelId: ofChannel, createdAt: new Date() })

  askers['nobody'] = { role: 'nobody', reach: null, headers: () => ({ cookie: undefined }) }
  const forged = app.cookie!.replace(/\.(.)/, (_, first) => `.${first === 'A' ? 'B' : 'A'}`)
  askers['nobody with a forged cookie'] = { role: 'nobody', reach: null, headers: () => ({ cookie: forged }) }
  for (const role of ['none', 'viewer', 'auditor', 'operator', 'admin'] as const)
    addPerson(role, { role, reach: ofRole[role], has: role })
  addPerson('viewer of a connection', { role: 'viewer', reach: there(reaches.sees) }, grant('viewer'))
  addPerson('operator of a connection', { role: 'operator', reach: there(reaches.operates) }, grant('operator'))
  addPerson('admin of a connection', { role: 'operator', reach: there(reaches.operates) }, grant('admin'))
  addPerson(
    'auditor who operates a connection',
    { role: 'auditor', reach: reaches.sees, has: 'auditor' },
    grant('operator'),
  )
  const inSite = ['sibling', 'foreign'] as const
  addPerson('viewer of a site', { role: 'none', reach: ofSite(sees, inSite) }, grantSite('viewer'))
  const operatesSite: SiteRight[] = [...publishes, 'approve', 'change', 'override']
  addPerson('operator of a site', { role: 'none', reach: ofSite(operatesSite, inSite) }, grantSite('operator'))
  addPerson('viewer of a channel', { role: 'none', reach: ofSite(sees, nowhere) }, grantSite('viewer', channelId))
  const operatesChannel: SiteRight[] = [...publishes, 'approve', 'override']
  addPerson(
    'operator of a channel',
    { role: 'none', reach: ofSite(operatesChannel, nowhere) },
    grantSite('operator', channelId),
  )
  // Changes the role as a single sign-on group does: the sessions continue.
  addPerson(
    'admin who became a viewer',
    { role: 'viewer', reach: reaches.sees, has: 'admin' },
    async (userId, cookie) => {
      expect((await app.get('/api/users', { cookie })).status).toBe(200)
      await app.db.update(users).set({ role: 'viewer' }).where(eq(users.id, userId))
    },
  )
  addPerson(
    'operator who may not prompt',
    { role: 'operator', reach: reaches.operates, has: 'operator' },
    async (userId, cookie) => {
      // The earlier rights are cached now.
      expect((await app.get('/api/agent-jobs', { cookie })).status).toBe(200)
      expect((await app.send('PATCH', `/api/users/${userId}`, { mayPrompt: false })).status).toBe(200)
    },
  )
  askers['operator who may not prompt']!.mute = true

  const [read, operate] = [
    { role: 'viewer', token: 'whole' },
    { role: 'operator', token: 'whole' },
  ] as const
  const [readPart, operatePart] = [
    { ...read, token: 'restricted' },
    { ...operate, token: 'restricted' },
  ] as const
  const ofDomain: ExpectedRights = { exports: 'operate', jobs: 'none', site: [], outside: nowhere }
  const ofProject: ExpectedRights = { exports: 'none', jobs: 'operate', site: [], outside: nowhere }
  await addToken('token that may not prompt', { ...operate, reach: reaches.token }, { mayPrompt: false })
  askers['token that may not prompt']!.mute = true
  await addToken('token to read', { ...read, reach: reaches.sees }, { scope: 'read' })
  await addToken('token to operate', { ...operate, reach: reaches.token }, {})
  await addToken(
    'token of a connection',
    { ...operate, reach: there(reaches.token) },
    { connectionIds: [connectionId!] },
  )
  await addToken(
    'token to read a domain',
    { ...readPart, reach: { ...ofDomain, exports: 'see' } },
    { scope: 'read', domains: [domain!] },
  )
  await addToken('token of a domain', { ...operatePart, reach: ofDomain }, { domains: [domain!] })
  await addToken('token of a project', { ...operatePart, reach: ofProject }, { projectIds: [projectId!] })
  await addToken(
    'token of both',
    { ...operatePart, reach: { ...ofDomain, jobs: 'operate' } },
    { domains: [domain!], projectIds: [projectId!] },
  )
  const changesSite: SiteRight[] = operates
  await addToken(
    'token of a site',
    { ...operatePart, reach: ofSite(changesSite, inSite) },
    { sites: [{ siteId: siteId! }] },
  )
  await addToken(
    'token of a channel',
    { ...operatePart, reach: ofSite(publishes, nowhere) },
    { sites: [{ siteId: siteId!, channelId }] },
  )

  await addEnded('admin who was idle for three days', () => {})
  const [revoked, expired] = [await makeToken(app), await makeToken(app, { expiresInDays: 1 })]
  askers['expired token'] = {
    role: 'nobody',
    token: 'dead',
    reach: null,
    headers: await ended(expired.bearer, () => {}),
  }
  clock.now += 2 * 86_400_000
  // Keeps the session of the admin in `app` from becoming idle.
  await app.get('/api/status')
  clock.now += 86_400_000
  const revoke = () => app.delete(`/api/tokens/${revoked.apiToken.tokenId}`)
  askers['revoked token of somebody else'] = {
    role: 'nobody',
    token: 'dead',
    reach: null,
    headers: await ended(revoked.bearer, revoke),
  }
  const path = (userId: string) => `/api/users/${userId}`
  await addEnded('admin who signed out', ({ cookie }) => app.delete('/api/session', { cookie }))
  await addEnded('admin whose sessions were ended', ({ userId }) => app.delete(`${path(userId)}/sessions`))
  await addEnded('disabled admin', ({ userId }) => app.send('PATCH', path(userId), { disabled: true }))
  await addEnded('demoted admin', ({ userId }) => app.send('PATCH', path(userId), { role: 'viewer' }))
  await addEnded('deleted admin', ({ userId }) => app.delete(path(userId)))
  const extra =
    /forged|idle|expired|signed out|ended|demoted|deleted|admin of|auditor who|became|may not prompt|read a domain|both/
  for (const [name, asker] of Object.entries(askers)) if (extra.test(name)) asker.isExtra = true
  return askers
}
