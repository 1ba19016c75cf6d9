import { countOrphanTokens } from '#people/tokens/api-tokens.service.ts'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { UserList } from '@docket/api-types/accounts'
import { ApiTokenList } from '@docket/api-types/tokens'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'
import { apiTokens } from './api-tokens.table.ts'

const clock = { now: Date.now() }
const dayMs = 86_400_000
const app = await testApp({ now: () => clock.now })
const replica = await testApp({ database: { db: app.db, url: app.databaseUrl }, now: () => clock.now })
afterAll(async () => {
  await replica.close()
  await app.close()
})

type Bearer = Awaited<ReturnType<typeof makeToken>>['bearer']

/** An admin with tokens. */
const addOwner = async (...names: string[]) => {
  const owner = await signedIn(app.db, 'admin')
  const post = (path: string, body?: unknown) => app.post(path, body, { cookie: owner.cookie })
  const made = await Promise.all(
    names.map((name) => makeToken({ ...app, post } as TestApp, { name, domains: ['docs.example.com'] })),
  )
  return { ...owner, tokens: made.map(({ apiToken, bearer }) => ({ ...apiToken, bearer })) }
}
const ask = async (bearer: Bearer) => {
  const answers = await Promise.all([app, replica].map((at) => at.get('/api/static-exports', bearer)))
  return answers.map(({ status }) => status)
}
const list = async () => ApiTokenList.parse(await (await app.get('/api/tokens')).json()).items
const find = async (tokenId: string) => (await list()).find((token) => token.tokenId === tokenId)
const listAudit = async (targetIds: string[]) => {
  const rows = await app.db
    .select()
    .from(auditEvents)
    .where(inArray(auditEvents.targetId, targetIds))
    .orderBy(auditEvents.auditId)
  return rows
    .filter(({ action }) => action !== 'api_token.created')
    .map(({ action, actorName, targetName, details }) => [action, actorName, targetName, details])
}
const readCode = async (response: Response) => [response.status, ApiErrorBody.parse(await response.json()).code]

test.for(['', '?tokens=revoke'])(
  'deleting an account (%s) revokes its tokens and audits each revocation',
  async (query) => {
    const owner = await addOwner('Nightly', 'Release')
    const ids = owner.tokens.map(({ tokenId }) => tokenId)
    expect((await app.delete(`/api/users/${owner.userId}${query}`)).status).toBe(204)
    for (const { bearer, tokenId } of owner.tokens) {
      expect(await ask(bearer)).toEqual([401, 401])
      expect(await find(tokenId)).toMatchObject({ state: 'revoked', owner: null })
    }
    const rows = await listAudit([...ids, owner.userId])
    expect(rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      ['api_token.revoked', 'The admin', 'Nightly', {}],
      ['api_token.revoked', 'The admin', 'Release', {}],
      ['user.deleted', 'The admin', 'The admin', { email: owner.email, role: 'admin' }],
    ])
  },
)

test('tokens handed over on deletion belong to the admin who deletes the account, and keep their own limits', async () => {
  const owner = await addOwner('Nightly')
  const [token] = owner.tokens
  const heir = await signedIn(app.db, 'admin')
  const path = `/api/users/${owner.userId}?tokens=hand_over`
  expect((await app.delete(path, { cookie: heir.cookie })).status).toBe(204)
  expect(await ask(token!.bearer)).toEqual([200, 200])
  expect(await find(token!.tokenId)).toMatchObject({
    state: 'active',
    scope: 'operate',
    domains: ['docs.example.com'],
    createdBy: owner.name,
    owner: { userId: heir.userId },
  })
  expect(await listAudit([token!.tokenId])).toEqual([['api_token.handed_over', heir.name, 'Nightly', {}]])
  // It never has more than its new owner.
  await app.send('PATCH', `/api/users/${heir.userId}`, { role: 'none' })
  expect(await ask(token!.bearer)).toEqual([403, 403])
})

test('the list of people names exactly the tokens of each person that would end with the account', async () => {
  const owner = await addOwner('Release', 'Nightly', 'Old')
  const names = async () => {
    const { users } = UserList.parse(await (await app.get('/api/users')).json())
    return users.find(({ userId }) => userId === owner.userId)?.tokens
  }
  await app.delete(`/api/tokens/${owner.tokens[2]!.tokenId}`)
  expect(await names()).toEqual(['Nightly', 'Release'])
  await app.send('PATCH', `/api/users/${owner.userId}`, { disabled: true })
  expect(await names()).toEqual(['Nightly', 'Release'])
})

test('an account is not deleted if the choice about its tokens is unknown, or if the audit fails', async () => {
  const owner = await addOwner('Nightly')
  const path = `/api/users/${owner.userId}`
  expect(await readCode(await app.delete(`${path}?tokens=keep`))).toEqual([400, 'invalid_request'])
  for (const action of ['user.deleted', 'api_token.revoked']) {
    await app.db.execute(
      sql.raw(`alter table audit_events add constraint no_more check (action <> '${action}') not valid`),
    )
    expect((await app.delete(path)).status).toBe(500)
    await app.db.execute(sql`alter table audit_events drop constraint no_more`)
  }
  expect(await ask(owner.tokens[0]!.bearer)).toEqual([200, 200])
  expect((await app.delete(path)).status).toBe(204)
  expect((await app.delete(path)).status).toBe(404)
})

test('a token of a disabled owner is refused like a revoked one, and works again once the owner is enabled', async () => {
  const { tokens, userId } = await addOwner('Nightly')
  const [{ bearer, tokenId }] = tokens as [(typeof tokens)[0]]
  const path = `/api/users/${userId}`
  await app.send('PATCH', path, { disabled: true })
  const refused = await replica.get('/api/static-exports', bearer)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  expect([refused.status, await refused.json()]).toEqual([
    401,
    {
      code: 'not_signed_in',
      message: expect.stringMatching(
        /^This API token is paused, because its owner no longer has access\. Ask an admin/,
      ),
      requestId: expect.any(String),
    },
  ])
  expect(await find(tokenId)).toMatchObject({ state: 'paused', revokedAt: null, owner: { userId, hasAccess: false } })
  await replica.send('PATCH', path, { disabled: false })
  expect(await ask(bearer)).toEqual([200, 200])
  expect(await find(tokenId)).toMatchObject({ state: 'active', owner: { userId, hasAccess: true } })
})

test('a token whose owner was deleted is paused, counts as revoked for replicas of 1.0.0, and can be handed over or revoked', async () => {
  const { tokens, userId } = await addOwner('Nightly', 'Old')
  const [kept, old] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
  await app.db.execute(sql`delete from users where id = ${userId}`)
  for (const { bearer, tokenId } of tokens) {
    expect(await ask(bearer)).toEqual([401, 401])
    expect(await find(tokenId)).toMatchObject({ state: 'paused', revokedAt: null, owner: null })
    const [row] = await app.db.select().from(apiTokens).where(eq(apiTokens.tokenId, tokenId))
    expect(row!.revokedAt).not.toBeNull()
  }
  expect(await countOrphanTokens(app.services.people)).toBe(2)
  const handOver = () => replica.post(`/api/tokens/${kept.tokenId}/hand-over`)
  expect((await Promise.all([handOver(), handOver()])).map(({ status }) => status)).toEqual([204, 204])
  expect(await ask(kept.bearer)).toEqual([200, 200])
  expect(await find(kept.tokenId)).toMatchObject({ state: 'active', owner: { name: 'The admin' } })
  expect((await app.delete(`/api/tokens/${old.tokenId}`)).status).toBe(204)
  expect(await find(old.tokenId)).toMatchObject({ state: 'revoked' })
  expect(await countOrphanTokens(app.services.people)).toBe(0)
  const paused = { paused: true, because: 'the account of its owner is gone' }
  expect(await listAudit([kept.tokenId])).toEqual([
    ['api_token.revoked', 'Docket', 'Nightly', paused],
    ['api_token.handed_over', 'The admin', 'Nightly', {}],
  ])
  expect(await listAudit([old.tokenId])).toEqual([
    ['api_token.revoked', 'Docket', 'Old', paused],
    ['api_token.revoked', 'The admin', 'Old', {}],
  ])
})

test('a revoked or expired token cannot be handed over', async () => {
  const revoked = await makeToken(app)
  await app.delete(`/api/tokens/${revoked.apiToken.tokenId}`)
  const expired = await makeToken(app, { expiresInDays: 1 })
  clock.now += dayMs
  for (const { apiToken, bearer } of [revoked, expired]) {
    expect(await readCode(await app.post(`/api/tokens/${apiToken.tokenId}/hand-over`))).toEqual([409, 'conflict'])
    expect(await ask(bearer)).toEqual([401, 401])
  }
  clock.now -= dayMs
  expect(await readCode(await app.post(`/api/tokens/${crypto.randomUUID()}/hand-over`))).toEqual([404, 'not_found'])
})
