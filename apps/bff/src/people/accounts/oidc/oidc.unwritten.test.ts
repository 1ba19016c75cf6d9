import { afterAll, expect, test } from 'vitest'
import { sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { startProviderStandIn } from './testing/provider-stand-in.ts'
import { followSignIn, begin, settingsFor } from './testing/sign-ins.ts'

const provider = await startProviderStandIn()
const app = await testApp({
  as: 'nobody',
  oidc: settingsFor(provider, { admin: 'admins', operator: null, viewer: '*' }),
})
await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await provider.close()
})

const signIn = async () => {
  const { url, cookie } = await begin(app, '/')
  return app.get(await followSignIn(url), { cookie })
}
const countStored = async () => ({
  users: (await app.db.select().from(users)).length,
  ways: (await app.db.select().from(signInAccounts)).length,
  sessions: (await app.db.select().from(sessions)).length,
})

test('a sign-in that cannot be audited fails with an error page', async () => {
  const before = await countStored()
  await app.db.execute('alter table audit_events rename to elsewhere')
  const response = await signIn()
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/sign-in?error=failed')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await countStored()).toEqual(before)

  await app.db.execute('alter table elsewhere rename to audit_events')
  expect((await signIn()).headers.get('location')).toBe('/')
  expect(await countStored()).toEqual({ users: before.users + 1, ways: before.ways + 1, sessions: before.sessions + 1 })
})

test('twenty concurrent first sign-ins of one person create one account', async () => {
  provider.state.person = { sub: 'grace', email: 'grace@example.com', email_verified: true, groups: ['admins'] }
  const before = await countStored()
  const all = await Promise.all(Array.from({ length: 20 }, () => signIn()))
  expect(all.map((one) => one.headers.get('location'))).toEqual(Array.from({ length: 20 }, () => '/'))
  expect(await countStored()).toEqual({
    users: before.users + 1,
    ways: before.ways + 1,
    sessions: before.sessions + 20,
  })
})
