import { Session } from '@docket/api-types/session'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import { browser, goodPassword, withPassword } from '#people/accounts/testing/browser.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { hashAtFullCost } from '#testing/hash-cost.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp({ as: 'nobody' })
afterAll(() => app.close())

const who = async (client: ReturnType<typeof browser>) =>
  Session.parse(await (await client.send('GET', '/api/session')).json()).person

const tried = async (email: string, password: string) => {
  const response = await browser(app.url).signIn(email, password)
  const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, cookies: response.headers.getSetCookie() }
}

test('a password sign-in sets a cookie that scripts cannot read, and is audited', async () => {
  const { id } = await withPassword(app.db, 'ada@example.com', 'operator')
  const client = browser(app.url)
  const response = await client.send(
    'POST',
    '/api/auth/sign-in/password',
    { email: ' Ada@Example.com ', password: goodPassword },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  )
  expect([response.status, await response.json()]).toEqual([200, { next: 'done' }])
  const [line] = response.headers.getSetCookie().filter((cookie) => /^docket_[0-9a-f]{8}=/.test(cookie))
  expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(await who(client)).toMatchObject({ userId: id, role: 'operator', hasPassword: true })
  const [session] = await app.db.select().from(sessions).where(eq(sessions.userId, id))
  expect(session).toMatchObject({ ipAddress: '127.0.0.1', userAgent: expect.stringContaining('Firefox') as unknown })
  expect(session!.expiresAt.getTime() - session!.createdAt.getTime()).toBe(30 * 24 * 3_600_000)
  const [row] = await app.db.select().from(auditEvents).where(eq(auditEvents.actorId, id))
  expect(row).toMatchObject({ action: 'session.signed_in', outcome: 'ok', address: '127.0.0.1' })
  expect(row!.requestId).toBe(response.headers.get('x-request-id'))
})

test('unknown and disabled people, wrong passwords and accounts without one get the same response, and each attempt is audited', async () => {
  await withPassword(app.db, 'wrong@example.com')
  const disabled = await withPassword(app.db, 'disabled@example.com')
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.id))
  await app.db.insert(users).values({ name: 'Nobody', email: 'passwordless@example.com' })
  const answers = [
    await tried('nobody@example.com', goodPassword),
    await tried('wrong@example.com', `${goodPassword}!`),
    await tried('disabled@example.com', goodPassword),
    await tried('passwordless@example.com', goodPassword),
  ]
  for (const answer of answers) {
    expect(answer).toEqual(answers[0])
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' }, cookies: [] })
  }
  const refused = await app.db.select().from(auditEvents).where(eq(auditEvents.outcome, 'refused'))
  expect(refused.map(({ targetName, details }) => [targetName, details['because']])).toEqual([
    ['nobody@example.com', 'unknown e-mail address'],
    ['wrong', 'wrong password'],
    ['disabled', 'disabled'],
    ['Nobody', 'no password'],
  ])
  expect(app.logged()).not.toContain(goodPassword)
})

test('a password matches in any Unicode form, and all of its up to 256 characters count', async () => {
  const user = await withPassword(app.db, 'letters@example.com')
  const long = `${'é'.repeat(120)}${'ß'.repeat(135)}1`
  const password = await hashPassword(long)
  await app.db.update(signInAccounts).set({ password }).where(eq(signInAccounts.userId, user.id))
  expect((await tried('letters@example.com', `${long.slice(0, -1)}2`)).status).toBe(401)
  expect((await tried('letters@example.com', long.normalize('NFD'))).status).toBe(200)
})

test('a sign-in that cannot be audited fails', async () => {
  const { id } = await withPassword(app.db, 'unwritten@example.com')
  await app.db.execute(sql`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`)
  await app.db.execute(sql`create trigger refuse before insert on audit_events execute function refuse_audit()`)
  const response = await browser(app.url).signIn('unwritten@example.com')
  await app.db.execute(sql`drop trigger refuse on audit_events`)
  expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
  expect(await app.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([])
})

test('every sign-in opens a new session and ends the browser’s earlier one', async () => {
  const { id } = await withPassword(app.db, 'again@example.com')
  const client = browser(app.url)
  await client.signIn('again@example.com')
  const first = new Map(client.jar)
  await client.signIn('again@example.com')
  expect([...client.jar.values()]).not.toEqual([...first.values()])
  expect(await app.db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1)
  const old = browser(app.url)
  for (const [name, value] of first) old.jar.set(name, value)
  expect(await who(old)).toBeNull()
})

test('a sign-in never continues a session token that the browser already had', async () => {
  await withPassword(app.db, 'fixed@example.com')
  const client = browser(app.url)
  const { name } = app.services.people.cookie
  client.jar.set(name, 'chosen.by-somebody-else')
  await client.signIn('fixed@example.com')
  expect(client.jar.get(name)).not.toContain('chosen')
})

test('a password hash of a lower cost is renewed at the next sign-in', async () => {
  hashAtFullCost(true)
  onTestFinished(() => hashAtFullCost(false))
  const { id } = await withPassword(app.db, 'old@example.com')
  const cheap = await import('node:crypto').then(({ argon2Sync, randomBytes }) => {
    const nonce = randomBytes(16)
    const hash = argon2Sync('argon2id', {
      message: goodPassword,
      nonce,
      memory: 1024,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    })
    const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    return `$argon2id$v=19$m=1024,t=1,p=1$${text(nonce)}$${text(hash)}`
  })
  await app.db.update(signInAccounts).set({ password: cheap }).where(eq(signInAccounts.userId, id))
  expect((await browser(app.url).signIn('old@example.com')).status).toBe(200)
  const [row] = await app.db.select().from(signInAccounts).where(eq(signInAccounts.userId, id))
  expect(row!.password).toMatch(/^\$argon2id\$v=19\$m=65536,/)
  expect((await browser(app.url).signIn('old@example.com')).status).toBe(200)
})

test('a sign-in fails if the person is disabled or their password changes while it is in progress', async () => {
  const { id } = await withPassword(app.db, 'meanwhile@example.com')
  const waiting = async () => {
    const { rows } = await app.db.execute<{ found: number }>(sql`
      select count(*)::int as found from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows[0]!.found
  }
  const during = async (
    password: string,
    change: (tx: Parameters<Parameters<typeof app.db.transaction>[0]>[0]) => Promise<unknown>,
  ) => {
    let signingIn: Promise<Response> | undefined
    await app.db.transaction(async (tx) => {
      await tx.select().from(users).where(eq(users.id, id)).for('update')
      signingIn = browser(app.url).signIn('meanwhile@example.com', password)
      await expect.poll(waiting).toBe(1)
      await change(tx)
    })
    return (await signingIn!).status
  }
  const other = await hashPassword('another phrase of mine 5')
  const isUser = eq(signInAccounts.userId, id)
  expect(await during(goodPassword, (tx) => tx.update(signInAccounts).set({ password: other }).where(isUser))).toBe(401)
  expect((await browser(app.url).signIn('meanwhile@example.com', 'another phrase of mine 5')).status).toBe(200)
  await app.db.delete(sessions).where(eq(sessions.userId, id))
  const disabling = during('another phrase of mine 5', async (tx) => {
    await tx.update(users).set({ disabledAt: new Date() }).where(eq(users.id, id))
  })
  expect(await disabling).toBe(401)
  expect(await app.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([])
})

test('over https, every sign-in cookie is limited to this host and to https', async () => {
  const database = { db: app.db, url: app.databaseUrl }
  const behind = await testApp({ as: 'nobody', database, publicUrl: new URL('https://docket.example.com') })
  await withPassword(app.db, 'secure@example.com')
  const client = browser(behind.url)
  const response = await client.send(
    'POST',
    '/api/auth/sign-in/password',
    { email: 'secure@example.com', password: goodPassword },
    { origin: 'https://docket.example.com' },
  )
  const [session, device] = response.headers.getSetCookie()
  for (const [line, name] of [
    [session, '__Host-docket'],
    [device, '__Host-docket-device'],
  ] as const) {
    expect(line).toMatch(new RegExp(`^${name}=[^;]+; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Strict$`))
    expect(line).not.toContain('Domain')
  }
  expect((await who(client))?.email).toBe('secure@example.com')
  await behind.close()
})
