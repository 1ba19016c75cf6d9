import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { hashPassword } from './password-hash.ts'
import { setPassword } from '#people/accounts/sign-in/own-password.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { passkeys, twoFactors, users } from './accounts.table.ts'
import { softwareAuthenticator } from '#people/accounts/passkeys/testing/authenticator.ts'

let later = 0
const app = await testApp({ as: 'nobody', now: () => Date.now() + later })
const origin = `http://localhost:${app.port}`
afterAll(() => app.close())

const password = 'correct horse battery staple'
const hash = await hashPassword(password)

const post = (path: string, body: unknown, cookie: string) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { origin, 'x-docket': '1', cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const set = (from: Headers) =>
  from
    .getSetCookie()
    .map((one) => one.split(';', 1)[0]!)
    .filter((one) => !one.endsWith('='))

// Readers differ in half a pair of quotes: some pass over the cookie, some cut a character off and go on.
const halfQuoted = (cookie: string) => cookie.replace('=', '="').concat('x')

const passkeyBy = async (cookie: string) => {
  const setup = await post('/api/account/passkeys/options', {}, cookie)
  const { challenge = '' } = z.object({ challenge: z.string().optional() }).parse(await setup.json())
  const response = softwareAuthenticator().create({ challenge, rpId: 'localhost', origin })
  return post('/api/account/passkeys', { response }, [cookie, ...set(setup.headers)].join('; '))
}

test('a request with two session cookies uses one session for both the proof of identity and the action', async () => {
  const found = await signedIn(app.db, 'admin')
  await setPassword(app.db, found.userId, hash, new Date())
  later = 60 * 60_000
  const own = await signedIn(app.db, 'viewer', { now: Date.now() + later })
  // The session is an hour old, so that its owner has to prove the password.
  expect((await post('/api/account/passkeys/options', {}, found.cookie)).status).toBe(400)
  expect((await passkeyBy(`${halfQuoted(found.cookie)}; ${own.cookie}`)).status).toBe(204)
  const owners = await app.db.select({ userId: passkeys.userId }).from(passkeys)
  expect(owners).toEqual([{ userId: own.userId }])
  later = 0
})

/** Somebody whose password was right just now, and who is asked for a code. */
const beginSignIn = async () => {
  const somebody = await signedIn(app.db, 'viewer')
  await setPassword(app.db, somebody.userId, hash, new Date())
  expect((await post('/api/account/second-factor/begin', { password }, somebody.cookie)).status).toBe(200)
  await app.db.update(twoFactors).set({ verified: true }).where(eq(twoFactors.userId, somebody.userId))
  await app.db.update(users).set({ twoFactorEnabled: true }).where(eq(users.id, somebody.userId))
  const signIn = await post('/api/auth/sign-in/password', { email: somebody.email, password }, '')
  return { ...somebody, cookie: set(signIn.headers).find((one) => one.includes('two_factor'))! }
}
test('the cookie of a passkey challenge is refused as the cookie of a second-factor sign-in', async () => {
  const setup = await post('/api/auth/passkey/options', {}, '')
  const cookie = set(setup.headers)[0]!.replace('.passkey=', '.two_factor=')
  expect((await post('/api/auth/second-factor', { code: '123456' }, cookie)).status).toBe(401)
})

const failures = async ({ userId }: { userId: string }) =>
  (await app.db.select().from(twoFactors).where(eq(twoFactors.userId, userId)))[0]!.failedVerificationCount

test('with two pending sign-ins in one request, the code is compared with and counted for the same account', async () => {
  const [other, own] = [await beginSignIn(), await beginSignIn()]
  const response = await post(
    '/api/auth/second-factor',
    { code: '123456' },
    `${halfQuoted(other.cookie)}; ${own.cookie}`,
  )
  expect(response.status).toBe(401)
  expect([await failures(other), await failures(own)]).toEqual([0, 1])
  const rows = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, other.userId))
  expect(rows).toEqual([])
})

test('the cookie of a second-factor sign-in is refused as the cookie of a passkey challenge', async () => {
  const cookie = (await beginSignIn()).cookie.replace('.two_factor=', '.passkey=')
  const device = softwareAuthenticator()
  const signature = device.get({ challenge: 'none', rpId: 'localhost', origin })
  expect((await post('/api/auth/passkey/sign-in', signature, cookie)).status).toBe(401)
})

test('a challenge for adding a passkey cannot be used to sign in', async () => {
  const { cookie } = await signedIn(app.db, 'viewer')
  const device = softwareAuthenticator()
  const begin = async (path: string) => {
    const setup = await post(path, {}, cookie)
    const { challenge } = z.object({ challenge: z.string() }).parse(await setup.json())
    return { signature: { challenge, rpId: 'localhost', origin }, cookies: [cookie, ...set(setup.headers)].join('; ') }
  }
  const adding = await begin('/api/account/passkeys/options')
  const response = device.create(adding.signature)
  expect((await post('/api/account/passkeys', { response }, adding.cookies)).status).toBe(204)
  device.state.counter += 1
  const other = await begin('/api/account/passkeys/options')
  expect((await post('/api/auth/passkey/sign-in', device.get(other.signature), other.cookies)).status).toBe(401)
  const right = await begin('/api/auth/passkey/options')
  expect((await post('/api/auth/passkey/sign-in', device.get(right.signature), right.cookies)).status).toBe(204)
})

test('the cache of session cookies stays within its memory limit, however long the cookies are', async () => {
  const { identify } = app.services.people
  const { cookie, userId } = await signedIn(app.db, 'viewer')
  const query = vi.spyOn(app.db.$client, 'query')
  const asking = async (header: string) => {
    query.mockClear()
    expect(await identify({ cookie: header, authorization: undefined })).toMatchObject({ userId })
    return query.mock.calls.length
  }
  // The session, and whether anything changed; then only that.
  expect([await asking(cookie), await asking(cookie)]).toEqual([2, 1])
  const padded = (megabytes: number, n = 0) => `${cookie}; other=${n}${'x'.repeat(megabytes * 1024 * 1024)}`
  expect([await asking(padded(9)), await asking(padded(9)), await asking(cookie)]).toEqual([2, 2, 1])
  for (let n = 0; n < 8; n += 1) await asking(padded(1, n))
  expect(await asking(cookie)).toBe(2)
  query.mockRestore()
})
