import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { computeCheckValue } from '#ground/secret/right-secret.ts'
import { locatePreviousSecretFile, locateSecretFile, readSecretsInFolder } from '#ground/secret/secrets.ts'
import { testDatabase } from '#testing/database.ts'
import { deriveSecrets } from '#testing/instance.ts'
import type { EncryptTo, OpenWith } from './encryption.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { giveUpSecret, writeNewSecret } from '#process/commands/rotate-secret.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-encrypted-'))
afterAll(() => rm(folder, { recursive: true }))

// A passphrase that takes a second to try would take most of this file's computing.
const { setPassphrase } = Encrypter.prototype
Encrypter.prototype.setPassphrase = function (text) {
  this.setScryptWorkFactor(4)
  setPassphrase.call(this, text)
}
afterAll(() => void (Encrypter.prototype.setPassphrase = setPassphrase))

const passphrase = 'trellis onion 7 marble quay'
const secret = 'in-the-data-folder-'.repeat(2)
const identity = await generateX25519Identity()
const recipients = [await identityToRecipient(identity)]

let folders = 0
/** A database with a data folder; `holds` is the secret in it. Unless it is `empty`, a Docket was started on it. */
const place = async ({ empty = false, holds = null as string | null } = {}) => {
  const database = await testDatabase({ empty })
  onTestFinished(database.drop)
  const dataDir = join(folder, `data-${(folders += 1)}`)
  await mkdir(dataDir)
  if (holds !== null) await (await readSecretsInFolder(dataDir)).keep?.(holds)
  // Ended each time, and under another name than a Docket's: a restore refuses a database that is in use.
  const query = async (text: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text, values).finally(() => client.end())
    return rows
  }
  return { query, dataDir, place: { databaseUrl: database.url, dataDir } }
}
type Place = Awaited<ReturnType<typeof place>>

/** A Docket whose secret is in its data folder, in which somebody has a second factor. */
const source = async ({ secondFactor = true } = {}) => {
  const opened = await place({ holds: secret })
  const known = computeCheckValue(secret, 'abcd')
  await opened.query(`insert into instance (id, name, secret_check) values (1, 'abcd', $1)`, [known])
  await opened.query(
    `with person as (insert into users (name, email, two_factor_enabled) values ('Ada', 'ada@example.com', $1) returning id)
     insert into two_factors (user_id, secret, backup_codes) select id, 'encrypted', 'encrypted' from person where $1`,
    [secondFactor],
  )
  return opened
}
const backUp = async ({ place: from }: Place, encryptTo: EncryptTo | null) => {
  const file = join(folder, `backup-${(folders += 1)}.tar`)
  const options = { docket: '1.2.3', now: Date.now, secretInFile: true }
  const manifest = await makeBackup({ place: from, file, encryptTo, ...options })
  return { file, paths: manifest.files.map(({ path }) => path) }
}
const restore = async (target: Place, file: string, openWith: OpenWith | null = null, withoutSecret = false) => {
  const secrets = await readSecretsInFolder(target.dataDir)
  return restoreBackup({ place: target.place, file, openWith, secrets, withoutSecret })
}
const readSecondFactors = async ({ query }: Place) =>
  (await query('select (select count(*)::int from two_factors) as kept, two_factor_enabled as asked from users'))[0]
const readTables = async ({ query }: Place) =>
  (await query(`select 1 from information_schema.tables where table_schema = 'public'`)).length

test.for<[string, EncryptTo, OpenWith]>([
  ['a passphrase', { passphrase }, { passphrase }],
  ['recipients', { recipients }, { identities: [identity] }],
])('a backup encrypted to %s shows nothing, and brings the secret back too', async ([, encryptTo, openWith]) => {
  const from = await source()
  const { file, paths } = await backUp(from, encryptTo)
  expect(paths).toContain('docket.secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const bytes = await readFile(file, 'latin1')
  expect(bytes).toMatch(/^age-encryption\.org\/v1\n/)
  expect(bytes).not.toMatch(/manifest|docket|example\.com/)
  expect(await readdir(from.dataDir)).toEqual(['docket.secret'])

  const target = await place({ holds: 'that-of-a-docket-started-here-before' })
  expect(await restore(target, file, openWith)).toMatchObject({ removedSecondFactors: 0 })
  expect(await readFile(locateSecretFile(target.dataDir), 'utf8')).toBe(`${secret}\n`)
  expect((await stat(locateSecretFile(target.dataDir))).mode & 0o777).toBe(0o600)
  expect(await readSecondFactors(target)).toEqual({ kept: 1, asked: true })
  // The one that was there may be the only copy.
  const aside = (await readdir(target.dataDir)).find((name) => name.includes('replaced'))!
  expect(await readFile(join(target.dataDir, aside), 'utf8')).toBe('that-of-a-docket-started-here-before\n')
})

test('a wrong passphrase, a wrong identity and a truncated or altered file are each refused with one readable error', async () => {
  const from = await source()
  const [byPhrase, byKey] = [await backUp(from, { passphrase }), await backUp(from, { recipients })]
  const target = await place({ empty: true })
  const refused = async (file: string, openWith: OpenWith | null, says: RegExp) => {
    await expect(restore(target, file, openWith)).rejects.toMatchObject({
      name: 'BackupRefused',
      message: expect.stringMatching(says),
    })
  }
  await refused(byPhrase.file, { passphrase: 'wrong' }, /^This passphrase does not open .*Nothing was changed\.$/)
  await refused(byPhrase.file, null, /is encrypted\. Name the --passphrase-file or --identity-file/)
  await refused(byKey.file, { passphrase }, /^This passphrase does not open/)
  await refused(byKey.file, { identities: [await generateX25519Identity()] }, /^This identity does not open/)
  await refused(byKey.file, { identities: ['AGE-SECRET-KEY-1'] }, /^Number 1 of the identities is not an age key/)
  await refused((await backUp(from, null)).file, { passphrase }, /is not encrypted/)
  const bytes = await readFile(byKey.file)
  const damaged = `${byKey.file}.damaged`
  const openWith = { identities: [identity] }
  for (const at of [30, 60, 120, 190, 230, bytes.length / 2, bytes.length - 1]) {
    const altered = Buffer.from(bytes)
    altered[Math.trunc(at)]! ^= 1
    await writeFile(damaged, altered)
    await refused(damaged, openWith, /cut off or altered|does not open/)
  }
  for (const length of [22, 100, 230, bytes.length / 2, bytes.length - 1]) {
    await writeFile(damaged, bytes.subarray(0, length))
    await refused(damaged, openWith, /cut off or altered/)
  }
  await expect(backUp(from, { recipients: [...recipients, 'age1nobody'] })).rejects.toThrow(
    /^Number 2 of the recipients/,
  )
  expect(await readTables(target)).toBe(0)
  expect(await readdir(target.dataDir)).toEqual([])
})

const hasAge = (() => {
  try {
    return execFileSync('age', ['--version']).length > 0
  } catch {
    return false
  }
})()
test.skipIf(!hasAge)('the age program decrypts an encrypted backup (skipped where age is not installed)', async () => {
  const { file } = await backUp(await source(), { recipients })
  const identityFile = join(folder, 'identity.txt')
  await writeFile(identityFile, `# mine\n${identity}\n`)
  const plain = `${file}.plain`
  await promisify(execFile)('age', ['-d', '-i', identityFile, '-o', plain, file])
  const { stdout } = await promisify(execFile)('tar', ['-tf', plain])
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['manifest.json', 'tables/users.copy.gz', 'data/docket.secret']),
  )
  // Without its encryption it is an ordinary backup.
  await restore(await place(), plain)
})

test('an unencrypted backup lacks the instance secret, and a restore without the secret fails with a remedy', async () => {
  const from = await source()
  await writeFile(locatePreviousSecretFile(from.dataDir), 'one before')
  const { file, paths } = await backUp(from, null)
  expect(paths).toEqual([])
  for (const holds of [null, 'another-secret-than-that-of-the-backup']) {
    const target = await place({ holds })
    const names = await readdir(target.dataDir)
    await expect(restore(target, file)).rejects.toThrow(
      /^The backup holds second factors \(1\).*--without-secret.*Nothing was restored/,
    )
    expect(await target.query('select 1 from users')).toEqual([])
    expect((await readdir(target.dataDir)).filter((name) => name !== 'docket.lock')).toEqual(names)
    expect(await restore(target, file, null, true)).toMatchObject({ removedSecondFactors: 1 })
    expect(await readSecondFactors(target)).toEqual({ kept: 0, asked: false })
    const rows = await target.query('select secret_check, action, target_name from instance, audit_events')
    expect(rows).toEqual([{ secret_check: null, action: 'user.second_factor_removed', target_name: 'Ada' }])
  }
  const right = await place({ holds: secret })
  expect(await restore(right, file)).toMatchObject({ removedSecondFactors: 0 })
  const set = await place()
  const options = { file, openWith: null, secrets: deriveSecrets(secret), withoutSecret: true }
  expect(await restoreBackup({ place: set.place, ...options })).toMatchObject({ removedSecondFactors: 0 })
  expect(await readSecondFactors(set)).toEqual({ kept: 1, asked: true })
})

test('a restore needs no instance secret when nobody has a second factor', async () => {
  const { file } = await backUp(await source({ secondFactor: false }), null)
  const target = await place()
  expect(await restore(target, file)).toMatchObject({ removedSecondFactors: 0 })
  expect(await target.query('select secret_check from instance')).toEqual([{ secret_check: null }])
})

test('a rotation writes a new secret beside the previous one, and never discards a secret that is still needed', async () => {
  const docket = await source()
  expect(await writeNewSecret(docket.place)).toBe(locatePreviousSecretFile(docket.dataDir))
  const { current, previous } = await readSecretsInFolder(docket.dataDir)
  expect([previous, current === secret]).toEqual([secret, false])
  // Docket has not started with it.
  await expect(writeNewSecret(docket.place)).rejects.toThrow('Start Docket with it once')
  await docket.query('update instance set secret_check = $1', [computeCheckValue(current!, 'abcd')])
  await expect(writeNewSecret(docket.place)).rejects.toThrow('still there from the last rotation')
  expect(await readSecretsInFolder(docket.dataDir)).toMatchObject({ current, previous })
  await rm(locatePreviousSecretFile(docket.dataDir))
  await writeNewSecret(docket.place)
  expect(await readSecretsInFolder(docket.dataDir)).toMatchObject({ previous: current })
})

test('a lost secret can be discarded only while no Docket uses the database', async () => {
  const docket = await source()
  const running = new Client({ connectionString: docket.place.databaseUrl, application_name: 'docket' })
  await running.connect()
  await expect(giveUpSecret(docket.place)).rejects.toThrow('Stop every Docket')
  await running.end()
  expect(await giveUpSecret(docket.place)).toBe(1)
  expect(await readSecondFactors(docket)).toEqual({ kept: 0, asked: false })
  await expect(giveUpSecret(docket.place)).rejects.toThrow('knows no secret')
})
