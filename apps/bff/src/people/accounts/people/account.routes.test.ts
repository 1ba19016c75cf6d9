import { makeSignInLinkIfNeeded } from '#people/accounts/first-start/sign-in-link.ts'
import { AccountSessionList } from '@docket/api-types/accounts'
import { Person, Session } from '@docket/api-types/session'
import { afterAll, expect, test } from 'vitest'
import { passkeys, signInAccounts, users, verifications } from '#people/accounts/accounts.table.ts'
import { browser, goodPassword, withPassword } from '#people/accounts/testing/browser.ts'
import { testApp } from '#testing/test-app.ts'
import { describeDevice } from './own-account.ts'

let now = Date.now()
const app = await testApp({ as: 'nobody', now: () => now })
const replica = await testApp({ as: 'nobody', database: { db: app.db, url: app.databaseUrl } })
afterAll(async () => {
  await replica.close()
  await app.close()
})

const who = async (client: ReturnType<typeof browser>) =>
  Session.parse(await (await client.send('GET', '/api/session')).json()).person
const listSessions = async (client: ReturnType<typeof browser>) =>
  AccountSessionList.parse(await (await client.send('GET', '/api/account/sessions')).json()).items

test('a new password requires the current one and ends every other session in all replicas', async () => {
  const { id } = await withPassword(app.db, 'ada@example.com')
  const [here, there] = [browser(app.url), browser(replica.url)]
  await here.enter(app.db, id)
  await there.enter(app.db, id)
  const change = (body: object) => here.send('POST', '/api/account/password', body)
  const newPassword = 'harbour lantern 31 fig'
  for (const [body, field] of [
    [{ newPassword }, 'currentPassword'],
    [{ currentPassword: 'not this one', newPassword }, 'currentPassword'],
    [{ currentPassword: goodPassword, newPassword: 'too short' }, 'newPassword'],
    [{ currentPassword: goodPassword, newPassword: 'ada@example.com' }, 'newPassword'],
  ] as const) {
    const refused = await change(body)
    expect([refused.status, await refused.json()]).toMatchObject([400, { field }])
  }
  expect(await who(there)).not.toBeNull()
  await app.db
    .insert(verifications)
    .values({ identifier: '2fa-half-done', value: id, expiresAt: new Date(now + 60_000) })
  expect((await change({ currentPassword: goodPassword, newPassword })).status).toBe(204)
  expect([await who(there), (await who(here))?.email]).toEqual([null, 'ada@example.com'])
  expect(await app.db.select().from(verifications)).toEqual([])
  expect((await there.signIn('ada@example.com')).status).toBe(401)
  expect((await there.signIn('ada@example.com', newPassword)).status).toBe(200)
})

test('people choose the time zone of their times, and only one that exists', async () => {
  const { id } = await withPassword(app.db, 'zoe@example.com')
  const here = browser(app.url)
  await here.enter(app.db, id)
  const choose = (timeZone: string | null) => here.send('PATCH', '/api/account', { timeZone })
  expect((await who(here))?.timeZone).toBeNull()
  expect((await choose('Europe/Berlin')).status).toBe(200)
  expect(await who(here)).toMatchObject({ email: 'zoe@example.com', timeZone: 'Europe/Berlin' })
  const refused = await choose('Mars/Olympus')
  expect([refused.status, await refused.json()]).toMatchObject([400, { field: 'timeZone' }])
  expect((await who(here))?.timeZone).toBe('Europe/Berlin')
  await choose(null)
  expect((await who(here))?.timeZone).toBeNull()
})

test('people can list their sessions, and end one of them or all others', async () => {
  const { id } = await withPassword(app.db, 'bob@example.com')
  const other = await withPassword(app.db, 'eve@example.com')
  const [here, phone, old, eve] = [browser(app.url), browser(app.url), browser(replica.url), browser(app.url)]
  await here.enter(app.db, id)
  await phone.send(
    'POST',
    '/api/auth/sign-in/password',
    { email: 'bob@example.com', password: goodPassword },
    { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1' },
  )
  await old.enter(app.db, id)
  await eve.enter(app.db, other.id)
  const items = await listSessions(here)
  expect(items.map(({ current }) => current).filter(Boolean)).toHaveLength(1)
  const phoneSession = items.find(({ device }) => device === 'Safari on iPhone')!
  expect((await eve.send('DELETE', `/api/account/sessions/${phoneSession.sessionId}`)).status).toBe(404)
  expect((await here.send('DELETE', `/api/account/sessions/${phoneSession.sessionId}`)).status).toBe(204)
  expect([await who(phone), (await who(old))?.userId]).toEqual([null, id])
  expect((await here.send('DELETE', '/api/account/sessions')).status).toBe(204)
  expect([await who(old), (await who(here))?.userId, await listSessions(here)]).toMatchObject([
    null,
    id,
    [{ current: true }],
  ])
})

test('people can change only their own name and address, and not to another account’s address', async () => {
  const { id } = await withPassword(app.db, 'cleo@example.com')
  const client = browser(app.url)
  await client.enter(app.db, id)
  const changed = await client.send('PATCH', '/api/account', { name: 'Cleo', email: 'Cleo.New@example.com' })
  expect(Person.parse(await changed.json())).toMatchObject({ name: 'Cleo', email: 'cleo.new@example.com' })
  await client.send('PATCH', '/api/account', { name: 'Cleopatra', role: 'admin', twoFactorEnabled: true })
  expect(await who(client)).toMatchObject({ name: 'Cleopatra', role: 'viewer', hasSecondFactor: false })
  await client.send('PATCH', '/api/account', { name: 'Cleo' })
  expect(await who(client)).toMatchObject({ name: 'Cleo', email: 'cleo.new@example.com' })
  const conflict = await client.send('PATCH', '/api/account', { email: 'bob@example.com' })
  expect([conflict.status, await conflict.json()]).toMatchObject([409, { field: 'email' }])
})

test('a first admin without a password can choose one without proving anything', async () => {
  await app.db.insert(users).values({ name: 'Owner', email: 'owner@docket.localhost', role: 'admin' })
  const link = await makeSignInLinkIfNeeded(app.services.people)
  const client = browser(app.url)
  expect((await client.send('POST', '/api/links/use', { token: link })).status).toBe(204)
  expect((await client.send('POST', '/api/account/password', { newPassword: goodPassword })).status).toBe(204)
  expect(await who(client)).toMatchObject({ hasPassword: true, role: 'admin' })
  // Somebody can sign in now, so no start prints a link any more.
  expect(await makeSignInLinkIfNeeded(app.services.people)).toBeNull()
})

test('neither people who use single sign-on nor an old session can set a first password', async () => {
  const person = async (email: string) => {
    const [user] = await app.db.insert(users).values({ name: email, email }).returning()
    const client = browser(app.url)
    await client.enter(app.db, user!.id, now)
    return { id: user!.id, choose: () => client.send('POST', '/api/account/password', { newPassword: goodPassword }) }
  }
  const managed = await person('managed@example.com')
  const account = { userId: managed.id, providerId: 'oidc:https://id.example.com/', accountId: 'subject' }
  await app.db.insert(signInAccounts).values(account)
  expect((await managed.choose()).status).toBe(409)
  const keyed = await person('keyed@example.com')
  await app.db.insert(passkeys).values({
    userId: keyed.id,
    publicKey: 'key',
    credentialID: 'credential',
    counter: 0,
    deviceType: 'singleDevice',
    backedUp: false,
  })
  now += 10 * 60_000
  expect((await keyed.choose()).status).toBe(409)
  now -= 5 * 60_000
  expect((await keyed.choose()).status).toBe(204)
  now -= 5 * 60_000
})

test('a session ends after three days without use, and after thirty days in any case', async () => {
  const day = 24 * 3_600_000
  const began = now
  const { id } = await withPassword(app.db, 'dora@example.com')
  const [used, idle] = [browser(app.url), browser(app.url)]
  await used.enter(app.db, id, now)
  await idle.enter(app.db, id, now)
  for (let days = 2; days <= 28; days += 2) {
    now = began + days * day
    expect((await who(used))?.userId).toBe(id)
    if (days >= 4) expect(await who(idle)).toBeNull()
  }
  now = began + 30 * day - 1
  expect((await who(used))?.userId).toBe(id)
  now = began + 30 * day
  expect(await who(used)).toBeNull()
  now = began
})

test('sessions are described by browser and operating system only', () => {
  expect(describeDevice('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0')).toBe(
    'Edge on Windows',
  )
  expect(describeDevice('Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36')).toBe('Chrome on Android')
  expect(describeDevice('curl/8.9.1')).toBe('curl')
  expect(describeDevice('<script>alert(1)</script>')).toBe('Unknown device')
  expect(describeDevice(null)).toBe('Unknown device')
})
