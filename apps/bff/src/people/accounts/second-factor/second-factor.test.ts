import { BackupCodes, SecondFactorSetup, SignInStep } from '@docket/api-types/accounts'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { Session } from '@docket/api-types/session'
import { asc, eq } from 'drizzle-orm'
import { serializeSigned } from 'hono/utils/cookie'
import { afterAll, afterEach, expect, test } from 'vitest'
import { twoFactors, users } from '#people/accounts/accounts.table.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import { setPassword } from '#people/accounts/sign-in/own-password.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { testSecret } from '#testing/instance.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { appCode, secretBytes } from './testing/authenticator-app.ts'

const database = await testDatabase()
const app = await testApp({ database, as: 'nobody' })
const replica = await testApp({ database, as: 'nobody' })
afterAll(async () => {
  await app.close()
  await replica.close()
  await database.drop()
})
afterEach(() => app.db.execute('delete from sign_in_attempts'))

const password = 'correct horse battery staple'
const hash = await hashPassword(password)

const makeCode = (secret: string, at = Date.now()): string => appCode(secretBytes(secret)!, at)
const halfMinute = 30_000

const cookies = (response: Response, earlier = '') => {
  const jar = new Map(
    earlier.split('; ').flatMap((one) => (one === '' ? [] : [one.split(/=(.*)/s, 2) as [string, string]])),
  )
  for (const set of response.headers.getSetCookie()) {
    const [name = '', value = ''] = set.split(';', 1)[0]!.split(/=(.*)/s, 2)
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
const person = async () => {
  const somebody = await signedIn(app.db, 'viewer')
  await setPassword(app.db, somebody.userId, hash, new Date())
  return somebody
}
const begin = (cookie: string, proof: object = { password }) =>
  app.post('/api/account/second-factor/begin', proof, { cookie })
const confirm = (cookie: string, code: string) => app.post('/api/account/second-factor/confirm', { code }, { cookie })

/** Somebody whose app was set up a while ago: its present code has not been used yet. */
const withApp = async () => {
  const somebody = await person()
  const { secret, uri } = SecondFactorSetup.parse(await (await begin(somebody.cookie)).json())
  const confirmed = await confirm(somebody.cookie, makeCode(secret))
  if (confirmed.status !== 200) throw new Error(await confirmed.text())
  const { codes } = BackupCodes.parse(await confirmed.json())
  await app.db.execute(`delete from sign_in_verifications where identifier like 'used-code:%'`)
  return { ...somebody, secret, uri, codes, cookie: cookies(confirmed, somebody.cookie) }
}
const enterPassword = async (email: string) => {
  const response = await app.post('/api/auth/sign-in/password', { email, password })
  expect(SignInStep.parse(await response.json())).toEqual({ next: 'second_factor' })
  return cookies(response)
}
/** The same without the tenth of a second that deriving the key takes. */
const afterPassword = async (email: string) => {
  const [user] = await app.db.select().from(users).where(eq(users.email, email))
  const { pendingCodes, cookie } = app.services.people
  const token = await pendingCodes.begin(app.db, user!.id, Date.now())
  return (await serializeSigned(`${cookie.name}.two_factor`, token, testSecret)).split(';', 1)[0]!
}
const enterCode = (cookie: string, code: string, at = app) => at.post('/api/auth/second-factor', { code }, { cookie })
const whois = async (cookie: string) => Session.parse(await (await app.get('/api/session', { cookie })).json()).person
const makeWrong = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')

test('an app is set up with the password and a first code, and from then on sign-ins require a code', async () => {
  const { cookie, userId, email, secret, uri, codes } = await withApp()
  const { protocol, host, pathname, searchParams } = new URL(uri)
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', `/Docket:${email}`])
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: 'Docket',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(secret).toMatch(/^[A-Z2-7]{32,}$/)
  expect(new Set(codes)).toHaveLength(10)
  expect(await whois(cookie)).toMatchObject({ userId, hasSecondFactor: true })
  const pendingCookie = await enterPassword(email)
  expect(await whois(pendingCookie)).toBeNull()
  const done = await enterCode(pendingCookie, makeCode(secret))
  expect(done.status).toBe(204)
  expect(await whois(cookies(done, pendingCookie))).toMatchObject({ userId })
})

test('the secret and the backup codes are not readable in the database', async () => {
  const { userId, secret, codes } = await withApp()
  const [row] = await app.db.select().from(twoFactors).where(eq(twoFactors.userId, userId))
  const stored = JSON.stringify(row)
  for (const text of [
    secret,
    codes[0]!,
    Buffer.from(codes[0]!).toString('base64'),
    Buffer.from(codes[0]!).toString('hex'),
  ])
    expect(stored).not.toContain(text)
})

test('a code is accepted up to half a minute early or late', async () => {
  const { email, secret } = await withApp()
  for (const off of [-1, 1]) {
    // Away from the edge of a half minute, as the clock goes on meanwhile.
    const at = Math.floor(Date.now() / halfMinute) * halfMinute + off * halfMinute
    expect((await enterCode(await afterPassword(email), makeCode(secret, at))).status).toBe(204)
  }
  for (const off of [-4, 4])
    expect((await enterCode(await afterPassword(email), makeCode(secret, Date.now() + off * halfMinute))).status).toBe(
      401,
    )
})

test('a code works once across all sign-ins and replicas', async () => {
  const { email, secret } = await withApp()
  const pendingCookie = await Promise.all(Array.from({ length: 6 }, () => afterPassword(email)))
  const code = makeCode(secret)
  const all = await Promise.all(pendingCookie.map((one, n) => enterCode(one, code, n % 2 === 0 ? app : replica)))
  expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
  expect((await enterCode(await afterPassword(email), `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(401)
})

test('the code that set up the app cannot also be used to sign in', async () => {
  const somebody = await person()
  const { secret } = SecondFactorSetup.parse(await (await begin(somebody.cookie)).json())
  const code = makeCode(secret)
  expect((await confirm(somebody.cookie, code)).status).toBe(200)
  expect((await enterCode(await afterPassword(somebody.email), code)).status).toBe(401)
})

test('each backup code opens one session', async () => {
  const { email, codes } = await withApp()
  const [first = '', second = ''] = codes
  const pendingCookie = await Promise.all([1, 2, 3].map(() => afterPassword(email)))
  const all = await Promise.all(pendingCookie.map((one) => enterCode(one, first)))
  expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
  expect((await enterCode(await afterPassword(email), second)).status).toBe(204)
  expect((await enterCode(await afterPassword(email), first)).status).toBe(401)
})

test('at most six of forty concurrent guesses over several sign-ins are compared', async () => {
  const { email, secret, userId } = await withApp()
  const pendingCookie = [await afterPassword(email), await afterPassword(email)]
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      enterCode(pendingCookie[n % 2]!, makeWrong(makeCode(secret)), n % 3 === 0 ? replica : app),
    ),
  )
  const rows = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, userId))
  const looked = rows.filter(({ details }) => details.because === 'wrong code' || details.because === 'over')
  expect(looked.length).toBeLessThanOrEqual(6)
  expect(looked.length).toBeGreaterThan(0)
  expect(guesses.every(({ status }) => status === 401 || status === 429)).toBe(true)
  const refused = guesses.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('after ten wrong codes in a row an account refuses codes for fifteen minutes, then the count restarts', async () => {
  const { email, secret, userId } = await withApp()
  const isUser = eq(twoFactors.userId, userId)
  const state = async () => {
    const [row] = await app.db.select().from(twoFactors).where(isUser)
    return [row!.failedVerificationCount, row!.lockedUntil !== null]
  }
  await app.db.update(twoFactors).set({ failedVerificationCount: 8 }).where(isUser)
  const pendingCookie = await afterPassword(email)
  expect((await enterCode(pendingCookie, makeWrong(makeCode(secret)))).status).toBe(401)
  expect(await state()).toEqual([9, false])
  expect((await enterCode(pendingCookie, 'AAAAA-AAAAA')).status).toBe(401)
  expect(await state()).toEqual([10, true])
  const locked = await enterCode(pendingCookie, makeCode(secret))
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '900'])
  await app.db
    .update(twoFactors)
    .set({ lockedUntil: new Date(Date.now() - 1) })
    .where(isUser)
  expect((await enterCode(pendingCookie, makeWrong(makeCode(secret)))).status).toBe(401)
  expect(await state()).toEqual([1, false])
  expect((await enterCode(pendingCookie, makeCode(secret))).status).toBe(204)
  expect(await state()).toEqual([0, false])
})

test('a wrong code is reported and can be retried, and no code is accepted before the password', async () => {
  const { email, secret } = await withApp()
  const pendingCookie = await afterPassword(email)
  const wrong = await enterCode(pendingCookie, makeWrong(makeCode(secret)))
  expect(wrong.status).toBe(401)
  expect(ApiErrorBody.parse(await wrong.json())).toMatchObject({ code: 'not_signed_in', field: 'code' })
  expect((await enterCode(pendingCookie, makeCode(secret))).status).toBe(204)
  for (const cookie of ['', pendingCookie, pendingCookie.replace(/two_factor=.{8}/, 'two_factor=AAAAAAAA')]) {
    const response = await enterCode(cookie, makeCode(secret, Date.now() + halfMinute))
    expect(response.status).toBe(401)
    expect(ApiErrorBody.parse(await response.json()).message).toContain('Start again with your password')
  }
})

test('the session of another person in the same browser does not replace the code of a sign-in', async () => {
  const { email, secret } = await withApp()
  const other = await withApp()
  const pendingCookie = `${await afterPassword(email)}; ${other.cookie}`
  expect((await enterCode(pendingCookie, makeCode(other.secret))).status).toBe(401)
  const done = await enterCode(pendingCookie, makeCode(secret))
  expect(await whois(cookies(done, pendingCookie))).toMatchObject({ email })
  // It was replaced, as the browser can hold one only.
  expect(await whois(other.cookie)).toBeNull()
})

test('a person disabled between password and code cannot sign in', async () => {
  const { email, secret, userId } = await withApp()
  const pendingCookie = await afterPassword(email)
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId))
  expect((await enterCode(pendingCookie, makeCode(secret))).status).toBe(401)
})

test('setting up or removing an app needs the right password, and a person has only one app', async () => {
  const somebody = await person()
  for (const proof of [{}, { password: '' }, { password: 'wrong' }]) {
    const refused = await begin(somebody.cookie, proof)
    expect(refused.status).toBe(400)
    expect(ApiErrorBody.parse(await refused.json()).field).toBe('password')
  }
  const { cookie, email } = await withApp()
  expect((await begin(cookie)).status).toBe(409)
  expect((await confirm(cookie, '123456')).status).toBe(409)
  const remove = (proof: object) => app.post('/api/account/second-factor/remove', proof, { cookie })
  expect((await remove({ password: 'wrong' })).status).toBe(400)
  const removed = await remove({ password })
  expect(removed.status).toBe(204)
  const after = cookies(removed, cookie)
  expect(await whois(after)).toMatchObject({ hasSecondFactor: false })
  const again = await app.post('/api/account/second-factor/remove', { password }, { cookie: after })
  expect(again.status).toBe(409)
  const signIn = await app.post('/api/auth/sign-in/password', { email, password })
  expect(SignInStep.parse(await signIn.json())).toEqual({ next: 'done' })
})

test('sign-ins need no code until the first code is confirmed, and the setup can be restarted', async () => {
  const { cookie, email } = await person()
  const first = SecondFactorSetup.parse(await (await begin(cookie)).json())
  const second = SecondFactorSetup.parse(await (await begin(cookie)).json())
  expect((await confirm(cookie, makeCode(first.secret))).status).toBe(400)
  const signIn = await app.post('/api/auth/sign-in/password', { email, password })
  expect(SignInStep.parse(await signIn.json())).toEqual({ next: 'done' })
  expect((await confirm(cookie, makeCode(second.secret))).status).toBe(200)
})

test('a person without a password cannot set up a second factor', async () => {
  const { cookie } = await signedIn(app.db, 'viewer')
  const refused = await begin(cookie, {})
  expect(refused.status).toBe(409)
  expect(ApiErrorBody.parse(await refused.json()).message).toContain('Set a password first')
})

test('enabling the second factor ends the other sessions, which began without a code', async () => {
  const somebody = await person()
  const elsewhere = cookies(await app.post('/api/auth/sign-in/password', { email: somebody.email, password }))
  expect(await whois(elsewhere)).toMatchObject({ email: somebody.email })
  const { secret } = SecondFactorSetup.parse(await (await begin(somebody.cookie)).json())
  const confirmed = await confirm(somebody.cookie, makeCode(secret))
  expect(await whois(elsewhere)).toBeNull()
  expect(await whois(somebody.cookie)).toBeNull()
  expect(await whois(cookies(confirmed, somebody.cookie))).toMatchObject({ email: somebody.email })
})

test('the use of a second factor is audited, and neither audit nor log contains a code or the secret', async () => {
  const { userId, email, secret, codes } = await withApp()
  const pendingCookie = await afterPassword(email)
  const [wrong, right] = [makeWrong(makeCode(secret)), makeCode(secret)]
  await enterCode(pendingCookie, wrong)
  await enterCode(pendingCookie, right)
  await enterCode(await afterPassword(email), codes[0]!)
  const forUser = eq(auditEvents.targetId, userId)
  const rows = await app.db.select().from(auditEvents).where(forUser).orderBy(asc(auditEvents.auditId))
  expect(rows.map(({ action, outcome, details }) => [action, outcome, details.with ?? null])).toEqual([
    ['user.second_factor_added', 'ok', null],
    ['session.signed_in', 'refused', 'password and code'],
    ['session.signed_in', 'ok', 'password and code'],
    ['session.signed_in', 'ok', 'password and backup code'],
  ])
  const texts = JSON.stringify(rows.map(({ details }) => details)) + app.logged()
  for (const text of [secret, codes[0]!, `"${right}"`, `"${wrong}"`]) expect(texts).not.toContain(text)
})
