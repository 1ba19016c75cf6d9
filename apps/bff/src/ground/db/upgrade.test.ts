import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { countOrphanTokens } from '#people/tokens/api-tokens.service.ts'
import { AgentJobList } from '@docket/api-types/agent-jobs'
import { AuditVerification } from '@docket/api-types/audit'
import { ApiTokenList } from '@docket/api-types/tokens'
import { ConnectionList } from '@docket/api-types/connections'
import { Session } from '@docket/api-types/session'
import { StaticExportList } from '@docket/api-types/static-exports'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { About } from '@docket/api-types/about'
import { History } from '@docket/api-types/history'
import { SavedViews } from '@docket/api-types/saved-views'
import { recordVersion } from '#overview/about/about.ts'
import { appCode, secretBytes } from '#people/accounts/second-factor/testing/authenticator-app.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import { browser, goodPassword } from '#people/accounts/testing/browser.ts'
import { generateToken } from '#people/tokens/token-text.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'
import { sealAudit } from '#ground/audit/seal.ts'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { testDatabase } from '#testing/database.ts'
import { hashAtFullCost } from '#testing/hash-cost.ts'
import { testApp } from '#testing/test-app.ts'

const folder = join(import.meta.dirname, 'testing', 'dumps')
/** Commits in the order of their migrations, with what their databases also have. */
const dumps = {
  c8321b1: { migrations: 2, connections: [], views: [] },
  '23f0e1ae': { migrations: 5, connections: [], views: [] },
  '5fa2c1cb': { migrations: 8, connections: ['Handbook', 'This machine'], views: [] },
  df2a22b1: { migrations: 13, connections: ['Handbook', 'This machine'], views: ['Failures'] },
  '1aa7b963': { migrations: 15, connections: ['Handbook', 'This machine'], views: ['Failures'] },
}

const restore = async (commit: string) => {
  const database = await testDatabase({ empty: true })
  onTestFinished(database.drop)
  const text = gunzipSync(await readFile(join(folder, `${commit}.sql.gz`))).toString()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(text)
  await client.end()
  const secret = /^-- second factor: (\w+)$/m.exec(text)![1]!
  return { database, code: () => appCode(secretBytes(secret)!) }
}

test('every database dump is restored by a test', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql.gz'))
  expect(names.toSorted()).toEqual(
    Object.keys(dumps)
      .map((commit) => `${commit}.sql.gz`)
      .toSorted(),
  )
})

test.each(Object.entries(dumps))('a database of %s is upgraded without losing anything', async (commit, had) => {
  const { database, code } = await restore(commit)
  const { db, url } = database
  const countMigrations = async () =>
    (await db.execute<{ n: number }>(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)).rows[0]!.n
  expect(await countMigrations()).toBe(had.migrations)
  const readHashes = async () =>
    (await db.execute(sql`select password from sign_in_accounts where provider_id = 'credential' order by 1`)).rows
  const hashes = await readHashes()
  await migrateDatabase({ connectionString: url })
  expect(await countMigrations()).toBeGreaterThan(had.migrations)
  expect(await readHashes()).toEqual(hashes)
  // A password takes most of a second, so only the oldest one is checked as it was hashed.
  const isOldest = had === Object.values(dumps)[0]
  hashAtFullCost(isOldest)
  onTestFinished(() => hashAtFullCost(false))
  if (!isOldest) await db.execute(sql`update sign_in_accounts set password = ${await hashPassword(goodPassword)}`)
  await recordVersion(db, '0.0.0-test', Date.now())

  const app = await testApp({ database, as: 'nobody' })
  onTestFinished(app.close)
  const { send, signIn } = browser(app.url)
  expect(await (await signIn('grace@example.com')).json()).toEqual({ next: 'second_factor' })
  expect((await send('POST', '/api/auth/second-factor', { code: code() })).status).toBe(204)
  const read = async (path: string): Promise<unknown> => (await send('GET', path)).json()

  expect(Session.parse(await read('/api/session')).person).toMatchObject({
    email: 'grace@example.com',
    role: 'admin',
    hasPassword: true,
    hasSecondFactor: true,
  })
  const { items: exports } = StaticExportList.parse(await read('/api/static-exports'))
  const completed = { domain: 'docs.example.com', state: 'completed', pageCount: 1 }
  expect(exports).toEqual([expect.objectContaining(completed), expect.objectContaining(completed)])
  const history = History.parse(await read(`/api/static-exports/${exports[0]!.exportId}/history`))
  expect(history.events.length).toBeGreaterThan(2)
  const { items: jobs } = AgentJobList.parse(await read('/api/agent-jobs'))
  expect(jobs).toEqual([expect.objectContaining({ projectId: 'docs', status: 'completed' })])
  const { items: tokens } = ApiTokenList.parse(await read('/api/tokens'))
  expect(tokens).toEqual([expect.objectContaining({ name: 'nightly' })])
  const { items: connections } = ConnectionList.parse(await read('/api/connections'))
  expect(connections.map(({ name }) => name)).toEqual(expect.arrayContaining(had.connections))
  const { items: views } = SavedViews.parse(await read('/api/views'))
  expect(views.map(({ name }) => name)).toEqual(had.views)
  await sealAudit(db)
  const audit = AuditVerification.parse(await read('/api/audit/verify'))
  expect(audit).toMatchObject({ broken: null, unsealed: { rows: 0 } })
  expect(audit.rows).toBeGreaterThan(7)
  expect(About.parse(await read('/api/about'))).toMatchObject({ lastRead: '0.1.0' })
})

test('an upgrade pauses tokens whose owners were deleted, in every replica, and an admin can hand them over', async () => {
  const { database } = await restore('1aa7b963')
  const { db, url } = database
  const [orphan, expired] = [generateToken(), generateToken()]
  for (const [token, expiresAt] of [[orphan, null] as const, [expired, new Date(0)] as const])
    await db.execute(sql`insert into api_tokens (name, token_hash, hint, scope, created_by, created_by_name, created_at, expires_at)
      values ('orphan', ${hashKey(token)}, 'abcd', 'operate', gen_random_uuid(), 'Grace', now(), ${expiresAt})`)
  await migrateDatabase({ connectionString: url })
  const app = await testApp({ database })
  onTestFinished(app.close)
  const column = async (query: string) =>
    (await db.execute<{ name: string }>(sql.raw(query))).rows.map(({ name }) => name)
  // What a replica of 1.0.0 looks for.
  const working = 'select name from api_tokens where revoked_at is null and coalesce(expires_at > now(), true)'
  expect(await column(working)).toEqual(['nightly'])
  const audited = "select target_name as name from audit_events where details ->> 'paused' = 'true'"
  expect(await column(audited)).toEqual(['orphan'])
  expect(await countOrphanTokens(app.services.people)).toBe(1)
  const { items } = ApiTokenList.parse(await (await app.get('/api/tokens')).json())
  expect(items.map(({ name, state }) => `${name} ${state}`).toSorted()).toEqual([
    'nightly active',
    'orphan expired',
    'orphan paused',
  ])
  const ask = () => app.get('/api/static-exports', { cookie: undefined, authorization: `Bearer ${orphan}` })
  expect((await ask()).status).toBe(401)
  const { tokenId } = items.find(({ state }) => state === 'paused')!
  expect((await app.post(`/api/tokens/${tokenId}/hand-over`)).status).toBe(204)
  expect((await ask()).status).toBe(200)
})
