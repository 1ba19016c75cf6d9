import { OneTimeLink } from '@docket/api-types/accounts'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { CreatedApiToken } from '@docket/api-types/tokens'
import { eq, getTableColumns, type Table } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { oneTimeLinks, users } from '#people/accounts/accounts.table.ts'
import { apiTokens } from '#people/tokens/api-tokens.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { signedIn } from '#testing/people.ts'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())

const start = (more: object) => ({ requestId: crypto.randomUUID(), domain: 'docs.example.com', ...more })
const cursor = (place: unknown) => `?cursor=${Buffer.from(JSON.stringify(place)).toString('base64url')}`
const uuid = '7d7f2f4e-55c5-4f4b-9f2f-0b9bb1a5c111'

test.each([
  ['a version with a NUL', '/api/static-exports', start({ version: 'a\0b' })],
  ['a version that is half a character', '/api/static-exports', start({ version: 'a\ud800' })],
  ['a path with a NUL', '/api/static-exports', start({ paths: ['/a\0b'] })],
  ['a path that is half a character', '/api/static-exports', start({ paths: ['/\udc00'] })],
  ['a path on two lines', '/api/static-exports', start({ paths: ['/a\n/b'] })],
  ['a domain with a NUL', '/api/static-exports', start({ domain: 'a\0.example' })],
  ['an id that is half a character', '/api/static-exports/import', { jobId: '\ud800', domain: 'docs.example.com' }],
  ['a project that is half a character', '/api/agent-jobs', { jobs: [{ projectId: '\ud800', id: 'x' }] }],
  ['a prototype instead of fields', '/api/static-exports', '{"__proto__":{"requestId":"x","domain":"a.example"}}'],
  ['JSON nested thousandfold', '/api/static-exports', '['.repeat(30_000)],
  ['a list that is only called one', '/api/agent-jobs', { jobs: { length: 99_999_999 } }],
])('%s is refused as an invalid request', async (_, path, body) => {
  const response = await app.post(path, body)
  expect(response.status).toBe(400)
  expect(ApiErrorBody.parse(await response.json()).code).toBe('invalid_request')
})

test.each([
  ['PATCH', '/api/account', { name: 'a\0b' }],
  ['PATCH', '/api/account', { name: 'a\ud800' }],
  ['PATCH', '/api/account', { name: 'two\nlines' }],
  ['POST', '/api/auth/sign-in/password', { email: 'a\0@example.com', password: 'x' }],
  ['POST', '/api/auth/sign-in/password', { email: 'a\ud800@example.com', password: 'x' }],
  ['POST', '/api/account/passkeys', { name: 'a\0', response: {} }],
])('%s %s with the text of %j is refused before it reaches the database', async (method, path, body) => {
  const response = await app.send(method, path, body)
  expect([response.status, ApiErrorBody.parse(await response.json()).code]).toEqual([400, 'invalid_request'])
})

test('a passkey with an invalid id is refused before it reaches the database', async () => {
  const response = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' }
  const host = `localhost:${app.port}`
  const answer = await fetch(`http://${host}/api/auth/passkey/sign-in`, {
    method: 'POST',
    headers: { origin: `http://${host}`, 'x-docket': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'a\0', rawId: 'x', type: 'public-key', response }),
  })
  expect(answer.status).toBe(400)
})

test.each([
  ['actorId=%00', 400],
  ['from=0000-01-01T00:00:00Z', 400],
  ['to=9999-12-31T23:59:59-23:59', 400],
  ['from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', 200],
  ['q=%00', 200],
  ['q=a%00b%FF', 200],
])('filtering the audit by %s is answered with %i', async (query, status) => {
  expect((await app.get(`/api/audit?${query}`)).status).toBe(status)
  const exported = await app.get(`/api/audit/export?format=csv&${query}`)
  expect([exported.status, await exported.text()]).toMatchObject([status, expect.any(String)])
})

test.each([
  [[9e15, ['a', 'b']]],
  [[8.64e15, ['a', 'b']]],
  [[-8e15, ['a', 'b']]],
  [[1e300, ['a', 'b']]],
  [[1, ['\0', 'b']]],
  [[1, ['\ud800', 'b']]],
  [[1, ['a']]],
  [[1, [uuid, 'b', 'c']]],
  [[1, ['not a uuid']]],
  [[1, 'a', 'b']],
  [null],
  ['x'],
])('every list refuses the forged cursor %j', async (place) => {
  const lists = ['/api/agent-jobs', '/api/static-exports']
  for (const response of await Promise.all(lists.map((list) => app.get(list + cursor(place)))))
    expect([response.status, ApiErrorBody.parse(await response.json()).field]).toEqual([400, 'cursor'])
})

/** A value for every column of a table, as somebody would send it to gain rights. */
const everyColumn = (table: Table) => {
  const sampleValues = { boolean: true, date: '2099-01-01T00:00:00.000Z', number: 99, array: ['x'], json: {} } as const
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, { dataType }]) => [
      name,
      name === 'role' ? 'admin' : (sampleValues[dataType.split(' ')[0] as keyof typeof sampleValues] ?? uuid),
    ]),
  )
}

test('fields outside the contract are never written, so nobody can gain rights with them', async () => {
  const viewer = await signedIn(app.db, 'viewer')
  const readRow = async (email: string) => (await app.db.select().from(users).where(eq(users.email, email)))[0]!
  const before = await readRow(viewer.email)
  const own = { ...everyColumn(users), name: 'Eve', email: viewer.email, timeZone: null }
  expect((await app.send('PATCH', '/api/account', own, { cookie: viewer.cookie })).status).toBe(200)
  const { updatedAt } = await readRow(viewer.email)
  expect(await readRow(viewer.email)).toEqual({ ...before, name: 'Eve', updatedAt })

  const invited = { ...everyColumn(oneTimeLinks), email: 'new@example.com', role: 'viewer' }
  const { url } = OneTimeLink.parse(await (await app.post('/api/users/invitations', invited)).json())
  const [link] = await app.db.select().from(oneTimeLinks).where(eq(oneTimeLinks.email, 'new@example.com'))
  expect(link).toMatchObject({ kind: 'invitation', role: 'viewer', userId: null, usedAt: null })
  expect(link!.expiresAt.getTime()).toBeLessThan(Date.now() + 8 * 86_400_000)
  const use = { ...everyColumn(users), token: url.split('#')[1], name: 'New', password: 'trellis onion 7 marble quay' }
  expect((await app.post('/api/links/use', use, { cookie: undefined })).status).toBe(204)
  expect(await readRow('new@example.com')).toMatchObject({
    role: 'viewer',
    twoFactorEnabled: false,
    emailVerified: false,
  })

  const request = {
    name: 'CI',
    scope: 'read',
    expiresInDays: null,
    domains: ['a.example'],
    projectIds: null,
    connectionIds: null,
    sites: null,
  }
  const token = await app.post('/api/tokens', { ...everyColumn(apiTokens), ...request })
  const { apiToken } = CreatedApiToken.parse(await token.json())
  const [row] = await app.db.select().from(apiTokens).where(eq(apiTokens.tokenId, apiToken.tokenId))
  expect(row).toMatchObject({ scope: 'read', domains: ['a.example'], createdByName: 'The admin', expiresAt: null })
  expect([row!.tokenId, row!.tokenHash, row!.createdBy]).not.toContain(uuid)

  const start = { ...everyColumn(staticExports), requestId: crypto.randomUUID(), domain: 'docs.example.com' }
  const started = await app.post('/api/static-exports', {
    ...start,
    connectionId: undefined,
    version: undefined,
    paths: undefined,
  })
  expect(started.status).toBeLessThan(300)
  const [record] = await app.db.select().from(staticExports)
  expect([record!.exportId, record!.jobId]).not.toContain(uuid)
  expect(record).toMatchObject({ imported: false, pageCount: null, removedAt: null, replacedBy: null })
})

test('a request that ends inside its body is not logged as an error of Docket', async () => {
  const head = [
    'POST /api/agent-jobs HTTP/1.1',
    `Host: 127.0.0.1:${app.port}`,
    `Origin: ${app.url}`,
    'X-Docket: 1',
    `Cookie: ${app.cookie}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  await rawRequest(app.port, `${head.join('\r\n')}\r\n\r\n5\r\n{"job\r\nno chunk`)
  // Nobody reads an answer, so only the log can tell.
  await expect.poll(() => app.logged().includes('"message":"aborted"')).toBe(true)
  expect(app.logged().includes('"level":"error"')).toBe(false)
})
