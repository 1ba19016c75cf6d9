import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { StorageFull } from '@docket/artifact-store/object-storage'
import { desc } from 'drizzle-orm'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { readBackup } from '#process/backup/sealed-file.ts'
import { createLog } from '#ground/log/log.ts'
import { testDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { backupRuns } from './backup-runs.table.ts'
import type { orderBackup } from './order-backup.ts'
import { createScheduledBackups } from './scheduled-backups.ts'

const place = async (recipient: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-scheduled-'))
  const database = await testDatabase()
  onTestFinished(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  let now = Date.parse('2026-05-01T02:59:00Z')
  let [hasRoom, isFull] = [true, false]
  const requested: string[] = []
  const storage = createDiskStorage(join(folder, 'target'))
  const open = (make?: typeof orderBackup) =>
    createScheduledBackups({
      db: database.db,
      backups: {
        cron: '0 3 * * *',
        timeZone: 'Europe/Berlin',
        keep: 2,
        kind: 'folder',
        target: {
          storage: {
            ...storage,
            put: (key, file) =>
              isFull
                ? Promise.reject(new StorageFull('It did not keep the bundle: it is full.'))
                : storage.put(key, file),
          },
          prefix: 'backups/',
        },
        order: {
          place: { databaseUrl: database.url, dataDir: join(folder, 'data') },
          docket: '1.2.3',
          encryptTo: { recipients: [recipient] },
          secretInFile: true,
        },
      },
      instance: { name: '0a1b2c3d' },
      disks: { hasRoom: () => hasRoom },
      request: (name) => Promise.resolve(void requested.push(name)),
      ...(make && { make }),
      now: () => now,
      log: createLog({ level: 'silent', destination: { write: () => {} } }),
    })
  const list = (name: string) => readdir(join(folder, name)).catch(() => [])
  return {
    folder,
    db: database.db,
    open,
    requested,
    list,
    pass: (ms: number) => void (now += ms),
    set: (room: boolean, full: boolean) => void ([hasRoom, isFull] = [room, full]),
  }
}

test('a scheduled backup runs in its own process, arrives encrypted and complete, and leaves no other files', async () => {
  const identity = await generateIdentity()
  const here = await place(await identityToRecipient(identity))
  const backups = here.open()
  expect(await backups.report()).toMatchObject({
    last: null,
    failure: null,
    schedule: { nextAt: '2026-05-02T01:00:00.000Z' },
  })
  await backups.works[0]!.run()
  const name = 'docket-backup-0a1b2c3d-20260501T025900Z.tar.age'
  expect(await here.list('target/backups')).toEqual([name])
  expect(await here.list('data')).toEqual([])
  const { manifest, entries } = await readBackup(join(here.folder, 'target/backups', name), { identities: [identity] })
  await entries.return(undefined)
  expect(manifest.tables.map((table) => table.name)).toContain('static_exports')
  expect(manifest.tables.map((table) => table.name)).not.toContain('backup_runs')
  const { last } = await backups.report()
  expect(last).toMatchObject({ name })
  expect(last!.sizeBytes).toBeGreaterThan(1_000)
})

test('the newest backups are kept, a failed backup removes none and records why, and other objects are never touched', async () => {
  const here = await place(await identityToRecipient(await generateIdentity()))
  const written: typeof orderBackup = async ({ file }) => {
    await writeFile(file, 'backup')
    return { reason: null }
  }
  const backups = here.open(written)
  const run = async () => {
    here.pass(86_400_000)
    await backups.works[0]!.run()
  }
  await run()
  const foreign = [
    'docket-backup-0a1b2c3d-20200101T000000Z.tar.age.txt',
    'docket-backup-ffffffff-20200101T000000Z.tar.age',
    'docket-backup-0a1b2c3d-mine.tar',
  ]
  for (const name of foreign) await writeFile(join(here.folder, 'target/backups', name), 'x')
  const ours = (...days: string[]) => days.map((day) => `docket-backup-0a1b2c3d-202605${day}T025900Z.tar.age`)
  await run()
  expect(await here.list('target/backups')).toEqual(expect.arrayContaining([...foreign, ...ours('02', '03')]))
  await run()
  const kept = new Set([...foreign, ...ours('03', '04')])
  expect(new Set(await here.list('target/backups'))).toEqual(kept)

  here.set(true, true)
  await expect(run()).rejects.toThrow()
  expect((await backups.report()).failure?.reason).toBe('It did not keep the backup: it is full.')
  here.set(false, false)
  await expect(run()).rejects.toThrow()
  expect((await backups.report()).failure?.reason).toContain('The disk is nearly full')
  await expect(here.open(() => Promise.resolve({ reason: 'No.' })).works[0]!.run()).rejects.toThrow('nearly full')
  expect(new Set(await here.list('target/backups'))).toEqual(kept)
  expect(await backups.measure(here.db)).toMatchObject({ failures: 2, last: { sizeBytes: 6 } })

  // A process was killed in the middle.
  here.set(true, false)
  await here.db.insert(backupRuns).values({ startedAt: new Date('2026-05-06T03:00:00Z') })
  expect((await backups.report()).runningSince).toBe('2026-05-06T03:00:00.000Z')
  await run()
  expect(await backups.report()).toMatchObject({ runningSince: null, failure: null, last: { name: ours('07')[0] } })

  await backups.request(testActor())
  expect(here.requested).toEqual(['backup'])
  const audited = await here.db.select().from(auditEvents).orderBy(desc(auditEvents.auditId))
  const rows = audited.map(
    ({ action, outcome, targetName }) => `${action} ${outcome} ${targetName?.slice(23, 31) ?? ''}`,
  )
  expect(rows.slice(0, 3)).toEqual(['backup.requested ok ', 'backup.removed ok 20260503', 'backup.made ok 20260507'])
  expect(rows.filter((row) => row.startsWith('backup.made failed'))).toHaveLength(3)
})

test('a database removes only backups that it has recorded, so a restore never causes the removal of others', async () => {
  const here = await place(await identityToRecipient(await generateIdentity()))
  const { works } = here.open(async ({ file }) => {
    await writeFile(file, 'backup')
    return { reason: null }
  })
  const run = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      here.pass(86_400_000)
      await works[0]!.run()
    }
  }
  await run(3)
  const before = await here.list('target/backups')
  expect(before).toHaveLength(2)
  // No backup contains the table.
  await here.db.delete(backupRuns)
  await run(4)
  const after = await here.list('target/backups')
  expect(after).toHaveLength(4)
  expect(after).toEqual(expect.arrayContaining(before))
  expect(await here.db.$count(backupRuns)).toBe(2)
})
