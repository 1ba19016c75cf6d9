import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { spoilingProxy } from '#testing/spoiling-proxy.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-failures-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const canaries = {
  secret: 'canary-of-the-instance-'.repeat(2),
  password: 'canary phrase of the first admin 5',
  database: 'canaryOfTheDatabase',
  key: 'canary_of_the_admin_key',
  oidc: 'canaryOfSingleSignOn',
}

/** Starts a Docket on a database of an earlier version while the statements that `spoils` picks fail. */
const startWith = async (name: string, spoils: (statement: string) => boolean) => {
  const database = await testDatabase()
  const proxy = await spoilingProxy(database.url, { spoils, password: canaries.database })
  try {
    await database.db.execute(
      sql`insert into instance (id, name, moving_secret) values (1, 'abcd', ${canaries.secret})`,
    )
    const docket = startDocket({
      DATABASE_URL: proxy.url,
      DATA_DIR: join(folder, name),
      AUTH_SECRET: '',
      SETUP_ADMIN_EMAIL: 'ada@example.com',
      SETUP_ADMIN_PASSWORD: canaries.password,
      ADMIN_API_URL: 'http://127.0.0.1:1',
      ADMIN_API_KEY: canaries.key,
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'docket',
      OIDC_CLIENT_SECRET: canaries.oidc,
      OIDC_VIEWER_GROUP: '*',
    })
    await docket.ready.catch(() => {})
    return { ...(await docket.kill('SIGTERM')), seen: proxy.paths }
  } finally {
    await proxy.close()
    await database.drop()
  }
}

test('a start that fails at a statement with values says the cause first, and prints no secret and no value', async () => {
  const whole = await startWith('whole', () => false)
  expect(whole.code).toBe(0)
  const people = /"(instance|users|sign_in_\w+|audit_events|one_time_links)"/
  // Only a statement with parameters has values to print. Every third of those without secrets stands for the others.
  const withValues = [...new Set(whole.seen)].filter((text) => text.includes('$1'))
  const others = withValues.filter((text) => !people.test(text)).filter((_, index) => index % 3 === 0)
  const statements = [...withValues.filter((text) => people.test(text)), ...others]
  expect(statements.filter((text) => text.includes('$1') && people.test(text)).length).toBeGreaterThan(7)
  const refused: string[] = []
  const failing = async (statement: string, index: number) => {
    const { code, stdout, stderr } = await startWith(`${index}`, (text) => text === statement)
    const printed = stdout + stderr
    for (const canary of Object.values(canaries)) expect(printed, statement).not.toContain(canary)
    expect(printed, statement).not.toMatch(/\$argon2id\$|params|Failed query/)
    if (code !== 1) return expect(stdout, statement).toMatch(/^Docket is ready/)
    refused.push(statement)
    expect(stderr, statement).toMatch(/^Docket could not start\. .*syntax error at or near "x\w*"/m)
  }
  const [one, other] = [statements.filter((_, n) => n % 2 === 0), statements.filter((_, n) => n % 2 === 1)]
  await Promise.all(
    [one, other].map(async (mine, half) => {
      for (const [index, statement] of mine.entries()) await failing(statement, index * 2 + half)
    }),
  )
  expect(refused.filter((text) => text.includes('$1') && people.test(text)).length).toBeGreaterThan(7)
})
