import { afterAll, expect, test } from 'vitest'
import { Session } from '@docket/api-types/session'
import { SignInStep } from '@docket/api-types/accounts'
import { sql } from 'drizzle-orm'
import { openInstance } from '#people/accounts/instance.ts'
import { decryptText, encryptText } from '#ground/secret/encrypted-text.ts'
import { testDatabase } from '#testing/database.ts'
import { deriveSecrets } from '#testing/instance.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { twoFactors } from './accounts.table.ts'
import { withAuthenticatorApp } from './second-factor/testing/authenticator-app.ts'
import { browser, goodPassword } from './testing/browser.ts'

const [first, second] = ['the-first-secret-of-this-docket-0123', 'the-second-secret-of-this-docket-012']
const database = await testDatabase()
const apps: TestApp[] = []
const start = async (current: string, previous: string | null = null) => {
  const app = await testApp({ database, as: 'nobody', secrets: deriveSecrets(current, previous) })
  apps.push(app)
  return app
}
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await database.drop()
})

/** The same browser, sent to another replica by the balancer. */
const at = (app: TestApp, from: ReturnType<typeof browser>) => {
  const there = browser(app.url)
  for (const [name, value] of from.jar) there.jar.set(name, value)
  return there
}
type Browser = ReturnType<typeof browser>
const whoIs = async ({ send }: Browser) => Session.parse(await (await send('GET', '/api/session')).json()).person
const enterCode = ({ send }: Browser, code: string) => send('POST', '/api/auth/second-factor', { code })
const askForCode = async (one: Browser, email: string) =>
  expect(SignInStep.parse(await (await one.signIn(email)).json())).toEqual({ next: 'second_factor' })

test('rotating the secret one replica at a time signs nobody out and keeps second factors', async () => {
  const old = await start(first)
  const own = browser(old.url)
  const ada = await withAuthenticatorApp(database.db, 'ada@example.com', own)
  const rowsBefore = await database.db.select().from(twoFactors)

  // Every replica learns the new secret first, then they switch to it one after the other.
  const knows = await start(first, second)
  expect(await database.db.select().from(twoFactors)).toEqual(rowsBefore)
  const uses = await start(second, first)
  expect(await database.db.select().from(twoFactors)).not.toEqual(rowsBefore)
  for (const app of [knows, uses]) expect(await whoIs(at(app, own))).toMatchObject({ userId: ada.userId })

  for (const [firstApp, ended] of [
    [knows, uses],
    [uses, knows],
  ] as const) {
    await ada.forgetUsed()
    const begins = browser(firstApp.url)
    await askForCode(begins, ada.email)
    const ends = at(ended, begins)
    expect((await enterCode(ends, ada.code())).status).toBe(204)
    expect(await whoIs(at(firstApp, ends))).toMatchObject({ userId: ada.userId })
  }
  const begins = browser(uses.url)
  await askForCode(begins, ada.email)
  expect((await enterCode(begins, ada.codes[0]!)).status).toBe(204)

  // A replica that came back with the old order takes the old secret again, and nothing is lost.
  const back = await start(first, second)
  await ada.forgetUsed()
  const comes = browser(back.url)
  await askForCode(comes, ada.email)
  expect((await enterCode(comes, ada.code())).status).toBe(204)
  const last = await start(second, first)

  // A session that the first secret signed still changes its account.
  const removed = await at(last, own).send('POST', '/api/account/second-factor/remove', { password: goodPassword })
  expect(removed.status).toBe(204)
})

test('a replica still running with the old secret keeps its sessions, but cannot start again with it', async () => {
  const runs = await start(second, first)
  const own = browser(runs.url)
  const grace = await withAuthenticatorApp(database.db, 'grace@example.com', own)
  const rotated = await start('the-third-secret-of-this-docket-0123', second)
  for (const app of [runs, rotated]) expect(await whoIs(at(app, own))).toMatchObject({ userId: grace.userId })
  await expect(openInstance(database.db, deriveSecrets(second))).rejects.toThrow('is not the one of this database')
  // The next start re-encrypts the second factors that it encrypted meanwhile.
  const late = browser(runs.url)
  const linus = await withAuthenticatorApp(database.db, 'linus@example.com', late)
  const again = await start('the-third-secret-of-this-docket-0123', second)
  const begins = browser(again.url)
  await askForCode(begins, linus.email)
  expect((await enterCode(begins, linus.code())).status).toBe(204)
})

test('without the previous secret, people must sign in again, and their authenticator apps still work', async () => {
  const before = await start('the-third-secret-of-this-docket-0123', second)
  const own = browser(before.url)
  const mary = await withAuthenticatorApp(database.db, 'mary@example.com', own)
  await start('the-fourth-secret-of-this-docket-012', 'the-third-secret-of-this-docket-0123')
  const alone = await start('the-fourth-secret-of-this-docket-012')
  const there = at(alone, own)
  expect(await whoIs(there)).toBeNull()
  await askForCode(there, mary.email)
  expect((await enterCode(there, mary.code())).status).toBe(204)
  expect(await whoIs(there)).toMatchObject({ userId: mary.userId })
})

test('a rotation re-encrypts the key of the embedded service, and removes a key that no secret can decrypt', async () => {
  const { db, drop } = await testDatabase()
  const readKey = async () =>
    (await db.execute<{ key: string | null }>(sql`select sealed_key as key from embedded_service.service`)).rows[0]!.key
  await openInstance(db, deriveSecrets(first))
  const sealed = encryptText({ secret: first }, 'docket_key')
  await db.execute(sql`insert into embedded_service.service (sealed_key) values (${sealed})`)
  await openInstance(db, deriveSecrets(second, first))
  expect(decryptText({ secret: second, previousSecret: null }, (await readKey())!)).toBe('docket_key')

  await db.execute(sql`update embedded_service.service set sealed_key = ${encryptText({ secret: 'of nobody' }, 'x')}`)
  await openInstance(db, deriveSecrets('the-third-secret-of-this-docket-0123', second))
  expect(await readKey()).toBeNull()
  await drop()
})
