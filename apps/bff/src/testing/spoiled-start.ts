import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { spoilingProxy } from '#testing/spoiling-proxy.ts'

const canaries = {
  secret: 'canary-of-the-instance-'.repeat(2),
  password: 'canary phrase of the first admin 5',
  database: 'canaryOfTheDatabase',
  key: 'canary_of_the_admin_key',
  oidc: 'canaryOfSingleSignOn',
}

/** True when a statement uses a table with people or secrets. */
export const isAboutPeople = (statement: string): boolean =>
  /"(instance|users|sign_in_\w+|audit_events|one_time_links)"/.test(statement)

/** Starts a Docket on a database of an earlier version while the statements that `spoils` picks fail. */
export const startWith = async (spoils: (statement: string) => boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-failures-'))
  const database = await testDatabase()
  const proxy = await spoilingProxy(database.url, { spoils, password: canaries.database })
  try {
    await database.db.execute(
      sql`insert into instance (id, name, moving_secret) values (1, 'abcd', ${canaries.secret})`,
    )
    const docket = startDocket({
      DATABASE_URL: proxy.url,
      DATA_DIR: folder,
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
    await rm(folder, { recursive: true, force: true })
  }
}

/** Expects that a start either succeeded or reported why it failed, and printed no value. True when it failed. */
export const expectCause = (
  statement: string,
  { code, stdout, stderr }: Awaited<ReturnType<typeof startWith>>,
): boolean => {
  const printed = stdout + stderr
  for (const canary of Object.values(canaries)) expect(printed, statement).not.toContain(canary)
  expect(printed, statement).not.toMatch(/\$argon2id\$|params|Failed query/)
  if (code === 1) expect(stderr, statement).toMatch(/^Docket could not start\. .*syntax error at or near "x\w*"/m)
  else expect(stdout, statement).toMatch(/^Docket is ready/)
  return code === 1
}
