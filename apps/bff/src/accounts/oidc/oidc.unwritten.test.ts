import { OidcStarted } from '@docket/api-types/accounts'
import { afterAll, expect, test } from 'vitest'
import { sessions, signInAccounts, users } from '#accounts/accounts.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { startProviderStandIn } from './testing/provider-stand-in.ts'

const provider = await startProviderStandIn()
const app = await testApp({
  as: 'nobody',
  oidc: {
    issuer: provider.issuer,
    clientId: 'docket',
    clientSecret: () => 's3cret',
    name: 'Example Company',
    scopes: ['openid', 'email'],
    groupsClaim: 'groups',
    groups: { admin: 'admins', operator: null, viewer: '*' },
  },
})
await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await provider.close()
})

const signIn = async () => {
  const response = await app.post('/api/auth/oidc', {})
  const { url } = OidcStarted.parse(await response.json())
  const { pathname, search } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
  const cookie = response.headers.getSetCookie()[0]!.split(';', 1)[0]!
  return app.get(pathname + search, { cookie })
}
const kept = async () => ({
  users: (await app.db.select().from(users)).length,
  ways: (await app.db.select().from(signInAccounts)).length,
  sessions: (await app.db.select().from(sessions)).length,
})

test('a sign-in that cannot be written down does not happen, and the person is told on a page', async () => {
  const before = await kept()
  await app.db.execute('alter table audit_events rename to elsewhere')
  const response = await signIn()
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/sign-in?error=failed')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await kept()).toEqual(before)

  await app.db.execute('alter table elsewhere rename to audit_events')
  expect((await signIn()).headers.get('location')).toBe('/')
  expect(await kept()).toEqual({ users: before.users + 1, ways: before.ways + 1, sessions: before.sessions + 1 })
})

test('twenty sign-ins of one person at once make one account', async () => {
  provider.state.person = { sub: 'grace', email: 'grace@example.com', email_verified: true, groups: ['admins'] }
  const before = await kept()
  const all = await Promise.all(Array.from({ length: 20 }, () => signIn()))
  expect(all.map((one) => one.headers.get('location'))).toEqual(Array.from({ length: 20 }, () => '/'))
  expect(await kept()).toEqual({ users: before.users + 1, ways: before.ways + 1, sessions: before.sessions + 20 })
})
