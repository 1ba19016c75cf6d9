import { Session } from '@docket/api-types/session'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { deriveSecrets } from '#testing/instance.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { bearerHeaders } from '#testing/tokens.ts'
import { CreatedApiToken } from '@docket/api-types/tokens'
import { signedToken, startProviderStandIn, type StandInPerson } from './testing/provider-stand-in.ts'
import { readCookie, settingsFor, signIn as signInAt, somebody } from './testing/sign-ins.ts'

const minute = 60_000
const provider = await startProviderStandIn()
const database = await testDatabase()
let now = Date.now()
const start = (more: Partial<Parameters<typeof testApp>[0]> = {}) =>
  testApp({
    database,
    as: 'nobody',
    oidc: { ...settingsFor(provider), recheckMinutes: 15 },
    now: () => now,
    ...more,
  })
const app = await start()
const replica = await start()
// Another admin, so that no test is about the last one.
await signedIn(app.db, 'admin')
afterAll(async () => {
  await replica.close()
  await app.close()
  await database.drop()
  await provider.close()
})
beforeEach(() => void Object.assign(provider.state, { refreshes: true, requests: [] }))
afterEach(async () => {
  vi.restoreAllMocks()
  Object.assign(provider.state, { misbehaves: null, misbehavesAt: null, sparse: false, forge: null })
  Object.assign(provider.state, { refreshError: null, onRefresh: null })
  await app.db.delete(sessions)
  await app.db.execute('delete from sign_in_attempts')
})

const signIn = async (person: StandInPerson, at = app) => readCookie(await signInAt(at, provider, person))
const whois = async (cookie: string, at = replica) =>
  Session.parse(await (await at.get('/api/session', { cookie })).json()).person
/** What the background of one process does with all sessions that are due. */
const check = (at: TestApp = app) =>
  at.services.background.records.get('docket-rechecks')!.run('sessions', new AbortController().signal)
const countRefreshes = () => provider.state.requests.filter((path) => path === '/token').length
const listAudit = async (targetName: string) => {
  const rows = await app.db
    .select({ action: auditEvents.action, outcome: auditEvents.outcome, by: auditEvents.actorName })
    .from(auditEvents)
    .where(eq(auditEvents.targetName, targetName))
    .orderBy(asc(auditEvents.auditId))
  return rows.map(({ action, outcome, by }) => `${action} ${outcome} by ${by}`)
}

test('groups, name and address follow the provider while a session lasts, on every replica, and the audit says so', async () => {
  const person = somebody(['docket-admins'])
  const cookie = await signIn(person)
  provider.state.person = { ...person, groups: ['staff'], name: 'Ada Byron', email: 'byron@example.com' }
  now += 15 * minute - 1
  await check()
  expect(await whois(cookie)).toMatchObject({ role: 'admin', name: person.name })
  now += 1
  await check()
  expect(await whois(cookie)).toMatchObject({ role: 'viewer', name: 'Ada Byron', email: 'byron@example.com' })
  expect(await listAudit('Ada Byron')).toEqual(['user.renamed ok by Docket', 'user.changed_role ok by Docket'])
  // With the refresh token that replaced the first one.
  provider.state.person = { ...person, groups: ['docs'] }
  now += 15 * minute
  await check(replica)
  expect(await whois(cookie, app)).toMatchObject({ role: 'operator', name: person.name })
})

test('a person who left all groups is signed out everywhere, their tokens pause, and the audit has the refusal', async () => {
  const person = somebody(['docket-admins'])
  const cookie = await signIn(person)
  now += minute
  const other = await signIn(person)
  const made = await app.post('/api/tokens', { name: 'CI', scope: 'operate', expiresInDays: null }, { cookie })
  const bearer = bearerHeaders(CreatedApiToken.parse(await made.json()).token)
  expect((await replica.get('/api/status', bearer)).status).toBe(200)
  provider.state.person = { ...person, groups: ['others'] }
  now += 14 * minute
  await check()
  expect([await whois(cookie), await whois(other)]).toEqual([null, null])
  expect((await replica.get('/api/status', bearer)).status).toBe(401)
  expect((await listAudit(person.name!)).slice(-2)).toEqual([
    'session.signed_in refused by Docket',
    'session.revoked ok by Docket',
  ])
  expect(app.logged()).toContain('The claim groups has 1 value, and none is a group with a role')
})

test('a refresh token that the provider refuses ends its session, and no other one of the person', async () => {
  const person = somebody(['staff'])
  const first = await signIn(person)
  now += 5 * minute
  const second = await signIn(person)
  provider.state.refreshError = 'invalid_grant'
  now += 10 * minute
  await check()
  expect([await whois(first), (await whois(second))?.name]).toEqual([null, person.name])
  expect((await listAudit(person.name!)).slice(-1)).toEqual(['session.revoked ok by Docket'])
  expect(app.logged()).toContain('invalid_grant')
})

test.for(['silent', 'not JSON', 'redirecting', 'invalid_client', 'server_error'] as const)(
  'a provider that cannot answer (%s) changes nothing, and is asked again after pauses that grow',
  async (how) => {
    const person = somebody(['docs'])
    const cookie = await signIn(person)
    provider.state.person = { ...person, groups: ['staff'] }
    if (how === 'invalid_client' || how === 'server_error') provider.state.refreshError = how
    else Object.assign(provider.state, { misbehaves: how, misbehavesAt: '/token' })
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    now += 15 * minute
    for (const pause of [1.5, 2, 3, 5]) {
      provider.state.requests = []
      await check()
      await check(replica)
      expect(countRefreshes()).toBe(1)
      expect(await whois(cookie)).toMatchObject({ role: 'operator' })
      now += pause * minute - 1
      await check()
      expect(countRefreshes()).toBe(1)
      now += 1
    }
    Object.assign(provider.state, { misbehaves: null, misbehavesAt: null, refreshError: null })
    await check()
    expect(await whois(cookie)).toMatchObject({ role: 'viewer' })
  },
)

test('a provider whose document cannot be used, or whose clock is wrong, ends no session', async () => {
  const person = somebody(['docs'])
  const cookie = await signIn(person)
  now += 15 * minute
  provider.state.misbehaves = 'another issuer in its document'
  await check()
  now += 2 * minute
  provider.state.misbehaves = null
  provider.state.forge = (claims) =>
    signedToken({ ...claims, iat: Number(claims['iat']) - 900, exp: Number(claims['exp']) - 900 })
  await check()
  expect(await whois(cookie)).toMatchObject({ role: 'operator' })
})

test.for(['ID token', 'userinfo response'])(
  'an %s about somebody else ends the session, and gives nobody its groups',
  async (where) => {
    const [person, other] = [somebody(['staff']), somebody(['docket-admins'])]
    const cookie = await signIn(person)
    if (where === 'ID token') provider.state.person = other
    else Object.assign(provider.state, { misbehaves: 'another person at userinfo', sparse: true })
    now += 15 * minute
    await check()
    expect(await whois(cookie)).toBeNull()
    const rows = await app.db.select().from(users).where(eq(users.name, person.name!))
    expect(rows).toMatchObject([{ role: 'viewer', refusedAt: null }])
    expect(await app.db.$count(signInAccounts, eq(signInAccounts.accountId, other.sub))).toBe(0)
  },
)

test('without an ID token in the answer, the userinfo endpoint says who is in which groups', async () => {
  const person = somebody(['docs'])
  const cookie = await signIn(person)
  provider.state.misbehaves = 'no id token'
  provider.state.person = { ...person, groups: ['staff'] }
  now += 15 * minute
  await check()
  expect(await whois(cookie)).toMatchObject({ role: 'viewer' })
})

test('a session ends when no account belongs to its subject any more, and none is created', async () => {
  const person = somebody(['staff'])
  const cookie = await signIn(person)
  await app.db.delete(signInAccounts).where(eq(signInAccounts.accountId, person.sub))
  const before = await app.db.$count(users)
  now += 15 * minute
  await check()
  expect([await whois(cookie), await app.db.$count(users)]).toEqual([null, before])
})

test('a forged ID token in the answer ends the session', async () => {
  const person = somebody(['staff'])
  const cookie = await signIn(person)
  provider.state.person = { ...person, groups: ['docket-admins'] }
  provider.state.forge = (claims) => signedToken({ ...claims, aud: 'somebody-else' })
  now += 15 * minute
  await check()
  expect(await whois(cookie)).toBeNull()
})

test('each session is checked once, whatever number of replicas and runs look at the same time', async () => {
  const cookies: string[] = []
  for (let count = 0; count < 12; count += 1) cookies.push(await signIn(somebody(['staff']), app))
  provider.state.requests = []
  // The stand-in describes one person, so the other sessions end: what counts is who is asked for, and how often.
  now += 15 * minute
  await Promise.all([check(app), check(replica), check(app), check(replica)])
  expect(countRefreshes()).toBe(12)
  const alive = await Promise.all(cookies.map(async (cookie) => (await whois(cookie)) !== null))
  expect(alive).toEqual([...Array.from({ length: 11 }, () => false), true])
  await Promise.all([check(app), check(replica)])
  expect(countRefreshes()).toBe(12)
})

test('a process that dies before it saved the next refresh token leads to a sign-out, and never to kept rights', async () => {
  const person = somebody(['docket-admins'])
  const cookie = await signIn(person)
  provider.state.person = { ...person, groups: ['others'] }
  await app.db.execute(sql`
    create function no_save() returns trigger language plpgsql as $$ begin raise 'it died here'; end $$;
    create trigger no_save before update of sealed_refresh_token on sessions execute function no_save()`)
  now += 15 * minute
  await expect(check()).rejects.toThrow()
  await app.db.execute(sql`drop trigger no_save on sessions; drop function no_save`)
  expect(await whois(cookie)).not.toBeNull()
  // Its claim holds for five minutes.
  await check(replica)
  expect(countRefreshes()).toBe(2)
  now += 5 * minute
  await check(replica)
  expect(await whois(cookie)).toBeNull()
})

test('the next refresh token is saved at once, even if the provider answers nothing more', async () => {
  const person = somebody(['docs'])
  const cookie = await signIn(person)
  Object.assign(provider.state, { misbehaves: 'silent', misbehavesAt: '/userinfo', sparse: true })
  now += 15 * minute
  await check()
  Object.assign(provider.state, { misbehaves: null, misbehavesAt: null, person: { ...person, groups: ['staff'] } })
  now += 2 * minute
  await check(replica)
  expect(await whois(cookie)).toMatchObject({ role: 'viewer' })
})

test('a sign-out while the provider is asked wins: nothing comes back, and nothing is followed', async () => {
  const person = somebody(['staff'])
  const cookie = await signIn(person)
  provider.state.person = { ...person, groups: ['docket-admins'] }
  provider.state.onRefresh = () => app.post('/api/auth/sign-out', undefined, { cookie })
  now += 15 * minute
  await check()
  expect(await app.db.select().from(sessions)).toEqual([])
  expect(await app.db.select({ role: users.role }).from(users).where(eq(users.name, person.name!))).toEqual([
    { role: 'viewer' },
  ])
})

test('refresh tokens end with their session, with the person’s rights, and after a session’s limits', async () => {
  const person = somebody(['docs'])
  const admin = await signedIn(app.db, 'admin', { now })
  await signIn(person)
  const [row] = await app.db.select().from(users).where(eq(users.name, person.name!))
  const countKept = () => app.db.$count(sessions, eq(sessions.userId, row!.id))
  expect(await countKept()).toBe(1)
  await app.send('PATCH', `/api/users/${row!.id}`, { disabled: true }, { cookie: admin.cookie })
  expect(await countKept()).toBe(0)
  await app.send('PATCH', `/api/users/${row!.id}`, { disabled: false }, { cookie: admin.cookie })
  await signIn(person)
  now += 3 * 24 * 60 * minute + 1
  provider.state.requests = []
  await check()
  expect(countRefreshes()).toBe(0)
  await app.services.background.works.get('ended-sign-ins')!.run()
  expect(await countKept()).toBe(0)
})

test('refresh tokens are encrypted in the database, follow a new instance secret, and are in no log, audit or response', async () => {
  const own = await testDatabase()
  const [first, second] = ['the-first-secret-of-this-docket-0123', 'the-second-secret-of-this-docket-012']
  const before = await start({ database: own, secrets: deriveSecrets(first) })
  const person = somebody(['docket-admins'])
  const cookie = await signIn(person, before)
  const after = await start({ database: own, secrets: deriveSecrets(second, first) })
  // What a replica without the previous secret reads.
  const last = await start({ database: own, secrets: deriveSecrets(second) })
  provider.state.person = { ...person, groups: ['staff'] }
  now += 15 * minute
  await check(last)
  expect(await whois(cookie, after)).toMatchObject({ role: 'viewer' })
  const [row] = await own.db.select().from(sessions)
  expect(row!.sealedRefreshToken).toMatch(/^\$ba\$\d+\$[0-9a-f]+$/)
  const shown = await (await after.get('/api/account/sessions', { cookie })).text()
  const rows = await own.db.select().from(auditEvents)
  const said = [shown, JSON.stringify([row, rows]), before.logged(), after.logged(), last.logged()].join()
  expect(said).not.toMatch(/canary-(?:refresh|access)|\$ba\$\d+\$[^"]*".*\$ba|eyJ[\w-]+\./)
  expect(shown).not.toContain('$ba$')
  for (const one of [last, after, before]) await one.close()
  await own.drop()
})

test('a refresh token never goes to another provider than the one that gave it', async () => {
  const cookie = await signIn(somebody(['staff']))
  const elsewhere = await startProviderStandIn()
  const moved = await start({ oidc: { ...settingsFor(elsewhere), recheckMinutes: 15 } })
  now += 15 * minute
  await check(moved)
  expect([elsewhere.state.requests, await whois(cookie)]).toEqual([[], null])
  await moved.close()
  await elsewhere.close()
})

test('a provider without refresh tokens is named in one line of the log, and sessions last as before', async () => {
  provider.state.refreshes = false
  const fresh = await start()
  const cookie = await signIn(somebody(['staff']), fresh)
  await signIn(somebody(['staff']), fresh)
  expect(fresh.logged().split('gives no refresh token')).toHaveLength(2)
  now += 60 * minute
  await check(fresh)
  expect(await whois(cookie)).toMatchObject({ role: 'viewer' })
  await fresh.close()
})

test('without OIDC_RECHECK_MINUTES, no refresh token is kept', async () => {
  const off = await start({ oidc: settingsFor(provider) })
  await signIn(somebody(['staff']), off)
  expect(await off.db.select({ kept: sessions.sealedRefreshToken }).from(sessions)).toEqual([{ kept: null }])
  expect(off.services.background.records.has('docket-rechecks')).toBe(false)
  await off.close()
})
