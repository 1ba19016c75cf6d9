import { createConfiguredAdmin, makeSetupLink } from '#people/accounts/setup.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { attempts, oneTimeLinks, sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { deleteEndedSignIns } from '#people/accounts/clean-up.ts'
import { browser, goodPassword } from '#people/accounts/testing/browser.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp({ as: 'nobody' })
const replica = await testApp({ as: 'nobody', database: { db: app.db, url: app.databaseUrl } })
afterAll(async () => {
  await replica.close()
  await app.close()
})

test('only one of two concurrent replicas creates the configured admin, and a later start changes nothing', async () => {
  const admin = { email: 'ada@example.com', password: goodPassword }
  await expect(
    createConfiguredAdmin(app.services.people, { ...admin, password: 'ada@example.com ada' }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const created = await Promise.all([app, replica].map(({ services }) => createConfiguredAdmin(services.people, admin)))
  expect(created.filter(Boolean)).toHaveLength(1)
  expect(await createConfiguredAdmin(app.services.people, { ...admin, password: 'another phrase of mine 5' })).toBe(
    false,
  )
  expect((await browser(app.url).signIn('ada@example.com')).status).toBe(200)
  const [row] = await app.db.select().from(auditEvents).where(eq(auditEvents.action, 'user.created'))
  expect(row).toMatchObject({ actorKind: 'docket', targetName: 'ada', outcome: 'ok' })
})

test('only one of many concurrent uses of the setup links creates the admin', async () => {
  await Promise.all([users, attempts].map((table) => app.db.delete(table)))
  const samples = Number(process.env['SAMPLES'] ?? 12)
  const tokens = await Promise.all([app, replica].map(({ services }) => makeSetupLink(services.people)))
  // Every link at every replica.
  const setUp = (at: number) =>
    browser([app, replica][at % 2]!.url).send('POST', '/api/setup', {
      token: tokens[Math.floor(at / 2) % 2],
      email: `at${at}@example.com`,
    })
  const responses = await Promise.all(Array.from({ length: samples }, (_, at) => setUp(at)))
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(samples - 1)
  expect(await app.db.select().from(users)).toMatchObject([{ role: 'admin' }])
  await app.db.delete(attempts)
})

test('checking a setup link does not use it up, and an invalid link gets the same error as when used', async () => {
  await app.db.delete(users)
  const token = await makeSetupLink(app.services.people)
  const [client, email] = [browser(app.url), 'check@example.com']
  const check = (checked: string | null) => client.send('POST', '/api/setup/check', { token: checked })
  const setUp = (used: string | null) => client.send('POST', '/api/setup', { token: used, email })
  expect([(await check(token)).status, (await check(token)).status]).toEqual([204, 204])
  const [checked, used] = [await check('guessed'), await setUp('guessed')]
  expect([checked.status, used.status]).toEqual([403, 403])
  const withoutId = async (response: Response) => ({ ...((await response.json()) as object), requestId: '' })
  expect(await withoutId(checked)).toEqual(await withoutId(used))
  await app.db.update(oneTimeLinks).set({ expiresAt: new Date(Date.now() - 1) })
  expect((await check(token)).status).toBe(403)
  const renewed = await makeSetupLink(app.services.people)
  expect((await setUp(renewed)).status).toBe(204)
  expect((await browser(app.url).send('POST', '/api/setup/check', { token: renewed })).status).toBe(409)
})

test('clean-up deletes expired sessions, sign-ins and links, and keeps those that still work', async () => {
  const now = Date.now()
  const day = 24 * 3_600_000
  const [user] = await app.db.select().from(users)
  await app.db.delete(sessions)
  const session = (token: string, usedMs: number, endsMs: number) => ({
    token,
    userId: user!.id,
    updatedAt: new Date(now + usedMs),
    expiresAt: new Date(now + endsMs),
  })
  await app.db
    .insert(sessions)
    .values([session('good', -day, day), session('over', 0, -1), session('idle', -3 * day - 1, day)])
  const link = (tokenHash: string, endsMs: number) => ({
    kind: 'invitation' as const,
    tokenHash,
    expiresAt: new Date(now + endsMs),
  })
  await app.db.delete(oneTimeLinks)
  await app.db.insert(oneTimeLinks).values([link('open', 1), link('old', -8 * day)])
  await deleteEndedSignIns(app.db, now)
  expect((await app.db.select().from(sessions)).map(({ token }) => token)).toEqual(['good'])
  expect((await app.db.select().from(oneTimeLinks)).map(({ tokenHash }) => tokenHash)).toEqual(['open'])
  expect(await app.db.select().from(signInAccounts)).toEqual([])
})
