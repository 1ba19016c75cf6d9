import { ApiErrorBody } from '@docket/api-types/api-error'
import { ApiTokenList } from '@docket/api-types/tokens'
import { Session } from '@docket/api-types/session'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testDatabase } from '#testing/database.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { bearerHeaders, makeToken } from '#testing/tokens.ts'
import { apiTokens } from './api-tokens.table.ts'
import { isTokenText, generateToken } from './token-text.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'

const clock = { now: Date.parse('2026-03-01T10:00:00Z') }
const dayMs = 86_400_000
let database: Awaited<ReturnType<typeof testDatabase>>
let app: TestApp
let replica: TestApp
beforeAll(async () => {
  database = await testDatabase()
  app = await testApp({ database, now: () => clock.now })
  replica = await testApp({ database, now: () => clock.now })
})
afterAll(async () => {
  await app.close()
  await replica.close()
  await database.drop()
})

const findListed = async (tokenId: string) => {
  const { items } = ApiTokenList.parse(await (await app.get('/api/tokens')).json())
  return items.find((item) => item.tokenId === tokenId)
}

const statusWith = async (token: string, at: TestApp = app) =>
  (await at.get('/api/static-exports', bearerHeaders(token))).status

test('a token is shown once, and only its hash is stored', async () => {
  const { token, apiToken } = await makeToken(app, { name: '  Nightly  ' })
  expect(token).toMatch(/^docket_[0-9A-Za-z]{49}$/)
  expect(apiToken).toMatchObject({ name: 'Nightly', scope: 'operate', state: 'active', lastUsedAt: null })
  expect(token.endsWith(apiToken.hint)).toBe(true)
  expect(await statusWith(token)).toBe(200)
  const list = await (await app.get('/api/tokens')).text()
  const { rows } = await app.db
    .execute(sql`select query_to_xml('select * from api_tokens', true, false, '')::text as tokens,
    query_to_xml('select * from audit_events', true, false, '')::text as events`)
  const stored = JSON.stringify(rows)
  for (const text of [list, stored, app.logged()]) expect(text).not.toContain(token.slice(7, 40))
  expect(list).toContain(apiToken.tokenId)
  expect(stored).toContain(hashKey(token))
})

test('a request with a token needs no cookie and no browser headers, and sets no cookie', async () => {
  const { bearer } = await makeToken(app)
  const refused = await app.post('/api/static-exports', { requestId: 'x' }, bearer)
  expect(refused.status).toBe(400)
  const session = await app.get('/api/session', bearer)
  expect(Session.parse(await session.json()).person).toBeNull()
  expect([...refused.headers, ...session.headers].map(([name]) => name)).not.toContain('set-cookie')
})

test('with a token, the session cookie is ignored, even if the token is invalid', async () => {
  const { token } = await makeToken(app, { scope: 'read' })
  const asAdmin = { ...bearerHeaders(token), cookie: app.cookie }
  expect((await app.get('/api/tokens', asAdmin)).status).toBe(403)
  expect((await app.get('/api/session', { authorization: `Bearer ${generateToken()}` })).status).toBe(401)
  // Docket ignores credentials for a proxy in front of it.
  expect((await app.get('/api/tokens', { authorization: 'Basic dXNlcjpwYXNz' })).status).toBe(200)
})

test('unknown, mistyped, expired and revoked tokens all get the same response', async () => {
  const expired = await makeToken(app, { expiresInDays: 1 })
  const revoked = await makeToken(app)
  await app.delete(`/api/tokens/${revoked.apiToken.tokenId}`)
  const { token } = await makeToken(app)
  const mistyped = token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21)
  clock.now += dayMs
  const answers = []
  for (const text of [generateToken(), mistyped, expired.token, revoked.token, 'docket_', '', 'a b', 'x'.repeat(5000)])
    for (const ask of [app.get, (path: string, headers: object) => app.post(path, {}, { ...headers })]) {
      const answer = await ask('/api/static-exports', bearerHeaders(text))
      const { code, message } = ApiErrorBody.parse(await answer.json())
      answers.push(`${answer.status} ${code} ${message} ${answer.headers.get('www-authenticate')}`)
    }
  expect([...new Set(answers)]).toEqual([
    '401 not_signed_in This API token doesn’t work. It may have expired or been revoked. Bearer',
  ])
  expect(await findListed(expired.apiToken.tokenId)).toMatchObject({ state: 'expired' })
  expect(await statusWith(token)).toBe(200)
})

test('a token that one replica revokes is refused by the other replica immediately', async () => {
  const { token, apiToken } = await makeToken(app)
  expect([await statusWith(token, app), await statusWith(token, replica)]).toEqual([200, 200])
  expect((await replica.delete(`/api/tokens/${apiToken.tokenId}`)).status).toBe(204)
  expect([await statusWith(token, app), await statusWith(token, replica)]).toEqual([401, 401])
  expect(await findListed(apiToken.tokenId)).toMatchObject({ state: 'revoked' })
})

test('the last use of a token is recorded at most every five minutes', async () => {
  const { token, apiToken } = await makeToken(app)
  const used = async () => {
    expect(await statusWith(token)).toBe(200)
    await app.services.people.settled()
    return (await findListed(apiToken.tokenId))?.lastUsedAt
  }
  const first = clock.now
  expect(await used()).toBe(new Date(first).toISOString())
  clock.now += 299_000
  expect(await used()).toBe(new Date(first).toISOString())
  clock.now += 1_000
  expect(await used()).toBe(new Date(first + 300_000).toISOString())
})

test('a failed write of the last use does not delay the request', async () => {
  const { token, apiToken } = await makeToken(app)
  await app.db.transaction(async (tx) => {
    await tx.select().from(apiTokens).where(eq(apiTokens.tokenId, apiToken.tokenId)).for('update')
    expect(await statusWith(token)).toBe(200)
    // Else the answer waited until the database gave up.
    expect(app.logged()).not.toContain('could not be written down')
  })
  await app.services.people.settled()
  expect((await findListed(apiToken.tokenId))?.lastUsedAt).toBe(new Date(clock.now).toISOString())
})

test('creating and revoking a token are each audited once, with the person who did it', async () => {
  const { apiToken } = await makeToken(app, { domains: ['https://Docs.Example.com/'], expiresInDays: 7 })
  const path = `/api/tokens/${apiToken.tokenId}`
  expect([(await app.delete(path)).status, (await app.delete(path)).status]).toEqual([204, 204])
  const events = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, apiToken.tokenId))
  expect(events.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['api_token.created', 'The admin'],
    ['api_token.revoked', 'The admin'],
  ])
  expect(events[0]?.details).toEqual({
    scope: 'operate',
    domains: 'docs.example.com',
    projects: null,
    expiresInDays: 7,
  })
  expect((await app.delete('/api/tokens/00000000-0000-4000-8000-000000000000')).status).toBe(404)
})

test('a token is not created if its creation cannot be audited', async () => {
  await app.db.execute(
    sql`alter table audit_events add constraint no_more check (action <> 'api_token.created') not valid`,
  )
  expect((await app.post('/api/tokens', { name: 'unseen', scope: 'read', expiresInDays: null })).status).toBe(500)
  await app.db.execute(sql`alter table audit_events drop constraint no_more`)
  expect(await app.db.select().from(apiTokens).where(eq(apiTokens.name, 'unseen'))).toEqual([])
})

test('domains of a token are normalised like those of exports, without duplicates, and an invalid one is named in the error', async () => {
  const { apiToken } = await makeToken(app, { domains: ['HTTPS://Döcs.example.com/x', 'xn--dcs-sna.example.com'] })
  expect(apiToken.domains).toEqual(['xn--dcs-sna.example.com'])
  const refused = await app.post('/api/tokens', { name: 'x', scope: 'read', expiresInDays: 1, domains: ['10.0.0.1'] })
  expect([refused.status, ApiErrorBody.parse(await refused.json()).field]).toEqual([400, 'domains'])
})

test('the checksum of a token detects typing errors', () => {
  const tokens = Array.from({ length: 200 }, generateToken)
  expect(new Set(tokens).size).toBe(200)
  for (const token of tokens) {
    expect(isTokenText(token)).toBe(true)
    const place = 7 + (token.codePointAt(9)! % 49)
    const other = token[place] === 'x' ? 'y' : 'x'
    expect(isTokenText(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
})
