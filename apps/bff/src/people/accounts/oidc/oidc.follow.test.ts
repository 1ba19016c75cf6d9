import { User, UserList } from '@docket/api-types/accounts'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { and, asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { sessions, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import { withPassword } from '#people/accounts/testing/browser.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { startProviderStandIn, type StandInPerson } from './testing/provider-stand-in.ts'
import { readRefusal, settingsFor, signIn as signInAt, somebody } from './testing/sign-ins.ts'

const provider = await startProviderStandIn()
const database = await testDatabase()
let now = Date.now()
const started = (groups?: Parameters<typeof settingsFor>[1]) =>
  testApp({ database, as: 'nobody', oidc: settingsFor(provider, groups), now: () => now })
const app = await started()
const admin = await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await database.drop()
  await provider.close()
})
afterEach(async () => {
  now = Date.now()
  await app.db.execute('delete from sign_in_attempts')
})

const signIn = (person: StandInPerson, at: TestApp = app) => signInAt(at, provider, person)
const isIn = async (person: StandInPerson, at?: TestApp) =>
  (await signIn(person, at)).headers.get('location') === '/exports?state=running'
const findBySubject = async ({ sub }: StandInPerson) => {
  const [row] = await app.db
    .select({ user: users })
    .from(users)
    .innerJoin(signInAccounts, eq(signInAccounts.userId, users.id))
    .where(eq(signInAccounts.accountId, sub))
  return row?.user
}
const listAudit = async (userId: string, action: 'user.renamed' | 'user.linked' | 'user.link_allowed') =>
  app.db
    .select({ details: auditEvents.details, by: auditEvents.actorName })
    .from(auditEvents)
    .where(and(eq(auditEvents.targetId, userId), eq(auditEvents.action, action)))
    .orderBy(asc(auditEvents.auditId))

test('name and verified address follow the provider at each sign-in, and the audit says so', async () => {
  const person = somebody(['staff'])
  await signIn(person)
  const before = await findBySubject(person)
  await signIn({ ...person, name: 'Ada Byron', email: 'byron@example.com' })
  expect(await findBySubject(person)).toMatchObject({ id: before!.id, name: 'Ada Byron', email: 'byron@example.com' })
  await signIn({ ...person, name: undefined, email: undefined })
  await signIn({ ...person, name: 'Ada Byron', email: 'unproven@example.com', email_verified: false })
  expect(await findBySubject(person)).toMatchObject({ name: 'Ada Byron', email: 'byron@example.com' })
  expect((await listAudit(before!.id, 'user.renamed')).map(({ details }) => details)).toEqual([
    {
      from: person.name,
      to: 'Ada Byron',
      emailFrom: person.email,
      emailTo: 'byron@example.com',
      with: 'single sign-on',
    },
  ])
})

test('a name that the database cannot store signs in, and one that is cut within a character is no new name each time', async () => {
  const [nul, long] = [somebody(['staff']), somebody(['staff'])]
  expect(await isIn({ ...nul, name: 'Ada\0', preferred_username: 'ada' })).toBe(true)
  expect((await findBySubject(nul))!.name).toBe('ada')
  expect(await isIn({ ...long, name: `a${'😀'.repeat(60)}` })).toBe(true)
  const { id } = (await findBySubject(long))!
  expect(await isIn({ ...long, name: `a${'😀'.repeat(60)}` })).toBe(true)
  expect(await listAudit(id, 'user.renamed')).toEqual([])
})

test('a recycled address goes to its new owner with a new account; the earlier owner keeps theirs and everything in it', async () => {
  const [earlier, later] = [somebody(['docket-admins']), somebody(['staff'])]
  await signIn(earlier)
  const account = await findBySubject(earlier)
  expect(await isIn({ ...later, email: earlier.email })).toBe(true)
  expect(await findBySubject(later)).toMatchObject({ email: earlier.email, role: 'viewer' })
  expect(await findBySubject(earlier)).toMatchObject({ id: account!.id, role: 'admin' })
  expect(await isIn({ ...earlier, email: 'moved@example.com' })).toBe(true)
  expect(await findBySubject(earlier)).toMatchObject({ id: account!.id, email: 'moved@example.com' })
})

test('an address of an account with a password, or of a disabled one, is never taken from it', async () => {
  const local = await withPassword(app.db, 'local@example.com')
  const person = somebody(['staff'])
  await signIn(person)
  // A known person gets in and keeps their address.
  expect(await isIn({ ...person, email: 'local@example.com' })).toBe(true)
  expect(await findBySubject(person)).toMatchObject({ email: person.email })
  expect((await app.db.select().from(users).where(eq(users.id, local.id)))[0]?.email).toBe('local@example.com')
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.email, person.email!))
  expect(readRefusal(await signIn(somebody(['staff'], { email: person.email })))).toBe('disabled')
})

const allow = (userId: string, linkAtSignIn = true, at = app, cookie = admin.cookie) =>
  at.send('PATCH', `/api/users/${userId}`, { linkAtSignIn }, { cookie })

test('after an admin allowed it, the next single sign-on with the address links the account, once, and ends its other ways in', async () => {
  const account = await withPassword(app.db, 'entra@example.com')
  const old = await signedIn(app.db, 'viewer')
  await app.db.update(sessions).set({ userId: account.id }).where(eq(sessions.userId, old.userId))
  const person = somebody(['docs'], { email: 'entra@example.com', email_verified: undefined })
  expect(readRefusal(await signIn(person))).toBe('email_taken')
  expect(app.logged()).toContain('an admin can choose \\"Link at next single sign-on\\"')
  const allowed = await allow(account.id)
  expect(User.parse(await allowed.json()).linksUntil).not.toBeNull()
  expect(readRefusal(await signIn({ ...person, groups: ['others'] }))).toBe('no_access')
  expect(await isIn(person)).toBe(true)
  expect(await findBySubject(person)).toMatchObject({ id: account.id, role: 'operator' })
  expect(await app.db.select().from(signInAccounts).where(eq(signInAccounts.userId, account.id))).toHaveLength(1)
  expect((await app.get('/api/status', { cookie: old.cookie })).status).toBe(401)
  expect(readRefusal(await signIn({ ...person, sub: 'second', email_verified: false }))).toBe('email_taken')
  expect(await listAudit(account.id, 'user.linked')).toMatchObject([
    { details: { allowedBy: admin.name, verified: false } },
  ])
  expect(await listAudit(account.id, 'user.link_allowed')).toMatchObject([{ by: admin.name }])
})

test('the permission to link ends after a day, when it is withdrawn, and with the admin who gave it', async () => {
  const account = await withPassword(app.db, 'waiting@example.com')
  const person = somebody(['staff'], { email: 'waiting@example.com', email_verified: false })
  await allow(account.id)
  now += 24 * 3_600_000 + 1
  expect(readRefusal(await signIn(person))).toBe('email_taken')
  now = Date.now()
  await allow(account.id)
  expect(User.parse(await (await allow(account.id, false)).json()).linksUntil).toBeNull()
  expect(readRefusal(await signIn(person))).toBe('email_taken')
  const other = await signedIn(app.db, 'admin')
  expect((await allow(account.id, true, app, other.cookie)).status).toBe(200)
  await app.send('PATCH', `/api/users/${other.userId}`, { role: 'viewer' }, { cookie: admin.cookie })
  expect(readRefusal(await signIn(person))).toBe('email_taken')
  const { users: listed } = UserList.parse(await (await app.get('/api/users', { cookie: admin.cookie })).json())
  expect(listed.filter(({ linksUntil }) => linksUntil)).toEqual([])
  const viewer = await signedIn(app.db, 'viewer')
  expect((await allow(account.id, true, app, viewer.cookie)).status).toBe(403)
})

test('a person whom the provider knows by a new subject gets their account back once an admin allows it', async () => {
  const person = somebody(['staff'])
  await signIn(person)
  const account = await findBySubject(person)
  await allow(account!.id)
  const again = { ...person, sub: `${person.sub}-new` }
  expect(await isIn(again)).toBe(true)
  expect([(await findBySubject(again))?.id, await findBySubject(person)]).toEqual([account!.id, undefined])
})

test('linking by an unverified address never makes an admin: neither where no group decides, nor of the last admin', async () => {
  const open = await started({ admin: null })
  const chief = await withPassword(app.db, 'chief@example.com', 'admin')
  const refused = await allow(chief.id, true, open)
  expect([refused.status, ApiErrorBody.parse(await refused.json()).message]).toEqual([
    409,
    expect.stringContaining('no group decides who is one'),
  ])
  // Allowed as a viewer, an admin by then.
  await app.db.update(users).set({ role: 'viewer' }).where(eq(users.id, chief.id))
  expect((await allow(chief.id, true, open)).status).toBe(200)
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, chief.id))
  const person = somebody(['docs'], { email: 'chief@example.com', email_verified: false })
  expect(readRefusal(await signIn(person, open))).toBe('email_taken')
  await open.close()
  // The only admin who could sign in again, whom groups would make an operator.
  await app.db
    .update(users)
    .set({ role: 'viewer' })
    .where(and(eq(users.role, 'admin')))
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, chief.id))
  expect(readRefusal(await signIn(person))).toBe('email_taken')
  expect(await isIn({ ...person, groups: ['docket-admins'] })).toBe(true)
})
