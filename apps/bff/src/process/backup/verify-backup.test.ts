import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeBackup } from '#process/backup/make-backup.ts'
import { verifyBackup } from '#process/backup/verify-backup.ts'
import { testDatabase } from '#testing/database.ts'
import { seedRecords } from '#testing/seed-records.ts'

const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('docket-verify.'))

test('a backup is verified by a restore that compares all rows and files and leaves nothing behind, even if interrupted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-verified-'))
  const source = await testDatabase()
  onTestFinished(async () => {
    await source.drop()
    await rm(folder, { recursive: true })
  })
  await seedRecords(source.db, { exports: 50, jobs: 5, now: Date.now() })
  const dataDir = join(folder, 'data')
  await mkdir(join(dataDir, 'local-admin-api'), { recursive: true })
  await writeFile(join(dataDir, 'local-admin-api', 'job.json'), 'content')
  const left = 'docket-verify.999999.left'
  await mkdir(join(tmpdir(), left), { recursive: true })
  const file = join(folder, 'backup.tar')
  const place = { databaseUrl: source.url, dataDir }
  const made = await makeBackup({ place, file, docket: '1', now: Date.now, encryptTo: null, secretInFile: true })
  const before = (await leftovers()).filter((name) => name !== left)
  const signal = new AbortController().signal
  const verified = await verifyBackup({ file, openWith: null, signal })
  expect(verified).toEqual({ manifest: made, applied: 0 })
  expect(made.files.map(({ path }) => path)).toContain('local-admin-api/job.json')

  const stopping = new AbortController()
  const interrupted = verifyBackup({ file, openWith: null, signal: stopping.signal })
  await expect.poll(leftovers, { interval: 20, timeout: 10_000 }).not.toEqual(before)
  stopping.abort()
  await expect(interrupted).rejects.toThrow()
  expect(await leftovers()).toEqual(before)
})
