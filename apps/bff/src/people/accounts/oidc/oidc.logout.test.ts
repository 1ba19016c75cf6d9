import { randomUUID } from 'node:crypto'
import { SignedOut } from '@docket/api-types/accounts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { sessions, users } from '#people/accounts/accounts.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { keys, signedToken, startProviderStandIn, type StandInPerson } from './testing/provider-stand-in.ts'
import { readCookie, settingsFor, signIn as signInAt, somebody } from './testing/sign-ins.ts'

const provider = await startProviderStandIn()
const database = await testDatabase()
const app = await testApp({ database, as: 'nobody', oidc: { ...settingsFor(provider), signOut: true } })
const replica = await testApp({ database, as: 'nobody', oidc: settingsFor(provider) })
const local = await signedIn(app.db, 'admin')
afterAll(async () => {
  await replica.close()
  await app.close()
  await database.drop()
  await provider.close()
})
afterEach(async () => {
  Object.assign(provider.state, { misbehaves: null, misbehavesAt: null })
  await app.db.execute('delete from sign_in_attempts')
})

const signIn = async (person: StandInPerson, at = app) => readCookie(await signInAt(at, provider, person))
const isIn = async (cookie: string) => (await replica.get('/api/status', { cookie })).status === 200

type Claims = Record<string, unknown>
const event = 'http://schemas.openid.net/event/backchannel-logout'
const seconds = () => Math.floor(Date.now() / 1_000)
const logoutClaims = (change: Claims): Claims => ({
  iss: provider.issuer.origin,
  aud: 'docket',
  iat: seconds(),
  exp: seconds() + 120,
  jti: randomUUID(),
  events: { [event]: {} },
  ...change,
})
const logoutToken = (change: Claims, head: object = { typ: 'logout+jwt' }, key = keys.own.privateKey) =>
  signedToken(logoutClaims(change), head, key)
/** What the provider sends, with none of the headers of a page. */
const send = (token: string, at = app) =>
  fetch(`${at.url}/api/auth/oidc/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  })

test('a logout token of the provider ends the session with its sid on every replica, and no other one', async () => {
  const person = somebody(['staff'])
  const [laptop, phone] = [await signIn({ ...person, sid: 'laptop' }), await signIn({ ...person, sid: 'phone' })]
  expect([await isIn(laptop), await isIn(phone)]).toEqual([true, true])
  const response = await send(logoutToken({ sub: person.sub, sid: 'laptop' }))
  expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
  expect([await isIn(laptop), await isIn(phone), await isIn(local.cookie)]).toEqual([false, true, true])
  expect((await send(logoutToken({ sid: 'phone' }, { typ: undefined }))).status).toBe(200)
  expect(await isIn(phone)).toBe(false)
  const rows = await app.db.select().from(auditEvents).where(eq(auditEvents.targetName, person.name!))
  expect(rows.filter(({ action }) => action === 'session.revoked')).toMatchObject([
    { details: { sessions: 1, with: 'single sign-on' } },
    { details: { sessions: 1, with: 'single sign-on' } },
  ])
})

test('a logout token for a person ends all their sessions, also those that an earlier version opened', async () => {
  const [person, other] = [somebody(['staff']), somebody(['staff'])]
  const [one, two, theirs] = [await signIn({ ...person, sid: 'one' }), await signIn(person), await signIn(other)]
  const [user] = await app.db.select().from(users).where(eq(users.email, person.email!))
  await app.db.update(sessions).set({ oidcSid: null }).where(eq(sessions.userId, user!.id))
  expect((await send(logoutToken({ sub: person.sub }))).status).toBe(200)
  expect([await isIn(one), await isIn(two), await isIn(theirs)]).toEqual([false, false, true])
  expect((await send(logoutToken({ sub: 'nobody here' }))).status).toBe(200)
  // The same sid of another person is not theirs.
  const third = await signIn({ ...other, sid: 'shared' })
  expect((await send(logoutToken({ sub: person.sub, sid: 'shared' }))).status).toBe(200)
  expect(await isIn(third)).toBe(true)
})

test('a logout token works once, even when it arrives ten times at once', async () => {
  const person = somebody(['staff'])
  await signIn(person)
  const token = logoutToken({ sub: person.sub })
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => send(token)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(9)
  const again = await signIn(person)
  expect((await send(token, replica)).status).toBe(400)
  expect(await isIn(again)).toBe(true)
})

const victim = somebody(['staff'])
const named = { sub: victim.sub }
test.for<[string, () => string]>([
  ['another key', () => logoutToken(named, { typ: 'logout+jwt' }, keys.other.privateKey)],
  ['another issuer', () => logoutToken({ ...named, iss: 'https://elsewhere.example' })],
  ['another audience', () => logoutToken({ ...named, aud: 'somebody-else' })],
  ['a nonce, as an ID token has one', () => logoutToken({ ...named, nonce: 'x' })],
  ['no events', () => logoutToken({ ...named, events: undefined })],
  ['another event', () => logoutToken({ ...named, events: { 'http://schemas.openid.net/event/other': {} } })],
  ['an event that is a text', () => logoutToken({ ...named, events: { [event]: 'yes' } })],
  ['no ID', () => logoutToken({ ...named, jti: undefined })],
  ['no time', () => logoutToken({ ...named, iat: undefined })],
  ['an old time', () => logoutToken({ ...named, iat: seconds() - 600 })],
  ['a future time', () => logoutToken({ ...named, iat: seconds() + 600 })],
  ['an end in the past', () => logoutToken({ ...named, exp: seconds() - 60 })],
  ['neither person nor session', () => logoutToken({})],
  ['a subject that no database stores', () => logoutToken({ sub: 'a\0b' })],
  ['a subject that is a list', () => logoutToken({ sub: [victim.sub] })],
  ['the type of an access token', () => logoutToken(named, { typ: 'at+jwt' })],
  ['no signature', () => logoutToken(named, { alg: 'none' })],
  ['the client’s secret as its key', () => logoutToken(named, { alg: 'HS256' })],
  ['words in its place', () => 'somebody'],
])('a logout token with %s ends nothing and gets 400', async ([, make]) => {
  const cookie = await signIn(victim)
  const response = await send(make())
  expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_request' }])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await isIn(cookie)).toBe(true)
})

test('a logout token that cannot be verified right now gets 503, so that the provider sends it again', async () => {
  const fresh = await testApp({ database, as: 'nobody', oidc: settingsFor(provider) })
  provider.state.misbehaves = 'silent'
  expect((await send(logoutToken(named), fresh)).status).toBe(503)
  provider.state.misbehavesAt = '/jwks'
  for (const how of ['silent', 'not JSON'] as const) {
    provider.state.misbehaves = how
    expect([how, (await send(logoutToken(named), fresh)).status]).toEqual([how, 503])
  }
  await fresh.close()
})

test('signing out leads to the provider, with no token in the address, and back to the sign-in page', async () => {
  const cookie = await signIn({ ...somebody(['staff']), sid: 'session at the provider' })
  const { url } = SignedOut.parse(await (await app.post('/api/auth/sign-out', undefined, { cookie })).json())
  expect(await isIn(cookie)).toBe(false)
  const { origin, pathname, searchParams } = new URL(url!)
  expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
    `${provider.issuer.origin}/logout`,
    {
      client_id: 'docket',
      post_logout_redirect_uri: `${app.url}/sign-in`,
      logout_hint: 'session at the provider',
    },
  ])
})

test('signing out ends in Docket for other sessions, unless it is turned on, and when the provider has no address for it', async () => {
  const signOut = async (cookie: string | undefined, at = app) =>
    SignedOut.parse(await (await at.post('/api/auth/sign-out', undefined, { cookie })).json()).url
  expect(await signOut((await signedIn(app.db, 'viewer')).cookie)).toBeNull()
  expect(await signOut(undefined)).toBeNull()
  expect(await signOut(await signIn(somebody(['staff'])), replica)).toBeNull()
  provider.state.signsOut = false
  const fresh = await testApp({ database, as: 'nobody', oidc: { ...settingsFor(provider), signOut: true } })
  const cookie = await signIn(somebody(['staff']), fresh)
  expect([await signOut(cookie, fresh), await isIn(cookie)]).toEqual([null, false])
  await fresh.close()
})

test('without single sign-on, a logout token gets 404', async () => {
  const without = await testApp({ database, as: 'nobody' })
  expect((await send(logoutToken(named), without)).status).toBe(404)
  await without.close()
})
