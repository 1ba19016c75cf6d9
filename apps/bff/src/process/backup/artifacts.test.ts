import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { storeCopy } from '#bundles/retention/retention.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { testDatabase } from '#testing/database.ts'
import { artifactKit, sumText } from '#testing/artifact-kit.ts'
import { siteKit } from '#testing/site-kit.ts'
import { signedIn } from '#testing/people.ts'

const scratch = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-artifacts-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a backup with stored bundles restores their bytes; after one without, each export shows that its bundle was not restored', async () => {
  const source = await siteKit()
  onTestFinished(source.close)
  const exportId = await source.completeAndStore('[] kept')
  await source.publish(exportId)
  const { channelId } = await source.channelOf('production')
  await source.db.execute(sql`insert into proposals (channel_id, export_id, sha256, asked_by_id, asked_by, asked_at)
    values (${channelId}, ${exportId}, ${sumText('[] kept')}, 'a', 'Ada', now())`)
  for (const withBytes of [true, false]) {
    const folder = await scratch()
    const file = join(folder, 'backup.tar')
    const place = { databaseUrl: source.database.url, dataDir: source.folder }
    const artifacts = withBytes ? join(source.folder, 'artifacts') : null
    const options = { docket: '1.2.3', now: Date.now, encryptTo: null, secretInFile: true }
    const manifest = await makeBackup({ place, file, ...options, artifacts })
    expect(manifest.files.filter(({ path }) => path.startsWith('artifacts/'))).toHaveLength(withBytes ? 5 : 0)

    const database = await testDatabase()
    onTestFinished(database.drop)
    const dataDir = join(folder, 'data')
    const secrets = { current: null, previous: null, from: '', keep: null } as never
    const restored = await restoreBackup({
      place: {
        databaseUrl: database.url,
        dataDir,
      },
      file,
      openWith: null,
      secrets,
      withoutSecret: true,
    })
    expect(restored.missingBundles).toBe(withBytes ? 0 : 1)
    const here = await siteKit({ database, folder: dataDir })
    // Channels come back as they were, and go back to nothing that is not there.
    for (const name of ['production', 'latest'])
      expect(await here.channelOf(name)).toMatchObject({
        version: 1,
        current: { exportId, sha256: sumText('[] kept'), isHeld: withBytes },
      })
    expect((await here.siteOf()).channels).toHaveLength(2)
    expect(await here.read(exportId)).toMatchObject(
      withBytes
        ? { state: 'stored', sha256: sumText('[] kept') }
        : { state: 'not_stored', reason: 'not_restored', sha256: null },
    )
    // The clean-up finds nothing to remove, and nothing that is missing.
    await here.cleanUp()
    const stored = (await here.files()).filter((name) => name.startsWith('artifacts/'))
    expect(stored).toHaveLength(withBytes ? 4 : 0)
  }
})

test('a backup made during an open preview can be restored, and the preview ends with its session', async () => {
  const source = await artifactKit()
  onTestFinished(source.close)
  const exportId = await source.completeAndStore('[] kept')
  const { sessionId } = await signedIn(source.db, 'viewer')
  await source.db.execute(sql`
    insert into previews (export_id, sha256, session_id, isolation, framed_by, page, ticket_hash, ticket_expires_at, created_at, expires_at)
    values (${exportId}, ${sumText('[] kept')}, ${sessionId}, 'sandbox', 'http://127.0.0.1', '/', 'a ticket', now() + interval '1 minute', now(), now() + interval '1 minute')`)
  const folder = await scratch()
  const file = join(folder, 'backup.tar')
  const place = { databaseUrl: source.database.url, dataDir: source.folder }
  await makeBackup({ place, file, docket: '1.2.3', now: Date.now, encryptTo: null, secretInFile: true })

  const database = await testDatabase()
  onTestFinished(database.drop)
  const secrets = { current: null, previous: null, from: '', keep: null } as never
  const target = { databaseUrl: database.url, dataDir: join(folder, 'data') }
  await restoreBackup({ place: target, file, openWith: null, secrets, withoutSecret: true })
  expect((await database.db.execute(sql`select * from previews`)).rows).toEqual([])
})

test('after an upgrade from a version without stored bundles, exports are unchanged and no bundle is requested', async () => {
  const database = await testDatabase({ empty: true })
  onTestFinished(database.drop)
  await migrateDatabase({ connectionString: database.url }, { only: 13 })
  const exportId = crypto.randomUUID()
  const add = (id: string) =>
    database.db.execute(sql`insert into static_exports (export_id, domain, state, job_id, started_at, finished_at)
      values (${id}, 'docs.example.com', 'completed', ${id}, now(), now())`)
  await add(exportId)
  await migrateDatabase({ connectionString: database.url })
  const here = await artifactKit({ database })
  onTestFinished(() => rm(here.folder, { recursive: true, force: true }))
  // A replica of the version before completes another one meanwhile.
  const beside = crypto.randomUUID()
  await add(beside)
  await here.services.tick()
  expect(here.requested).toEqual([])
  for (const id of [exportId, beside])
    expect(await here.read(id)).toMatchObject({ state: 'not_stored', reason: 'not_asked' })
  here.bundles.set(beside, '[]')
  const by = { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null } as const
  await storeCopy(here.ctx, beside, by)
  await here.store(beside)
  expect((await here.read(beside)).state).toBe('stored')
})
