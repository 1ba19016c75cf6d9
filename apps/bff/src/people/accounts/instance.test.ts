import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { serializeSigned } from 'hono/utils/cookie'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { WrongSecret } from '#ground/secret/right-secret.ts'
import { locatePreviousSecretFile, locateSecretFile, readSecretsInFolder } from '#ground/secret/secrets.ts'
import { filledDatabase, testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { deriveSecrets } from '#testing/instance.ts'
import { testApp } from '#testing/test-app.ts'
import { twoFactors } from './accounts.table.ts'
import { openInstance } from './instance.ts'
import { decryptText } from '#ground/secret/encrypted-text.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-instance-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let folders = 0
const freshFolder = () => join(folder, `${(folders += 1)}`)

const fresh = async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  return database
}
const instanceRow = async ({ db }: Awaited<ReturnType<typeof fresh>>) =>
  (await db.execute(sql`select secret_check as known, moving_secret as moving from instance`)).rows[0]

const oldSecret = 'of-an-earlier-version-'.repeat(2)
const ownSecret = 'set-in-the-environment-all-the-time-1'

/** The app secret `AAA…` and the backup codes `["a","b"]`, as better-auth 1.7.5 encrypted them with each secret. */
const encryptedBy: Record<string, readonly [string, string]> = {
  [oldSecret]: [
    'e54f746d1b83864237601559ae45412cd5053086fcb9fd0a4da0ac26d4685067b658892bb69188651e18616e3eecf2e620b428d9f9faae1c7a610722f35d80bd8d00618cac7cb7ce',
    'f1c1e07077455a03d90a3a9d7929bfbf45fae57903a0846c08ecd7f460c04cba0195823f3e62630290d43d4bf0945ae03f',
  ],
  [ownSecret]: [
    '2b33e7d1f9c8a74a8d592e5e4cf78eee27aa1f027f095e91b149c8c9af8c7ae464f7d6d724d7682d998c4112db0081423b74f321dc58578ba3c02acd6c9c25289b9868fb8a702aad',
    '0a8ae090743c6e5897827bee03a63fd51feed0213baa0b294632c28c4f331ada9d1ca32d37a2cdb8a77f3593a2d3ac83cf',
  ],
}
const clearToken = 'token-in-clear-as-an-earlier-version-wrote-'

/** A database that this version took over from the one before, which kept its secret and those of sessions in it. */
const upgraded = await filledDatabase(
  async ({ db, url }) => {
    await migrateDatabase({ connectionString: url }, { only: 2 })
    // In SQL, because the table has more columns today.
    const { rows } = await db.execute<{ id: string }>(
      sql`insert into users (name, email) values ('Ada', 'ada@example.com') returning id`,
    )
    const { id } = rows[0]!
    await db.execute(sql`insert into instance (id, name, secret) values (1, 'abcd', ${oldSecret})`)
    await db.execute(sql`insert into two_factors (user_id, secret, backup_codes) values (${id}, '', '')`)
    await db.execute(
      sql`insert into sessions (token, user_id, expires_at) values (${clearToken}, ${id}, now() + interval '1 day')`,
    )
    await migrateDatabase({ connectionString: url })
  },
  { empty: true },
)
afterAll(upgraded.drop)

/** Somebody is signed in, and has a second factor encrypted with this secret. */
const earlier = async (encryptedWith = oldSecret) => {
  const database = await upgraded.copy()
  onTestFinished(database.drop)
  const [secret, codes] = encryptedBy[encryptedWith]!
  const { rows } = await database.db.execute<{ id: string }>(
    sql`update two_factors set secret = ${secret}, backup_codes = ${codes} returning user_id as id`,
  )
  return { ...database, userId: rows[0]!.id }
}

const whoIs = async (database: Awaited<ReturnType<typeof fresh>>, secret: string, signedWith = secret) => {
  const app = await testApp({ database, as: 'nobody', secrets: deriveSecrets(secret, signedWith) })
  try {
    const { cookie, identify } = app.services.people
    const header = await serializeSigned(cookie.name, clearToken, signedWith)
    return await identify({ cookie: header, authorization: undefined })
  } finally {
    await app.close()
  }
}

test('an upgrade moves the secret from the database to a file without signing anybody out', async () => {
  const database = await earlier()
  const dataDir = freshFolder()
  const opened = await openInstance(database.db, await readSecretsInFolder(dataDir))
  expect(opened).toMatchObject({ name: 'abcd', secret: oldSecret, previousSecret: null })
  const shown = inspect({ opened }, { depth: null, showHidden: true }) + JSON.stringify({ opened })
  expect(shown).not.toContain(oldSecret)
  expect(await readFile(locateSecretFile(dataDir), 'utf8')).toBe(`${oldSecret}\n`)
  expect((await stat(locateSecretFile(dataDir))).mode & 0o777).toBe(0o600)
  expect(await instanceRow(database)).toMatchObject({ moving: null, known: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify((await database.db.execute(sql`select * from sessions`)).rows)).not.toContain(clearToken)
  expect(await whoIs(database, oldSecret)).toMatchObject({ userId: database.userId })
  // The last replica of the version before writes one more in clear.
  await database.db.execute(sql`update sessions set token = ${clearToken}`)
  expect(await openInstance(database.db, await readSecretsInFolder(dataDir))).toEqual(opened)
  expect(await whoIs(database, oldSecret)).toMatchObject({ userId: database.userId })
})

test('an upgrade that crashed after writing the secret file continues at the next start', async () => {
  const database = await earlier()
  const dataDir = freshFolder()
  await (await readSecretsInFolder(dataDir)).keep?.(oldSecret)
  expect(await openInstance(database.db, await readSecretsInFolder(dataDir))).toMatchObject({ secret: oldSecret })
  expect(await instanceRow(database)).toMatchObject({ moving: null })
})

test('an upgrade never replaces a secret that is already in the data folder', async () => {
  const database = await earlier()
  const dataDir = freshFolder()
  await (await readSecretsInFolder(dataDir)).keep?.('the secret of another Docket 0123456')
  await expect(openInstance(database.db, await readSecretsInFolder(dataDir))).rejects.toThrow('Move that file away')
  expect(await instanceRow(database)).toEqual({ known: null, moving: oldSecret })
})

test('setting AUTH_SECRET removes the secret from the database and re-encrypts second factors', async () => {
  for (const encryptedWith of [ownSecret, oldSecret]) {
    const database = await earlier(encryptedWith)
    const set = deriveSecrets(ownSecret)
    const warnings: string[] = []
    await openInstance(database.db, set, (problem) => warnings.push(problem))
    expect(warnings).toEqual([])
    expect(await instanceRow(database)).toMatchObject({ moving: null })
    const [row] = await database.db.select().from(twoFactors)
    expect(row!.secret).toMatch(/^\$ba\$\d+\$/)
    const ring = { secret: ownSecret, previousSecret: null }
    expect([decryptText(ring, row!.secret), decryptText(ring, row!.backupCodes)]).toEqual(['A'.repeat(32), '["a","b"]'])
    expect(await whoIs(database, set.current!)).toMatchObject({ userId: database.userId })
  }
})

test.for(['the first start', 'an upgrade'])(
  'of two replicas starting at the same time, at %s, one sets the secret and the other fails with instructions',
  async (when) => {
    const database = when === 'an upgrade' ? await earlier() : await fresh()
    const dataDirs = [freshFolder(), freshFolder()]
    const starts = dataDirs.map(async (dataDir) => openInstance(database.db, await readSecretsInFolder(dataDir)))
    const settled = await Promise.allSettled(starts)
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = settled.findIndex(({ status }) => status === 'rejected')
    const reason = (settled[refused] as PromiseRejectedResult).reason as Error
    expect(reason).toBeInstanceOf(WrongSecret)
    expect(reason.message).toMatch(/^The secret of this database is missing: .*docket\.secret does not exist/)
    expect(await readdir(dataDirs[refused]!).catch(() => [])).toEqual([])
    // With the file of the other one, or its content in AUTH_SECRET, it starts.
    const copied = (await readSecretsInFolder(dataDirs[1 - refused]!)).current!
    expect(await openInstance(database.db, deriveSecrets(copied))).toMatchObject({ secret: copied })
  },
)

test('a replica that lacks the secret of its database fails with one clear instruction and changes nothing', async () => {
  const database = await fresh()
  await openInstance(database.db, deriveSecrets('the-secret-of-every-replica-012345'))
  const row = async () => (await database.db.execute(sql`select xmin, * from instance`)).rows
  const before = await row()
  // A migration that is not applied: it would fail, and so would the start, with another sentence.
  await database.db.execute(
    sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
  )
  const dataDir = freshFolder()
  await expect(openInstance(database.db, await readSecretsInFolder(dataDir))).rejects.toThrow(
    /^The secret of this database is missing: .* set the same AUTH_SECRET everywhere/,
  )
  const AUTH_SECRET = 'another-secret-than-all-the-others-01'
  const docket = startDocket({ DATABASE_URL: database.url, DATA_DIR: dataDir, AUTH_SECRET })
  const { code, stdout, stderr } = await docket.ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Docket could not start\. The secret in AUTH_SECRET is not the one of this/)
  expect(stderr).not.toContain('another-secret')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(await row()).toEqual(before)
  expect(await readdir(dataDir).catch(() => [])).toEqual([])
})

test("a replica starts if the previous secret's file, beside a new one, matches the database", async () => {
  const database = await fresh()
  const dataDir = freshFolder()
  const { secret } = await openInstance(database.db, await readSecretsInFolder(dataDir))
  await writeFile(locatePreviousSecretFile(dataDir), `${secret}\n`)
  // A rotation that crashed half way left the same secret twice.
  expect(await openInstance(database.db, await readSecretsInFolder(dataDir))).toMatchObject({
    secret,
    previousSecret: null,
  })
  await writeFile(locateSecretFile(dataDir), 'a new secret after a rotation 0123456\n')
  expect(await openInstance(database.db, await readSecretsInFolder(dataDir))).toMatchObject({ previousSecret: secret })
  await rm(locatePreviousSecretFile(dataDir))
  expect(await openInstance(database.db, await readSecretsInFolder(dataDir))).toMatchObject({ previousSecret: null })
})
