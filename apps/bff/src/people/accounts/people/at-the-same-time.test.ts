import { OneTimeLink } from '@docket/api-types/accounts'
import { CreatedApiToken } from '@docket/api-types/tokens'
import { eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { oneTimeLinks, users } from '#people/accounts/accounts.table.ts'
import { browser, goodPassword, withPassword } from '#people/accounts/testing/browser.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())

/** Waits until so many statements wait for a lock. */
const waiting = (statements: number) =>
  expect
    .poll(async () => {
      const { rows } = await app.probes.execute<{ found: number }>(sql`
          select count(*)::int as found from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return rows[0]!.found
    })
    .toBe(statements)

/**
 * Sends requests that all wait, in this order, for a row that another transaction has locked, then releases the row.
 */
const inThisOrder = async (
  row: { table: 'sessions' | 'one_time_links' | 'api_tokens'; id: string },
  ...sends: (() => Promise<Response>)[]
) => {
  const holder = new Client({ connectionString: app.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(
      `select 1 from ${row.table} where ${row.table === 'api_tokens' ? 'token_id' : 'id'} = $1 for update`,
      [row.id],
    )
    const requests: Promise<Response>[] = []
    for (const send of sends) {
      requests.push(send())
      await waiting(requests.length)
    }
    await holder.query('commit')
    return (await Promise.all(requests)).map(({ status }) => status)
  } finally {
    await holder.end()
  }
}

const readLink = async (response: Promise<Response>) => {
  const { url } = OneTimeLink.parse(await (await response).json())
  return url.split('#')[1]!
}

test('disabling a person succeeds even if they sign out at the same time', async () => {
  const { userId, sessionId, cookie } = await signedIn(app.db, 'viewer')
  const statuses = await inThisOrder(
    { table: 'sessions', id: sessionId },
    () => app.delete('/api/session', { cookie }),
    () => app.send('PATCH', `/api/users/${userId}`, { disabled: true }),
  )
  expect(statuses).toEqual([204, 200])
})

test.each(['sessions', 'api_tokens'] as const)(
  'deleting a person succeeds even if one of their %s ends at the same time',
  async (table) => {
    const { userId, sessionId, cookie } = await signedIn(app.db, 'admin')
    const made = await app.post('/api/tokens', { name: 'CI', scope: 'read', expiresInDays: null }, { cookie })
    const { tokenId } = CreatedApiToken.parse(await made.json()).apiToken
    const statuses = await inThisOrder(
      { table, id: table === 'sessions' ? sessionId : tokenId },
      () => (table === 'sessions' ? app.delete('/api/session', { cookie }) : app.delete(`/api/tokens/${tokenId}`)),
      () => app.delete(`/api/users/${userId}`),
    )
    expect(statuses).toEqual([204, 204])
  },
)

test('using a link while the next one is made lets both requests succeed', async () => {
  const { id } = await withPassword(app.db, 'twice@example.com')
  const token = await readLink(app.post(`/api/users/${id}/password-link`))
  const [link] = await app.db.select().from(oneTimeLinks).where(eq(oneTimeLinks.userId, id))
  const statuses = await inThisOrder(
    { table: 'one_time_links', id: link!.id },
    () => browser(app.url).send('POST', '/api/links/use', { token, password: 'another phrase of mine 5' }),
    () => app.post(`/api/users/${id}/password-link`),
  )
  expect(statuses).toEqual([204, 201])
})

test('only the first of four concurrent uses of an invitation creates an account', async () => {
  const email = 'wanted@example.com'
  const token = await readLink(app.post('/api/users/invitations', { email, role: 'operator' }))
  const [link] = await app.db.select().from(oneTimeLinks).where(eq(oneTimeLinks.email, email))
  const use = (name: string) => () =>
    browser(app.url).send('POST', '/api/links/use', { token, name, password: goodPassword })
  const row = { table: 'one_time_links', id: link!.id } as const
  expect(await inThisOrder(row, use('Ada'), use('Bob'), use('Cyd'), use('Dan'))).toEqual([204, 404, 404, 404])
  const people = await app.db.select({ name: users.name }).from(users).where(eq(users.email, email))
  expect(people).toEqual([{ name: 'Ada' }])
})

test.each(['disabled', 'demoted', 'deleted'])('links of an admin stop working once that admin is %s', async (how) => {
  const { userId, cookie } = await signedIn(app.db, 'admin')
  const other = await withPassword(app.db, `boss.of.${how}@example.com`, 'admin')
  const invitation = await readLink(
    app.post('/api/users/invitations', { email: `${how}@example.org`, role: 'admin' }, { cookie }),
  )
  const choosing = await readLink(app.post(`/api/users/${other.id}/password-link`, undefined, { cookie }))
  const own = await readLink(app.post('/api/users/invitations', { email: `fine.${how}@example.org`, role: 'viewer' }))
  const path = `/api/users/${userId}`
  const done =
    how === 'deleted'
      ? await app.delete(path)
      : await app.send('PATCH', path, how === 'disabled' ? { disabled: true } : { role: 'viewer' })
  expect(done.status).toBeLessThan(300)
  const uses = [invitation, choosing, own].map((token) =>
    browser(app.url).send('POST', '/api/links/use', { token, name: 'Somebody', password: goodPassword }),
  )
  expect((await Promise.all(uses)).map(({ status }) => status)).toEqual([404, 404, 204])
})
