import { SignInStep } from '@docket/api-types/accounts'
import { Session } from '@docket/api-types/session'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { testDatabase } from '#testing/database.ts'
import { hashAtFullCost } from '#testing/hash-cost.ts'
import { softwareAuthenticator } from './passkeys/testing/authenticator.ts'
import { appCode, secretBytes } from './second-factor/testing/authenticator-app.ts'
import { browser, goodPassword } from './testing/browser.ts'
import {
  earlierCookies,
  earlierNow,
  earlierPasskey,
  earlierRows,
  earlierSecondFactor,
} from './testing/earlier-person.ts'

// Their password was hashed by that version.
hashAtFullCost(true)

const email = 'grace@example.com'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A Docket that takes over the database of an earlier version, a minute after the last sign-in there. */
const upgraded = async () => {
  const database = await testDatabase()
  closing.push(database.drop)
  for (const [table, rows] of Object.entries(earlierRows)) {
    // Columns that an upgrade adds have its defaults.
    const columns = sql.join(
      Object.keys(rows[0]!).map((column) => sql.identifier(column)),
      sql`, `,
    )
    await database.db.execute(
      sql`insert into ${sql.identifier(table)} (${columns}) select ${columns} from jsonb_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(rows)}::jsonb)`,
    )
  }
  const app = await testApp({ database, as: 'nobody', now: () => earlierNow + 60_000 })
  closing.push(app.close)
  return app
}
const withCookie = (app: TestApp, cookie: string) => {
  const own = browser(app.url)
  const [, name, value] = /^([^=]+)=(.*)$/.exec(cookie) ?? []
  own.jar.set(name!, value!)
  return own
}
const whoIs = async ({ send }: ReturnType<typeof browser>) =>
  Session.parse(await (await send('GET', '/api/session')).json()).person
const codeNow = () => appCode(secretBytes(earlierSecondFactor.secret)!, earlierNow + 60_000)
const grace = { email, role: 'operator', hasPassword: true, hasSecondFactor: true, passkeys: 1 }

test('sessions and pending second-factor sign-ins of an earlier version continue to work', async () => {
  const app = await upgraded()
  expect(await whoIs(withCookie(app, earlierCookies.session))).toMatchObject(grace)
  const waiting = withCookie(app, earlierCookies.pending)
  expect((await waiting.send('POST', '/api/auth/second-factor', { code: codeNow() })).status).toBe(204)
  expect(await whoIs(waiting)).toMatchObject(grace)
  expect(
    (await withCookie(app, earlierCookies.pending).send('POST', '/api/auth/second-factor', { code: codeNow() })).status,
  ).toBe(401)
})

test('passwords, app codes and backup codes of an earlier version still work, and each code works once', async () => {
  const app = await upgraded()
  const enter = async (code: string) => {
    const own = browser(app.url)
    expect(SignInStep.parse(await (await own.signIn(email, goodPassword)).json())).toEqual({ next: 'second_factor' })
    const { status } = await own.send('POST', '/api/auth/second-factor', { code })
    return [status, (await whoIs(own))?.email]
  }
  expect(await enter(codeNow())).toEqual([204, email])
  expect(await enter(codeNow())).toEqual([401, undefined])
  const [first = ''] = earlierSecondFactor.codes
  expect(await enter(first)).toEqual([204, email])
  expect(await enter(first)).toEqual([401, undefined])
  expect(await enter(earlierSecondFactor.codes.at(-1)!)).toEqual([401, undefined])
  expect(await enter(earlierSecondFactor.codes[1]!)).toEqual([204, email])
})

test('a passkey of an earlier version signs in, and its counter continues from the stored value', async () => {
  const app = await upgraded()
  const origin = `http://localhost:${app.port}`
  const device = softwareAuthenticator(earlierPasskey)
  const use = async (counter: number) => {
    const own = browser(origin)
    const options = z.object({ challenge: z.string() })
    const { challenge } = options.parse(await (await own.send('POST', '/api/auth/passkey/options')).json())
    device.state.counter = counter
    const signed = device.get({ challenge, rpId: 'localhost', origin })
    const { status } = await own.send('POST', '/api/auth/passkey/sign-in', signed)
    return [status, (await whoIs(own))?.email]
  }
  expect(await use(earlierPasskey.counter)).toEqual([401, undefined])
  expect(await use(earlierPasskey.counter + 1)).toEqual([204, email])
  expect(await use(earlierPasskey.counter + 1)).toEqual([401, undefined])
})

test('a person from an earlier version can remove their authenticator app with their password', async () => {
  const app = await upgraded()
  const own = withCookie(app, earlierCookies.session)
  const removed = await own.send('POST', '/api/account/second-factor/remove', { password: goodPassword })
  expect(removed.status).toBe(204)
  expect(await whoIs(own)).toMatchObject({ hasSecondFactor: false })
})
