import type * as Crypto from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import type * as Browser from '#people/accounts/testing/browser.ts'
import type * as App from '#testing/test-app.ts'

// A clock would tell how busy this machine is. What takes the time of a sign-in is this one call, so it is looked at as
// it passes by.
const derived = vi.hoisted((): unknown[] => [])
const atOnce = vi.hoisted(() => ({ now: 0, max: 0 }))
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof Crypto>()
  const argon2: typeof real.argon2 = (algorithm, parameters, done) => {
    const { memory, passes, parallelism, tagLength } = parameters
    derived.push({ algorithm, memory, passes, parallelism, tagLength })
    atOnce.now += 1
    atOnce.max = Math.max(atOnce.max, atOnce.now)
    real.argon2(algorithm, parameters, (...result) => {
      atOnce.now -= 1
      done(...result)
    })
  }
  return { ...real, argon2 }
})

// Other tests of this process have loaded the server with the real one.
vi.resetModules()
const { browser, goodPassword, withPassword }: typeof Browser = await import('#people/accounts/testing/browser.ts')
const { testApp }: typeof App = await import('#testing/test-app.ts')

const app = await testApp({ as: 'nobody' })
afterAll(() => app.close())

test('every password sign-in attempt derives exactly one key of the same cost', async () => {
  await withPassword(app.db, 'wrong@example.com')
  const disabled = await withPassword(app.db, 'disabled@example.com')
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.id))
  await app.db.insert(users).values({ name: 'Nobody', email: 'passwordless@example.com' })
  await withPassword(app.db, 'right@example.com')
  const work = async (email: string, password = 'not the password at all') => {
    derived.length = 0
    const { status } = await browser(app.url).signIn(email, password)
    return { status, derived: [...derived] }
  }
  const right = await work('right@example.com', goodPassword)
  expect(right).toMatchObject({ status: 200, derived: [{ algorithm: 'argon2id', memory: 65_536 }] })
  for (const email of ['nobody@example.com', 'wrong@example.com', 'disabled@example.com', 'passwordless@example.com'])
    expect(await work(email)).toEqual({ status: 401, derived: right.derived })
})

test('at most two password keys are derived at the same time', async () => {
  atOnce.max = 0
  const signIns = Array.from({ length: 6 }, (_, nth) => browser(app.url).signIn(`nobody${nth}@example.com`, 'not it'))
  await Promise.all(signIns)
  expect(atOnce.max).toBe(2)
})
