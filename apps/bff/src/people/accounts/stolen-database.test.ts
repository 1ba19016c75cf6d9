import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { serializeSigned } from 'hono/utils/cookie'
import { afterAll, expect, test } from 'vitest'
import { beginPending } from '#people/accounts/oidc/oidc.service.ts'
import { findLink, makeLink } from './one-time-links.ts'
import { browser, withPassword } from '#people/accounts/testing/browser.ts'
import { testSecret } from '#testing/instance.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { decryptText } from '#ground/secret/encrypted-text.ts'
import { appCode, secretBytes, withAuthenticatorApp } from '#people/accounts/second-factor/testing/authenticator-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { cookie } = app.services.people

/** Every text in a value of JSON, also in JSON that a text holds. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  if (typeof value !== 'string') return []
  try {
    return [value, ...textsIn(JSON.parse(value))]
  } catch {
    return [value]
  }
}

/** Every text in every row of every table. */
const dump = async (): Promise<string[]> => {
  const { rows: tables } = await app.db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  const found = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await app.db.execute<{ row: unknown }>(sql.raw(`select to_jsonb(t) as row from ${name} t`))
    for (const text of rows.flatMap(textsIn)) if (text !== '') found.add(text)
  }
  return [...found]
}

/**
 * A Docket in use: somebody signed in with an app, somebody asked for a code, links, a token and a single sign-on under
 * way.
 */
const use = async () => {
  const own = browser(app.url)
  const ada = await withAuthenticatorApp(app.db, 'ada@example.com', own)
  await browser(app.url).signIn('ada@example.com')
  await withPassword(app.db, 'grace@example.com')
  await browser(app.url).send('POST', '/api/auth/passkey/options')
  const link = await makeLink(app.db, { kind: 'sign_in', userId: ada.userId }, { now: Date.now(), lifetimeMs: 60_000 })
  const { token: apiToken } = await makeToken(app)
  await beginPending(app.db, { redirectUri: 'https://x.test/', returnTo: '/', replaces: null }, Date.now())
  const header = `${cookie.name}=${own.jar.get(cookie.name)!}`
  const sessionToken = (await cookie.read(header))!
  return { ada, header, sessionToken, linkToken: link.token, apiToken }
}

const opens = (secret: string, data: string) => {
  try {
    return decryptText({ secret, previousSecret: null }, data) !== ''
  } catch {
    return false
  }
}

test('a dump of the database cannot be used to sign in and contains no readable second factor', async () => {
  const { ada, header, sessionToken, linkToken, apiToken } = await use()
  const texts = await dump()
  expect(texts.length).toBeGreaterThan(60)
  const { identify } = app.services.people
  const asks = (cookieHeader?: string, authorization?: string) => identify({ cookie: cookieHeader, authorization })
  expect(await asks(header)).toMatchObject({ userId: ada.userId })

  const secrets = [sessionToken, linkToken, apiToken, ada.secret, ...ada.codes, testSecret]
  const inClear = secrets.filter((secret) => texts.some((text) => text.includes(secret)))
  expect(inClear).toEqual([])

  const signature = decodeURIComponent(header).split('.').at(-1)
  const halfMinutes = [Date.now(), Date.now() + 300_000]
  const appCodes = halfMinutes.map((at) => appCode(secretBytes(ada.secret)!, at))
  const encrypted = texts.flatMap((text) => /^(?:\$ba\$\d+\$)?([0-9a-f]{100,})$/.exec(text)?.[1] ?? [])
  expect(encrypted.length).toBeGreaterThanOrEqual(2)
  expect(encrypted.every((data) => opens(testSecret, data))).toBe(true)
  const works: string[] = []
  for (const text of texts) {
    const cookieHeader = `${cookie.name}=${encodeURIComponent(text)}`
    if ((await asks(cookieHeader)) !== null) works.push(`session cookie ${text}`)
    // First the text as the secret that signs, then as a token that the real secret signs.
    if (createHmac('sha256', text).update(sessionToken).digest('base64') === signature) works.push(`key ${text}`)
    if ((await asks(await serializeSigned(cookie.name, text, testSecret))) !== null) works.push(`token ${text}`)
    if ((await asks(undefined, `Bearer ${text}`)) !== null) works.push(`bearer ${text}`)
    if ((await findLink(app.db, text, Date.now())) !== null) works.push(`link ${text}`)
    for (const key of [Buffer.from(text), secretBytes(text)])
      if (key !== null && halfMinutes.every((at, n) => appCode(key, at) === appCodes[n])) works.push(`app ${text}`)
    for (const data of encrypted) if (opens(text, data)) works.push(`opens ${text}`)
  }
  expect(works).toEqual([])
})
