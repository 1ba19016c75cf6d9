import { makeSetupLink } from '#people/accounts/setup.ts'
import { OidcStarted } from '@docket/api-types/accounts'
import { Session, type Role } from '@docket/api-types/session'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { passkeys, sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { addConnection, addRecords } from '#testing/connections.ts'
import { testDatabase } from '#testing/database.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import {
  keys,
  signedToken,
  startProviderStandIn,
  type Misbehaviour,
  type StandInPerson,
} from './testing/provider-stand-in.ts'
import {
  followSignIn,
  begin as beginAt,
  readCookie,
  readRefusal,
  settingsFor,
  signIn as signInAt,
  somebody,
} from './testing/sign-ins.ts'
const provider = await startProviderStandIn()
const database = await testDatabase()
let now = Date.now()
const settings = (groups?: Partial<OidcSettings['groups']>) => settingsFor(provider, groups)
const started = (groups?: Partial<OidcSettings['groups']>) =>
  testApp({ database, as: 'nobody', oidc: settings(groups), now: () => now })
const app = await started()
// Somebody is there, so that not everybody is the first one.
const admin = await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await database.drop()
  await provider.close()
})
afterEach(async () => {
  Object.assign(provider.state, { misbehaves: null, misbehavesAt: null, forge: null, sparse: false })
  now = Date.now()
  await app.db.execute('delete from sign_in_attempts')
})

const begin = (returnTo?: string) => beginAt(app, returnTo)
const signIn = (person: StandInPerson, at: TestApp = app) => signInAt(at, provider, person)
const whois = async (response: Response) =>
  Session.parse(await (await app.get('/api/session', { cookie: readCookie(response) })).json()).person
const findUser = async ({ email }: StandInPerson) =>
  (
    await app.db
      .select()
      .from(users)
      .where(eq(users.email, email ?? ''))
  )[0]

test.for<[unknown, Role]>([
  [['staff', 'docket-admins'], 'admin'],
  [['docs'], 'operator'],
  [['staff'], 'viewer'],
  [['staff', 'controllers'], 'auditor'],
  [['docs', 'controllers'], 'operator'],
  ['docs', 'operator'],
])('a person in the groups %j becomes %s, with the same cookie as after a password sign-in', async ([groups, role]) => {
  const person = somebody(groups)
  const response = await signIn(person)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/exports?state=running')
  const cookies = response.headers.getSetCookie()
  expect(cookies.some((one) => /^docket_\w+=.+HttpOnly; SameSite=Strict/i.test(one))).toBe(true)
  expect(await whois(response)).toMatchObject({ role, email: person.email, name: person.name, hasPassword: false })
})

test('groups can come from the userinfo endpoint, but only if its subject is the same person', async () => {
  provider.state.sparse = true
  expect(await whois(await signIn(somebody(['docs'])))).toMatchObject({ role: 'operator' })
  provider.state.misbehaves = 'another person at userinfo'
  expect(readRefusal(await signIn(somebody(['docs'])))).toBe('provider_refused')
})

test('the authorization request asks for a code with PKCE, a nonce, a state, and Docket’s only redirect address', async () => {
  const { url } = await begin()
  const query = Object.fromEntries(new URL(url).searchParams)
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: 'docket',
    code_challenge_method: 'S256',
    redirect_uri: `${app.url}/api/auth/oidc/callback`,
    scope: 'openid profile email',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/)
  expect((await begin()).url).not.toBe(url)
})

test('the sign-in page gets the name of the single sign-on', async () => {
  const session = Session.parse(await (await app.get('/api/session')).json())
  expect(session.methods).toMatchObject({ oidc: 'Example Company', password: true })
})

test('an authorization code works once, and only in the browser that started the sign-in', async () => {
  provider.state.person = somebody(['staff'])
  const { url, cookie } = await begin()
  const answer = await followSignIn(url)
  const elsewhere = await begin()
  expect(readRefusal(await app.get(answer))).toBe('expired')
  expect(readRefusal(await app.get(answer, { cookie: elsewhere.cookie }))).toBe('expired')
  expect((await app.get(answer, { cookie })).headers.get('location')).toBe('/exports?state=running')
  expect(readRefusal(await app.get(answer, { cookie }))).toBe('expired')
})

test('a callback sent twenty times at once signs in once', async () => {
  provider.state.person = somebody(['staff'])
  const { url, cookie } = await begin()
  const answer = await followSignIn(url)
  const all = await Promise.all(Array.from({ length: 20 }, () => app.get(answer, { cookie })))
  expect(all.filter((one) => one.headers.get('location') === '/exports?state=running')).toHaveLength(1)
})

test("another person's callback does not sign a browser in, and does not break its own pending sign-in", async () => {
  provider.state.person = somebody(['docket-admins'])
  const evil = await followSignIn((await begin()).url)
  const own = await begin()
  expect(readRefusal(await app.get(evil, { cookie: own.cookie }))).toBe('expired')
  provider.state.person = somebody(['staff'])
  const response = await app.get(await followSignIn(own.url), { cookie: own.cookie })
  expect(await whois(response)).toMatchObject({ role: 'viewer' })
})

test('a sign-in that takes longer than ten minutes must be started again', async () => {
  provider.state.person = somebody(['staff'])
  const { url, cookie } = await begin()
  const answer = await followSignIn(url)
  now += 10 * 60_000 + 1
  expect(readRefusal(await app.get(answer, { cookie }))).toBe('expired')
})

test('a sign-in that is cancelled at the provider is reported as cancelled', async () => {
  const { url, cookie } = await begin()
  const state = new URL(url).searchParams.get('state')
  const back = `/api/auth/oidc/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer.origin)}`
  expect(readRefusal(await app.get(back, { cookie }))).toBe('cancelled')
})

test('a refusal of the provider is logged in its own words, and shown to the person whom it refused as text', async () => {
  const { url, cookie } = await begin()
  const words = 'AADSTS50105: <b>Ada</b> has no\nrole\u202e. '.padEnd(2_000, 'x')
  const back = new URLSearchParams({
    error: 'invalid_request',
    error_description: words,
    state: new URL(url).searchParams.get('state')!,
    iss: provider.issuer.origin,
  })
  const response = await app.get(`/api/auth/oidc/callback?${back.toString()}`, { cookie })
  expect(response.headers.get('location')).toBe('/sign-in?error=provider_refused')
  const said = async (from: string) =>
    Session.parse(await (await app.get('/api/session', { cookie: from })).json()).oidcSaid
  const shown = await said(readCookie(response))
  expect(shown).toMatch(/^invalid_request: AADSTS50105: <b>Ada<\/b> has no role \. x+$/)
  expect(shown).toHaveLength(300)
  expect(app.logged()).toContain('The provider says: invalid_request: AADSTS50105')
  expect(await said(readCookie(response).replace('AADSTS50105', 'Call%20me'))).toBeNull()
  expect(await said('')).toBeNull()
})

test('a crafted callback shows no words of its address', async () => {
  const own = await begin()
  const crafted = `/api/auth/oidc/callback?error=x&error_description=Call+me&state=${'a'.repeat(43)}`
  const response = await app.get(crafted, { cookie: own.cookie })
  expect([response.headers.get('location'), readCookie(response)]).toEqual(['/sign-in?error=expired', ''])
})

test('the provider’s words about Docket itself, such as a wrong secret, are only logged', async () => {
  const wrong = await testApp({ database, as: 'nobody', oidc: { ...settings(), clientSecret: () => 'wr0ng' } })
  const response = await signIn(somebody(['staff']), wrong)
  expect([readRefusal(response), readCookie(response)]).toEqual(['provider_refused', ''])
  expect(wrong.logged()).toContain('The provider says: invalid_client')
  expect(wrong.logged()).not.toContain('wr0ng')
  await wrong.close()
})

test('a provider whose clock is behind is refused, and the log names the clocks', async () => {
  provider.state.forge = (claims) =>
    signedToken({ ...claims, iat: Number(claims['iat']) - 360, exp: Number(claims['exp']) - 360 })
  expect(readRefusal(await signIn(somebody(['staff'])))).toBe('clock')
  expect(app.logged()).toMatch(/it was issued 36\d s ago\. Set the clocks of the provider and of this machine/)
})

test('signing in never redirects to another site', async () => {
  provider.state.person = somebody(['staff'])
  const { url, cookie } = await begin('/%2Felsewhere.example')
  expect((await app.get(await followSignIn(url), { cookie })).headers.get('location')).toBe('/')
})

test('people without a permitted group cannot sign in, and losing all groups ends every session', async () => {
  const person = somebody(['docs'])
  const inside = await signIn(person)
  expect(await whois(inside)).toMatchObject({ role: 'operator' })
  expect(readRefusal(await signIn({ ...person, groups: ['others'] }))).toBe('no_access')
  expect(await whois(inside)).toBeNull()
  const stranger = somebody(undefined)
  expect(readRefusal(await signIn(stranger))).toBe('no_access')
  expect(await findUser(stranger)).toBeUndefined()
})

test('a role lost at a new sign-in is immediately lost in the person’s other sessions', async () => {
  const person = somebody(['docket-admins'])
  const before = await signIn(person)
  expect(await whois(before)).toMatchObject({ role: 'admin' })
  await signIn({ ...person, groups: ['staff'] })
  expect(await whois(before)).toMatchObject({ role: 'viewer' })
})

test('roles that groups have on connections follow the last sign-in, even in older sessions', async () => {
  const connectionId = await addConnection(app.db, 'staging')
  const { exportId } = await addRecords(app.db, connectionId, 'staging')
  await app.db.insert(grants).values({ oidcGroup: 'stagers', role: 'operator', connectionId })
  // Docket has no key of this connection, so whoever may check gets a conflict.
  const check = async (response: Response) =>
    (await app.post(`/api/static-exports/${exportId}/check`, undefined, { cookie: readCookie(response) })).status
  const person = somebody(['staff'])
  const before = await signIn(person)
  expect(await check(before)).toBe(403)
  await signIn({ ...person, groups: ['stagers', 'staff'] })
  expect([await check(before), (await whois(before))?.role]).toEqual([409, 'operator'])
  await signIn({ ...person, groups: ['staff'] })
  expect([await check(before), (await whois(before))?.role]).toEqual([403, 'viewer'])
  // A group with a role on a connection may come in, with this role alone.
  await signIn({ ...person, groups: ['stagers'] })
  expect((await findUser(person))?.role).toBe('none')
  expect([await check(before), (await app.get('/api/users', { cookie: readCookie(before) })).status]).toEqual([
    409, 403,
  ])
  const newcomer = somebody(['stagers', 'a\0b'])
  expect(await check(await signIn(newcomer))).toBe(409)
  expect(await findUser(newcomer)).toMatchObject({ role: 'none', oidcGroups: ['stagers'] })
  // Without any group left, nothing of it stays behind.
  expect(readRefusal(await signIn({ ...person, groups: ['others'] }))).toBe('no_access')
  expect(await findUser(person)).toMatchObject({ oidcGroups: ['others'] })
})

test('a person outside the viewers group can sign in through a group with a role on a connection, and gets only that role', async () => {
  const connectionId = await addConnection(app.db, 'other')
  await app.db.insert(grants).values({ oidcGroup: 'some', role: 'viewer', connectionId })
  const loose = await started({ admin: null, operator: null, auditor: null })
  const [person, chief] = [somebody(['staff']), somebody(['staff'])]
  await signIn(person, loose)
  await signIn(chief, loose)
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.email, chief.email!))
  await signIn({ ...person, groups: ['some'] }, loose)
  expect((await findUser(person))?.role).toBe('none')
  expect(readRefusal(await signIn({ ...chief, groups: ['some'] }, loose))).toBe('no_access')
  await loose.close()
})

test('if only viewers have a group, roles given in Docket are kept', async () => {
  const open = await started({ admin: null, operator: null, auditor: null, viewer: '*' })
  const person = somebody(undefined)
  await signIn(person, open)
  await app.db.update(users).set({ role: 'operator' }).where(eq(users.email, person.email!))
  await signIn(person, open)
  expect(await findUser(person)).toMatchObject({ role: 'operator' })
  await open.close()
})

test('without a group for admins, an admin stays an admin', async () => {
  const open = await started({ admin: null })
  const person = somebody(['docs'])
  await signIn(person, open)
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.email, person.email!))
  expect(await whois(await signIn(person, open))).toMatchObject({ role: 'admin' })
  await open.close()
})

test("a new sign-in ends the browser's earlier session, although the provider's redirect does not send its cookie", async () => {
  const before = await signedIn(app.db, 'viewer')
  provider.state.person = somebody(['docs'])
  const response = await app.post('/api/auth/oidc', {}, { cookie: before.cookie })
  const { url } = OidcStarted.parse(await response.json())
  const answer = await followSignIn(url)
  expect((await app.get('/api/status', { cookie: before.cookie })).status).toBe(200)
  expect(await whois(await app.get(answer, { cookie: readCookie(response) }))).toMatchObject({ role: 'operator' })
  expect((await app.get('/api/status', { cookie: before.cookie })).status).toBe(401)
})

test('signing in with an account’s verified address takes the account over and disables all its earlier ways to sign in', async () => {
  const victim = somebody(['docket-admins'])
  const earlier = await signedIn(app.db, 'viewer')
  await app.db.update(users).set({ email: victim.email!, twoFactorEnabled: true }).where(eq(users.id, earlier.userId))
  await app.db
    .insert(signInAccounts)
    .values({ accountId: earlier.userId, providerId: 'credential', userId: earlier.userId, password: 'x' })
  await app.db.insert(passkeys).values({
    userId: earlier.userId,
    publicKey: 'x',
    credentialID: victim.sub,
    counter: 0,
    deviceType: 'x',
    backedUp: false,
  })
  expect(await whois(await signIn(victim))).toEqual({
    userId: earlier.userId,
    name: victim.name,
    email: victim.email,
    role: 'admin',
    hasPassword: false,
    hasSecondFactor: false,
    passkeys: 0,
    mayPrompt: true,
    timeZone: null,
    hasSites: false,
  })
  expect(await app.db.select().from(sessions).where(eq(sessions.token, earlier.token))).toEqual([])
})

test.for([false, undefined, 'true', 1])(
  'an unverified address (%s) does not take over an account',
  async (email_verified) => {
    const owner = somebody(['staff'])
    const earlier = await signedIn(app.db, 'admin')
    await app.db.update(users).set({ email: owner.email! }).where(eq(users.id, earlier.userId))
    expect(readRefusal(await signIn({ ...owner, email_verified }))).toBe('email_taken')
    expect((await app.get('/api/status', { cookie: earlier.cookie })).status).toBe(200)
  },
)

test('another subject with the address of an existing single sign-on person does not get their account', async () => {
  const person = somebody(['staff'])
  await signIn(person)
  const first = await findUser(person)
  const another = { ...person, sub: `${person.sub}-another` }
  expect(readRefusal(await signIn({ ...another, email_verified: false }))).toBe('email_taken')
  // The provider says that the address has a new owner, who gets an account of their own.
  expect((await whois(await signIn(another)))?.userId).not.toBe(first!.id)
  expect((await app.db.select().from(users).where(eq(users.id, first!.id)))[0]).toMatchObject({
    name: person.name,
    email: `${first!.id}@released.invalid`,
  })
})

test('a disabled account cannot sign in, and a person without an e-mail address gets the reason', async () => {
  const person = somebody(['staff'])
  await signIn(person)
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.email, person.email!))
  expect(readRefusal(await signIn(person))).toBe('disabled')
  expect(readRefusal(await signIn(somebody(['staff'], { email: undefined })))).toBe('no_email')
})

test('the first account is created only for a person in the admins group', async () => {
  const empty = await testApp({ as: 'nobody', oidc: settings(), now: () => now })
  expect(readRefusal(await signIn(somebody(['docs']), empty))).toBe('needs_setup')
  const token = await makeSetupLink(empty.services.people)
  expect((await signIn(somebody(['docket-admins']), empty)).headers.get('location')).toBe('/exports?state=running')
  expect((await empty.post('/api/setup', { token })).status).toBe(409)
  expect(readRefusal(await signIn(somebody(['others']), empty))).toBe('no_access')
  await empty.close()
})

test.for<Misbehaviour>(['silent', 'endless', 'redirecting', 'not JSON', 'another issuer in its document'])(
  'a provider that is %s is reported at once, and is used again once it works',
  async (how) => {
    const fresh = await started()
    provider.state.misbehaves = how
    const response = await fresh.post('/api/auth/oidc', { returnTo: '/' })
    expect(response.status).toBe(503)
    expect(ApiErrorBody.parse(await response.json()).message).toMatch(
      /^Example Company (does not answer|cannot be used)/,
    )
    provider.state.misbehaves = null
    expect((await signIn(somebody(['staff']), fresh)).headers.get('location')).toBe('/exports?state=running')
    await fresh.close()
  },
)

test('an unreachable provider is reported at once', async () => {
  const gone = { ...settings(), issuer: new URL('http://127.0.0.1:1') }
  const alone = await testApp({ database, as: 'nobody', oidc: gone })
  const response = await alone.post('/api/auth/oidc', {})
  expect(response.status).toBe(503)
  expect(ApiErrorBody.parse(await response.json()).message).toMatch(/does not answer right now/)
  await alone.close()
})

test('a provider that stops responding during a sign-in leaves no partial state', async () => {
  const person = somebody(['staff'])
  provider.state.person = person
  const { url, cookie } = await begin()
  const answer = await followSignIn(url)
  Object.assign(provider.state, { misbehaves: 'silent', misbehavesAt: '/token' })
  expect(readRefusal(await app.get(answer, { cookie }))).toBe('provider_unavailable')
  expect(await findUser(person)).toBeUndefined()
})

test('with PUBLIC_URL, the redirect address is below it and cookies are sent over https only', async () => {
  const publicUrl = new URL('https://docket.example.com')
  const far = await testApp({ database, as: 'nobody', oidc: settings(), publicUrl })
  const from = { host: 'docket.example.com', origin: publicUrl.origin }
  const local = await far.post('/api/auth/oidc', {})
  expect(local.status).toBe(403)
  expect(ApiErrorBody.parse(await local.json()).message).toContain('https://docket.example.com')
  const { request } = await import('node:http')
  const outcome = await new Promise<{ status: number; cookies: string[]; text: string }>((resolve, reject) => {
    const body = '{}'
    const headers = { ...from, 'x-docket': '1', 'content-type': 'application/json', 'content-length': body.length }
    request({ port: far.port, host: '127.0.0.1', method: 'POST', path: '/api/auth/oidc', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [], text }),
      )
    })
      .on('error', reject)
      .end(body)
  })
  expect(outcome.status).toBe(200)
  expect(new URL(OidcStarted.parse(JSON.parse(outcome.text)).url).searchParams.get('redirect_uri')).toBe(
    'https://docket.example.com/api/auth/oidc/callback',
  )
  expect(outcome.cookies.join()).toMatch(
    /^__Host-docket_sso=[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
  )
  await far.close()
})

test('the audit records sign-ins with their role, and refusals; neither audit nor log contains a secret', async () => {
  const person = somebody(['docs'])
  await signIn(person)
  await signIn({ ...person, groups: [] })
  const rows = await app.db.select().from(auditEvents).orderBy(asc(auditEvents.auditId))
  const auditRows = rows.filter((row) => row.targetName === person.name).map(({ action, outcome }) => [action, outcome])
  expect(auditRows).toEqual([
    ['user.created', 'ok'],
    ['session.signed_in', 'ok'],
    ['session.signed_in', 'refused'],
    ['session.revoked', 'ok'],
  ])
  provider.state.forge = (claims) => signedToken(claims, {}, keys.other.privateKey)
  await signIn(person)
  expect(`${JSON.stringify(rows)}${app.logged()}`).not.toMatch(/s3cret|canary-access|eyJ[\w-]+\./)
})

test('without single sign-on, its routes answer 404, even to an admin', async () => {
  const without = await testApp({ database, as: 'nobody' })
  for (const cookie of [undefined, admin.cookie]) {
    expect((await without.post('/api/auth/oidc', {}, { cookie })).status).toBe(404)
    expect((await without.get('/api/auth/oidc/callback?state=x&code=y', { cookie })).status).toBe(404)
  }
  await without.close()
})
