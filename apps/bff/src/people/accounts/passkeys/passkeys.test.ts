import { PasskeyList } from '@docket/api-types/accounts'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { Session } from '@docket/api-types/session'
import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { passkeys, sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import { setPassword } from '#people/accounts/sign-in/own-password.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { findPasskeySite } from './passkey-challenges.ts'
import { softwareAuthenticator } from '#people/accounts/passkeys/testing/authenticator.ts'

let later = 0
const ownName = 'docket-0123456789ab.localhost'
const app = await testApp({ as: 'nobody', now: () => Date.now() + later })
const origin = `http://localhost:${app.port}`
afterAll(() => app.close())
afterEach(async () => {
  later = 0
  await app.db.execute('delete from sign_in_attempts')
})

const send = (method: string, path: string, body?: unknown, cookie = '') =>
  fetch(origin + path, {
    method,
    headers: { origin, 'x-docket': '1', cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const set = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0]!)
    .join('; ')
const Challenge = z.looseObject({ challenge: z.string(), userVerification: z.string().optional() })

const beginAdding = async (cookie: string, proof: object = {}) => {
  const response = await send('POST', '/api/account/passkeys/options', proof, cookie)
  if (response.status !== 200) throw new Error(await response.text())
  const options = Challenge.parse(await response.json())
  return { options, cookie: `${cookie}; ${set(response)}` }
}
const add = async (
  cookie: string,
  device = softwareAuthenticator(),
  name = 'phone',
  at = { rpId: 'localhost', origin },
) => {
  const setup = await beginAdding(cookie)
  const credential = device.create({ challenge: setup.options.challenge, ...at })
  return { device, response: await send('POST', '/api/account/passkeys', { name, response: credential }, setup.cookie) }
}
const withPasskey = async () => {
  const person = await signedIn(app.db, 'operator')
  const { device, response } = await add(person.cookie)
  if (response.status !== 204) throw new Error(await response.text())
  return { ...person, device }
}
const beginSignIn = async () => {
  const response = await send('POST', '/api/auth/passkey/options')
  return { options: Challenge.parse(await response.json()), cookie: set(response) }
}
type Device = ReturnType<typeof softwareAuthenticator>
const signIn = async (device: Device, at = { rpId: 'localhost', origin }) => {
  const { options, cookie } = await beginSignIn()
  return send('POST', '/api/auth/passkey/sign-in', device.get({ challenge: options.challenge, ...at }), cookie)
}
const whois = async (cookie: string) =>
  Session.parse(await (await send('GET', '/api/session', undefined, cookie)).json()).person
const list = async (cookie: string) =>
  PasskeyList.parse(await (await send('GET', '/api/account/passkeys', undefined, cookie)).json()).items

test('a passkey signs its owner in without an e-mail address', async () => {
  const { device, userId, cookie } = await withPasskey()
  expect(await list(cookie)).toMatchObject([{ name: 'phone', synced: false }])
  device.state.counter += 1
  const response = await signIn(device)
  expect(response.status).toBe(204)
  expect(await whois(set(response))).toMatchObject({ userId, passkeys: 1 })
})

test('the options ask the device to verify its user and to store the passkey with the account', async () => {
  const { options } = await beginSignIn()
  expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' })
  expect(options.allowCredentials).toBeUndefined()
  const { cookie } = await signedIn(app.db, 'viewer')
  expect((await beginAdding(cookie)).options).toMatchObject({
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    rp: { id: 'localhost', name: 'Docket' },
    attestation: 'none',
  })
})

test('a passkey whose device did not verify its user can neither sign in nor be added', async () => {
  const { device } = await withPasskey()
  device.state.counter += 1
  device.state.userVerified = false
  expect((await signIn(device)).status).toBe(401)
  const person = await signedIn(app.db, 'viewer')
  const careless = softwareAuthenticator()
  careless.state.userVerified = false
  expect((await add(person.cookie, careless)).response.status).toBe(400)
  expect(await list(person.cookie)).toEqual([])
})

test.for([
  { rpId: 'localhost', origin: 'https://elsewhere.example' },
  { rpId: 'localhost', origin: `http://localhost.elsewhere.example` },
  { rpId: 'elsewhere.example', origin: null },
])('a signature made for %j is refused', async ({ rpId, origin: other }) => {
  const { device } = await withPasskey()
  device.state.counter += 1
  expect((await signIn(device, { rpId, origin: other ?? origin })).status).toBe(401)
  const person = await signedIn(app.db, 'viewer')
  const { response } = await add(person.cookie, softwareAuthenticator(), 'x', { rpId, origin: other ?? origin })
  expect(response.status).toBe(400)
})

test('a challenge works once, in its own browser, for five minutes, and a wrong signature uses it up', async () => {
  const { device } = await withPasskey()
  const answerTo = (challenge: string) => {
    device.state.counter += 1
    return device.get({ challenge, rpId: 'localhost', origin })
  }
  const first = await beginSignIn()
  const answer = answerTo(first.options.challenge)
  expect((await send('POST', '/api/auth/passkey/sign-in', answer)).status).toBe(401)
  const other = await beginSignIn()
  expect((await send('POST', '/api/auth/passkey/sign-in', answer, other.cookie)).status).toBe(401)
  expect((await send('POST', '/api/auth/passkey/sign-in', answer, first.cookie)).status).toBe(204)
  expect((await send('POST', '/api/auth/passkey/sign-in', answer, first.cookie)).status).toBe(401)
  const again = answerTo(other.options.challenge)
  expect((await send('POST', '/api/auth/passkey/sign-in', again, other.cookie)).status).toBe(401)
  const late = await beginSignIn()
  await app.db.execute(`update sign_in_verifications set expires_at = now() - interval '1 second'`)
  const tooLate = answerTo(late.options.challenge)
  expect((await send('POST', '/api/auth/passkey/sign-in', tooLate, late.cookie)).status).toBe(401)
})

test('a passkey signature sent twenty times at once signs in once', async () => {
  const { device } = await withPasskey()
  device.state.counter += 1
  const { options, cookie } = await beginSignIn()
  const answer = device.get({ challenge: options.challenge, rpId: 'localhost', origin })
  const all = await Promise.all(
    Array.from({ length: 20 }, () => send('POST', '/api/auth/passkey/sign-in', answer, cookie)),
  )
  expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
})

test('a passkey whose counter did not grow is refused, because it may be a copy', async () => {
  const { device } = await withPasskey()
  device.state.counter = 7
  expect((await signIn(device)).status).toBe(204)
  for (const counter of [7, 6, 1]) {
    device.state.counter = counter
    expect((await signIn(device)).status).toBe(401)
  }
  device.state.counter = 8
  expect((await signIn(device)).status).toBe(204)
})

test('a passkey that is unknown, belongs to a disabled user, or is signed with another key is refused', async () => {
  expect((await signIn(softwareAuthenticator())).status).toBe(401)
  const { device, userId } = await withPasskey()
  device.state.counter += 1
  const forged = { ...softwareAuthenticator(), id: device.id }
  const { options, cookie } = await beginSignIn()
  const answer = {
    ...forged.get({ challenge: options.challenge, rpId: 'localhost', origin }),
    id: device.id,
    rawId: device.id,
  }
  expect((await send('POST', '/api/auth/passkey/sign-in', answer, cookie)).status).toBe(401)
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId))
  expect((await signIn(device)).status).toBe(401)
})

test('signatures for challenges that were never requested cannot fill the audit', async () => {
  const answer = softwareAuthenticator().get({ challenge: 'of-nobody', rpId: 'localhost', origin })
  const before = await app.db.select().from(auditEvents)
  for (let n = 0; n < 20; n += 1) expect((await send('POST', '/api/auth/passkey/sign-in', answer)).status).toBe(401)
  expect(await app.db.select().from(auditEvents)).toHaveLength(before.length + 1)
})

test('malformed passkey signatures are answered 400', async () => {
  const { cookie } = await beginSignIn()
  for (const body of [{}, { id: 7 }, { id: 'x', response: null }, { id: 'x'.repeat(2_000) }, []])
    expect((await send('POST', '/api/auth/passkey/sign-in', body, cookie)).status).toBe(400)
  const person = await signedIn(app.db, 'viewer')
  for (const body of [{}, { response: 'x' }, { response: {} }, { response: { id: 'x', response: {} } }]) {
    const setup = await beginAdding(person.cookie)
    expect((await send('POST', '/api/account/passkeys', body, setup.cookie)).status).toBe(400)
  }
})

test('adding a passkey needs the password, or a sign-in within the last ten minutes', async () => {
  const person = await signedIn(app.db, 'viewer')
  later = 10 * 60_000 + 1
  const refused = await send('POST', '/api/account/passkeys/options', {}, person.cookie)
  expect(refused.status).toBe(409)
  expect(ApiErrorBody.parse(await refused.json()).message).toContain('within ten minutes')
  const password = 'correct horse battery staple'
  await setPassword(app.db, person.userId, await hashPassword(password), new Date())
  for (const proof of [{}, { password: 'wrong' }])
    expect((await send('POST', '/api/account/passkeys/options', proof, person.cookie)).status).toBe(400)
  expect((await send('POST', '/api/account/passkeys/options', { password }, person.cookie)).status).toBe(200)
})

test('people who use single sign-on cannot add a passkey', async () => {
  const { cookie, userId } = await signedIn(app.db, 'viewer')
  const account = { accountId: 'subject', providerId: 'oidc:https://login.example.com/', userId }
  await app.db.insert(signInAccounts).values(account)
  const refused = await send('POST', '/api/account/passkeys/options', {}, cookie)
  expect(refused.status).toBe(409)
  expect(ApiErrorBody.parse(await refused.json()).message).toContain('single sign-on')
})

test('a passkey can be added only by the person who began adding it, and only once', async () => {
  const [ada, eve] = [await signedIn(app.db, 'viewer'), await signedIn(app.db, 'viewer')]
  const setup = await beginAdding(ada.cookie)
  const device = softwareAuthenticator()
  const credential = device.create({ challenge: setup.options.challenge, rpId: 'localhost', origin })
  const asEve = setup.cookie.replace(ada.cookie, eve.cookie)
  expect((await send('POST', '/api/account/passkeys', { response: credential }, asEve)).status).toBe(400)
  expect((await add(ada.cookie, device)).response.status).toBe(204)
  const again = await add(eve.cookie, device)
  expect(again.response.status).toBeGreaterThanOrEqual(400)
  expect(again.response.status).toBeLessThan(500)
  expect(await list(eve.cookie)).toEqual([])
})

test('the last way to sign in cannot be removed, even by concurrent requests', async () => {
  const { cookie, userId } = await withPasskey()
  for (let more = 0; more < 4; more += 1) await add(cookie)
  const removed = await Promise.all(
    (await list(cookie)).map(({ passkeyId }) =>
      send('DELETE', `/api/account/passkeys/${passkeyId}`, undefined, cookie),
    ),
  )
  expect(removed.filter(({ status }) => status === 409)).toHaveLength(1)
  expect(removed.filter(({ status }) => status === 204)).toHaveLength(4)
  const [left] = await list(cookie)
  await app.db
    .insert(signInAccounts)
    .values({ accountId: 'subject', providerId: 'oidc:https://login.example.com/', userId })
  const other = await signedIn(app.db, 'admin')
  const path = `/api/account/passkeys/${left!.passkeyId}`
  expect((await send('DELETE', path, undefined, other.cookie)).status).toBe(404)
  expect((await send('DELETE', path, undefined, cookie)).status).toBe(204)
})

test('a removed passkey cannot sign in', async () => {
  const { cookie, device } = await withPasskey()
  await add(cookie, softwareAuthenticator(), 'laptop')
  const [phone] = await list(cookie)
  await send('DELETE', `/api/account/passkeys/${phone!.passkeyId}`, undefined, cookie)
  device.state.counter += 1
  expect((await signIn(device)).status).toBe(401)
})

test('under an IP address, the error names the host to use, and the sign-in page offers no passkey', async () => {
  const there = await app.post('/api/auth/passkey/options')
  expect(there.status).toBe(409)
  expect(ApiErrorBody.parse(await there.json()).message).toContain('the address that Docket printed when it started')
  const methods = async (from: string) => Session.parse(await (await fetch(`${from}/api/session`)).json()).methods
  expect(await methods(app.url)).toMatchObject({ passkey: false })
  expect(await methods(origin)).toMatchObject({ passkey: true })
})

test.for([
  ['https://docket.example.com', 'docket.example.com', 'docket.example.com'],
  ['https://docket.example.com:8443', 'docket.example.com:8443', 'docket.example.com'],
  ['https://docket.example.com', 'localhost:3000', null],
  ['https://192.0.2.7', '192.0.2.7', null],
  ['https://[2001:db8::7]', '[2001:db8::7]', null],
  [null, 'LocalHost:3000', 'localhost'],
  [null, 'docket-0123456789ab.localhost:3000', 'docket-0123456789ab.localhost'],
  [null, 'docket-000000000000.localhost:3000', null],
  [null, '127.0.0.1:3000', null],
  [null, '[::1]:3000', null],
  [null, undefined, null],
] as const)('with PUBLIC_URL %s, passkeys at %s belong to %s', ([publicUrl, host, rpId]) => {
  expect(
    findPasskeySite({ publicUrl: publicUrl === null ? null : new URL(publicUrl), ownName }, host)?.rpId ?? null,
  ).toBe(rpId)
})

test('passkey actions are audited, and a session begun with a passkey ends like any other', async () => {
  const { cookie, device, userId } = await withPasskey()
  device.state.counter += 1
  const session = set(await signIn(device))
  device.state.userVerified = false
  await signIn(device)
  await add(cookie, softwareAuthenticator(), 'laptop')
  const [phone] = await list(cookie)
  await send('DELETE', `/api/account/passkeys/${phone!.passkeyId}`, undefined, cookie)
  const forUser = eq(auditEvents.targetId, userId)
  const rows = await app.db.select().from(auditEvents).where(forUser).orderBy(asc(auditEvents.auditId))
  expect(rows.map(({ action, outcome, details }) => [action, outcome, details.passkey ?? details.with])).toEqual([
    ['user.passkey_added', 'ok', 'phone'],
    ['session.signed_in', 'ok', 'passkey'],
    ['session.signed_in', 'refused', 'passkey'],
    ['user.passkey_added', 'ok', 'laptop'],
    ['user.passkey_removed', 'ok', 'phone'],
  ])
  await app.db.delete(sessions).where(eq(sessions.userId, userId))
  expect(await whois(session)).toBeNull()
  expect(await app.db.select().from(passkeys).where(eq(passkeys.userId, userId))).toHaveLength(1)
})
