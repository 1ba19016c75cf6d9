import { OneTimeLink, UserList, type User } from '@docket/api-types/accounts'
import { Session } from '@docket/api-types/session'
import { and, desc, eq, inArray, like, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { oneTimeLinks, users } from '#people/accounts/accounts.table.ts'
import { browser, goodPassword, withPassword } from '#people/accounts/testing/browser.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testApp } from '#testing/test-app.ts'

let now = Date.now()
const app = await testApp({ as: 'nobody', now: () => now })
const replica = await testApp({ as: 'nobody', now: () => now, database: { db: app.db, url: app.databaseUrl } })
afterAll(async () => {
  await replica.close()
  await app.close()
})

const signedIn = async (email: string, role: 'viewer' | 'operator' | 'admin' = 'viewer') => {
  const user = await withPassword(app.db, email, role)
  const client = browser(app.url)
  await client.enter(app.db, user.id, now)
  return { ...user, ...client }
}
const boss = await signedIn('boss@example.com', 'admin')
const readCode = async (response: Response) => ((await response.json()) as { code: string }).code
const readLink = async (response: Response) => OneTimeLink.parse(await response.json())
const readToken = ({ url }: { url: string }) => url.split('#')[1]!
const list = async () => UserList.parse(await (await boss.send('GET', '/api/users')).json())
const who = async (client: ReturnType<typeof browser>, url = '') =>
  Session.parse(await (await client.send('GET', `${url}/api/session`)).json()).person
const readAudit = (id: string) =>
  app.db
    .select({ action: auditEvents.action, details: auditEvents.details })
    .from(auditEvents)
    .where(eq(auditEvents.targetId, id))

test('an invitation creates one account with the invited role and signs the person in', async () => {
  const invited = await boss.send('POST', '/api/users/invitations', { email: 'New@Example.com', role: 'operator' })
  expect(invited.status).toBe(201)
  const link = await readLink(invited)
  expect(link.url).toMatch(new RegExp(`^${app.url}/link#[\\w-]{32}$`))
  expect(Date.parse(link.expiresAt) - now).toBe(7 * 24 * 3_600_000)
  const token = readToken(link)
  expect((await list()).invitations.map(({ email, role, invitedBy }) => [email, role, invitedBy])).toEqual([
    ['new@example.com', 'operator', 'boss'],
  ])
  const stranger = browser(app.url)
  const read = await stranger.send('POST', '/api/links/read', { token })
  expect(await read.json()).toMatchObject({
    kind: 'invitation',
    email: 'new@example.com',
    name: null,
    role: 'operator',
  })
  const use = (body: object) => stranger.send('POST', '/api/links/use', { token, name: 'Newcomer', ...body })
  const easy = await use({ password: 'newcomer newcomer' })
  expect([easy.status, await easy.json()]).toMatchObject([400, { field: 'password' }])
  // Nobody gives themselves a role.
  const good = { password: goodPassword, role: 'admin', email: 'other@example.com' }
  const both = await Promise.all([use(good), use(good)])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['204', '404'])
  expect(await who(stranger)).toMatchObject({ name: 'Newcomer', role: 'operator', hasPassword: true })
  expect((await list()).invitations).toEqual([])
  expect((await browser(app.url).signIn('new@example.com')).status).toBe(200)
})

test('an invitation can be revoked, expires after a week, and is refused for an address that has an account', async () => {
  const invite = (email: string) => boss.send('POST', '/api/users/invitations', { email, role: 'viewer' })
  const there = await invite('boss@example.com')
  expect([there.status, await there.json()]).toMatchObject([409, { code: 'conflict', field: 'email' }])
  const revoked = readToken(await readLink(await invite('revoked@example.com')))
  const [open] = (await list()).invitations
  expect((await boss.send('DELETE', `/api/users/invitations/${open!.invitationId}`)).status).toBe(204)
  const replaced = readToken(await readLink(await invite('twice@example.com')))
  const late = readToken(await readLink(await invite('twice@example.com')))
  const read = (token: string) => browser(app.url).send('POST', '/api/links/read', { token })
  expect((await read(revoked)).status).toBe(404)
  expect((await read(replaced)).status).toBe(404)
  expect((await read(late)).status).toBe(200)
  now += 7 * 24 * 3_600_000
  expect((await read(late)).status).toBe(404)
  now -= 7 * 24 * 3_600_000
})

test('the database contains no usable link, and the log contains no link at all', async () => {
  const link = await readLink(
    await boss.send('POST', '/api/users/invitations', { email: 'kept@example.com', role: 'viewer' }),
  )
  const found = and(eq(oneTimeLinks.email, 'kept@example.com'), like(oneTimeLinks.tokenHash, `%${readToken(link)}%`))
  expect(await app.db.select().from(oneTimeLinks).where(found)).toEqual([])
  expect(app.logged()).not.toContain(readToken(link))
  await browser(app.url).send('POST', '/api/links/use', { token: 'guessed', password: goodPassword })
  const [guessed] = await app.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.outcome, 'refused'))
    .orderBy(desc(auditEvents.auditId))
  expect(guessed).toMatchObject({ actorKind: 'nobody', details: { with: 'link' }, address: '127.0.0.1' })
})

test('disabling a person locks them out of every replica by the time of the response, even out of cached polls', async () => {
  const person = await signedIn('out@example.com', 'operator')
  const poll = (url: string, etag?: string) =>
    fetch(`${url}/api/static-exports`, {
      headers: {
        cookie: [...person.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
    })
  const etags = new Map<string, string>()
  for (const { url } of [app, replica]) {
    const etag = (await poll(url)).headers.get('etag')!
    etags.set(url, etag)
    expect((await poll(url, etag)).status).toBe(304)
    expect((await poll(url, etag)).status).toBe(304)
  }
  const disabled = await boss.send('PATCH', `/api/users/${person.id}`, { disabled: true })
  expect((await disabled.json()) as User).toMatchObject({ userId: person.id, sessions: 0 })
  for (const { url } of [app, replica]) {
    expect((await poll(url)).status).toBe(401)
    expect((await poll(url, etags.get(url))).status).toBe(401)
  }
  expect((await person.signIn('out@example.com')).status).toBe(401)
  await boss.send('PATCH', `/api/users/${person.id}`, { disabled: false })
  expect((await person.signIn('out@example.com')).status).toBe(200)
  expect((await readAudit(person.id)).map(({ action }) => action)).toEqual([
    'user.disabled',
    'session.signed_in',
    'user.enabled',
    'session.signed_in',
  ])
})

test('a new role, a deletion and ending all sessions each sign the person out of every replica immediately', async () => {
  const person = await signedIn('moved@example.com')
  const elsewhere = browser(replica.url)
  await elsewhere.enter(app.db, person.id, now)
  expect((await boss.send('PATCH', `/api/users/${person.id}`, { role: 'operator' })).status).toBe(200)
  expect([await who(person), await who(elsewhere)]).toEqual([null, null])
  await person.enter(app.db, person.id, now)
  expect(await who(person)).toMatchObject({ role: 'operator' })
  expect((await boss.send('DELETE', `/api/users/${person.id}/sessions`)).status).toBe(204)
  expect(await who(person)).toBeNull()
  await elsewhere.enter(app.db, person.id, now)
  expect((await boss.send('DELETE', `/api/users/${person.id}`)).status).toBe(204)
  expect(await who(elsewhere)).toBeNull()
  expect((await boss.send('DELETE', `/api/users/${person.id}`)).status).toBe(404)
})

test('admins cannot demote, disable or delete themselves, and if two demote each other at once, one stays an admin', async () => {
  const own = await Promise.all([
    boss.send('PATCH', `/api/users/${boss.id}`, { role: 'viewer' }),
    boss.send('PATCH', `/api/users/${boss.id}`, { disabled: true }),
    boss.send('DELETE', `/api/users/${boss.id}`),
  ])
  expect(own.map(({ status }) => status)).toEqual([409, 409, 409])
  const second = await signedIn('second@example.com', 'admin')
  const waiting = async () => {
    const { rows } = await app.db.execute<{ found: number }>(sql`
      select count(*)::int as found from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows[0]!.found
  }
  // Both are let in and then held until both have come to the point where one has to wait for the other.
  let demotions: Promise<Response[]> | undefined
  await app.db.transaction(async (tx) => {
    await tx
      .select()
      .from(users)
      .where(inArray(users.id, [boss.id, second.id]))
      .for('update')
    demotions = Promise.all([
      boss.send('PATCH', `/api/users/${second.id}`, { role: 'viewer' }),
      second.send('PATCH', `/api/users/${boss.id}`, { role: 'viewer' }),
    ])
    await expect.poll(waiting).toBe(2)
  })
  expect((await demotions!).map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
  expect(await app.db.select().from(users).where(eq(users.role, 'admin'))).toHaveLength(1)
  // The admin who lost the race keeps working.
  await app.db.update(users).set({ role: 'viewer' }).where(eq(users.id, second.id))
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, boss.id))
  await boss.enter(app.db, boss.id, now)
})

test('an admin who cannot sign in again cannot delete the last admin who can', async () => {
  const { cookie, ...passwordless } = await import('#testing/people.ts').then(({ signedIn: withSession }) =>
    withSession(app.db, 'admin', { now }),
  )
  const headers = { cookie, origin: app.url, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  const refused = await fetch(`${app.url}/api/users/${boss.id}`, { method: 'DELETE', headers })
  expect([refused.status, await readCode(refused)]).toEqual([409, 'conflict'])
  expect((await boss.send('DELETE', `/api/users/${passwordless.userId}`)).status).toBe(204)
})

test('a password link sets a password once and ends all sessions; a person with a second factor must then sign in', async () => {
  const person = await signedIn('forgetful@example.com')
  const make = async () => readToken(await readLink(await boss.send('POST', `/api/users/${person.id}/password-link`)))
  const stale = await make()
  const token = await make()
  const stranger = browser(app.url)
  const use = (linkToken: string) =>
    stranger.send('POST', '/api/links/use', { token: linkToken, password: 'a brand new pass phrase 9' })
  expect((await use(stale)).status).toBe(404)
  now += 30 * 24 * 3_600_000
  expect((await use(token)).status).toBe(404)
  now -= 30 * 24 * 3_600_000
  expect((await use(token)).status).toBe(204)
  expect((await use(token)).status).toBe(404)
  expect([(await who(person))?.email, (await who(stranger))?.email]).toEqual([undefined, 'forgetful@example.com'])
  await app.db.update(users).set({ twoFactorEnabled: true }).where(eq(users.id, person.id))
  const careful = browser(app.url)
  const next = await careful.send('POST', '/api/links/use', { token: await make(), password: 'yet another phrase 9' })
  expect([next.status, next.headers.getSetCookie(), await who(careful)]).toEqual([204, [], null])
})
