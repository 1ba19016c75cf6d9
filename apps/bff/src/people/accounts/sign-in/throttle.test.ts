import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { attempts } from '#people/accounts/accounts.table.ts'
import { browser, withPassword } from '#people/accounts/testing/browser.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp({ as: 'nobody' })
const replica = await testApp({ as: 'nobody', database: { db: app.db, url: app.databaseUrl } })
afterAll(async () => {
  await replica.close()
  await app.close()
})

const guess = (url: string, email: string) => browser(url).signIn(email, 'not the password at all')
const minutesPass = (minutes: number) =>
  app.db.update(attempts).set({ at: sql`${attempts.at} - make_interval(mins => ${minutes})` })
const statuses = (responses: Response[]) => responses.map(({ status }) => status)
const forgetAddresses = () => app.db.delete(attempts)

const drain = async (email: string) => {
  for (let at = 0; at < 10; at += 1) await app.services.people.throttle.take('account', email)
}

test('two replicas together check at most ten concurrent password guesses, even for unknown accounts', async () => {
  const urls = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? app.url : replica.url))
  const responses = await Promise.all(urls.map((url) => guess(url, 'nobody@example.com')))
  expect(statuses(responses).filter((status) => status === 401)).toHaveLength(10)
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(6)
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(30)
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  // Refused guesses are in the audit once, not six times.
  const noted = await app.db
    .select()
    .from(auditEvents)
    .where(sql`details ->> 'because' = 'too many attempts'`)
  expect(noted.map(({ targetName }) => targetName)).toEqual(['nobody@example.com'])
})

test('guesses cannot lock out an owner: a known browser has its own attempts, and the account regains one a minute', async () => {
  await withPassword(app.db, 'owner@example.com')
  const known = browser(app.url)
  expect((await known.signIn('owner@example.com')).status).toBe(200)
  await drain('owner@example.com')
  expect((await browser(app.url).signIn('owner@example.com')).status).toBe(429)
  expect((await known.signIn('owner@example.com')).status).toBe(200)
  await minutesPass(1)
  expect((await browser(app.url).signIn('owner@example.com')).status).toBe(200)
})

test('a browser is known only to the account that signed in with it', async () => {
  await withPassword(app.db, 'mallory@example.com')
  await withPassword(app.db, 'victim@example.com')
  const client = browser(app.url)
  await client.signIn('mallory@example.com')
  await drain('victim@example.com')
  expect((await client.signIn('victim@example.com')).status).toBe(429)
  expect((await client.signIn('mallory@example.com')).status).toBe(200)
})

test('one network address gets forty attempts over all accounts, and a success restores none', async () => {
  await withPassword(app.db, 'own@example.com')
  await forgetAddresses()
  const first = await browser(app.url).signIn('own@example.com')
  expect(first.status).toBe(200)
  // Nothing comes back to a bucket that was written in the future, however long the tries take.
  await app.db.update(attempts).set({ at: sql`clock_timestamp() + interval '1 minute'` })
  const read = () => browser(app.url).send('POST', '/api/links/read', { token: 'guessed' })
  const responses = await Promise.all(Array.from({ length: 45 }, read))
  expect(statuses(responses).filter((status) => status === 404)).toHaveLength(39)
  for (const path of ['/api/setup', '/api/setup/check'])
    expect((await browser(app.url).send('POST', path, { token: 'guessed' })).status).toBe(429)
})

test('a clock set back by hours delays the refill of attempts by a minute, not by hours', async () => {
  await forgetAddresses()
  const { throttle } = app.services.people
  for (let at = 0; at < 10; at += 1) await throttle.take('account', 'clock')
  await app.db.update(attempts).set({ at: sql`clock_timestamp() + interval '5 hours'`, left: 1 })
  expect(await throttle.allows('account', 'clock')).toBe(true)
  const [row] = await app.db
    .select({ ahead: sql<boolean>`${attempts.at} > clock_timestamp() + interval '61 seconds'` })
    .from(attempts)
  expect(row!.ahead).toBe(false)
  await throttle.giveBack('account', 'clock')
  expect(await app.db.select().from(attempts).where(eq(attempts.left, 1))).toEqual([])
})
