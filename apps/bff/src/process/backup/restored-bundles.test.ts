import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { keepCopy } from '#bundles/retention/retention.ts'
import { reportStorage } from '#bundles/retention/storage-report.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import type { RestoreStore } from './restored-bundles.ts'
import { filledDatabase, testDatabase } from '#testing/database.ts'
import { sumText } from '#testing/artifact-kit.ts'
import { admin, siteKit } from '#testing/site-kit.ts'

/** Does something twice, as a second run or click does. */
const twice = async (run: () => Promise<unknown>) => {
  await run()
  await run()
}

const secrets = { current: null, previous: null, from: '', keep: null } as never

const original = await mkdtemp(join(tmpdir(), 'docket-restored-bundles-'))
const exports: string[] = []
const filled = await filledDatabase(async (database) => {
  const source = await siteKit({ database, folder: original })
  for (const text of ['[] first', '[] second', '[] kept']) exports.push(await source.completeAndStore(text))
  for (const exportId of exports.slice(0, 2)) await source.publish(exportId)
  await keepCopy(source.ctx, exports[2]!, { kept: true, by: admin.actor })
})
afterAll(() => Promise.all([filled.drop(), rm(original, { recursive: true })]))

/** A Docket with two published bundles and one that its owner keeps. */
const published = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-restored-bundles-'))
  await cp(original, join(folder, 'source'), { recursive: true })
  const source = await siteKit({ database: await filled.copy(), folder: join(folder, 'source') })
  onTestFinished(async () => {
    await source.database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return { source, folder }
}

/** A backup of it that does not include its bundles. */
const backedUp = async (settings?: Record<string, string>, docket?: Awaited<ReturnType<typeof published>>) => {
  const { source, folder } = docket ?? (await published())
  const store = join(folder, 'source', 'artifacts')
  const file = join(folder, `${crypto.randomUUID()}.tar`)
  const place = { databaseUrl: source.database.url, dataDir: join(folder, 'source') }
  const plain = { docket: '1.2.3', now: Date.now, encryptTo: null, secretInFile: true }
  const manifest = await makeBackup({ place, file, ...plain, ...(settings && { store: settings }) })

  /** Restores into the database of a Docket that was only started, and a new data folder. */
  const restore = async (chosen: Partial<RestoreStore> = {}, dataDir = join(folder, crypto.randomUUID())) => {
    const database = await testDatabase()
    onTestFinished(database.drop)
    const restored = await restoreBackup({
      place: { databaseUrl: database.url, dataDir },
      file,
      openWith: null,
      secrets,
      withoutSecret: true,
      store: { storage: createDiskStorage(store), settings: settings ?? {}, withoutStore: false, ...chosen },
    })
    return { ...restored, database, dataDir }
  }
  return { source, folder, store, manifest, restore, exports, kept: exports[2]! }
}
type Restored = Awaited<ReturnType<Awaited<ReturnType<typeof backedUp>>['restore']>>

/** A Docket on a restored database, whose store is `artifacts` below `folder`. */
const startOn = ({ database }: Restored, folder: string) => siteKit({ database, folder })

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

test('a restore keeps every row whose objects are in the store, and Docket removes none of them afterwards', async () => {
  const here = await backedUp({ ARTIFACT_STORE_DIR: '/mnt/store' })
  // After the backup, which does not know it.
  const later = await here.source.completeAndStore('[] later')
  expect((await here.source.read(later)).state).toBe('stored')
  const files = await listFiles(here.store)
  const restored = await here.restore()
  expect(restored).toMatchObject({ storedBundles: 3, missingBundles: 0, replaced: [] })
  const docket = await startOn(restored, join(here.folder, 'source'))
  await docket.adopt()
  for (const exportId of here.exports) expect((await docket.read(exportId)).state).toBe('stored')
  expect((await docket.read(here.kept)).kept).toBe(true)
  for (const name of ['production', 'latest'])
    for (const release of await docket.releasesOf(name))
      expect(release).toMatchObject({ isHeld: true, isMissing: false })
  await docket.db.execute(sql`update artifacts set stored_at = 'epoch'`)
  await docket.db.execute(
    sql`update stored_bundles set stored_at = stored_at - interval '13 days' where state = 'found'`,
  )
  await twice(() => docket.cleanUp())
  expect(await listFiles(here.store)).toBe(files)
  const { recovery } = await reportStorage(docket.ctx, { sort: 'newest', skip: 0, limit: 50 })
  expect(recovery).toMatchObject({ store: 'known', missing: 0, orphans: [{ sha256: sumText('[] later') }] })
})

test('a bundle that was unreferenced, being deleted or half written at the backup is not removed after a restore', async () => {
  const here = await backedUp()
  const states = ['stored', 'deleting', 'writing'] as const
  for (const state of states) {
    const exportId = await here.source.completeAndStore(`[] ${state}`)
    await here.source.db.execute(sql`update releases set is_held = false where export_id = ${exportId}`)
    await here.source.db.execute(sql`delete from artifacts where export_id = ${exportId}`)
    await here.source.db
      .execute(sql`update stored_bundles set state = ${state}, released_at = 'epoch', writer = ${crypto.randomUUID()}
      where sha256 = ${sumText(`[] ${state}`)}`)
  }
  const file = join(here.folder, 'second.tar')
  const place = { databaseUrl: here.source.database.url, dataDir: here.source.folder }
  await makeBackup({ place, file, docket: '1.2.3', now: Date.now, encryptTo: null, secretInFile: true })
  const database = await testDatabase()
  onTestFinished(database.drop)
  await restoreBackup({
    place: { databaseUrl: database.url, dataDir: join(here.folder, 'new') },
    file,
    openWith: null,
    secrets,
    withoutSecret: true,
    store: { storage: createDiskStorage(here.store), settings: {}, withoutStore: false },
  })
  const docket = await siteKit({ database, folder: here.source.folder })
  await twice(() => docket.cleanUp())
  for (const state of states) expect(await readdir(join(here.store, 'sha256'))).toContain(sumText(`[] ${state}`))
})

test('a restore reports how many bundles the store lacks, and Docket recovers them once their objects reappear', async () => {
  const here = await backedUp()
  const away = join(here.folder, 'away')
  await cp(here.store, away, { recursive: true })
  await rm(join(here.store, 'sha256', sumText('[] second')), { recursive: true })
  const restored = await here.restore()
  expect(restored).toMatchObject({ storedBundles: 2, missingBundles: 1 })
  const docket = await startOn(restored, here.source.folder)
  expect((await docket.channelOf('production')).current).toMatchObject({ isHeld: false, isMissing: true })
  expect((await docket.channelOf('production')).addressProblem).toContain('missing from the store')
  await docket.cleanUp()
  await cp(away, here.store, { recursive: true })
  await docket.sweep()
  expect(docket.requested).toContain('store')
  await docket.adopt()
  expect((await docket.channelOf('production')).current).toMatchObject({ isHeld: true, isMissing: false })
  for (const exportId of here.exports) expect((await docket.read(exportId)).state).toBe('stored')
})

test('a restore without the settings of the store names the missing settings and restores nothing', async () => {
  const docket = await published()
  for (const [settings, words] of [
    [{ ARTIFACT_STORE_DIR: '/mnt/store' }, ['ARTIFACT_STORE_DIR=/mnt/store', '--without-store']],
    [
      { ARTIFACT_S3_BUCKET: 'docs', ARTIFACT_S3_ENDPOINT: 'https://s3.example.com', ARTIFACT_S3_REGION: 'eu' },
      ['ARTIFACT_S3_BUCKET=docs', 'ARTIFACT_S3_ENDPOINT=https://s3.example.com', 'ARTIFACT_S3_SECRET_ACCESS_KEY'],
    ],
  ] as const) {
    const here = await backedUp(settings, docket)
    expect(here.manifest.store).toMatchObject({ id: expect.any(String), settings })
    const empty = { storage: createDiskStorage(join(here.folder, crypto.randomUUID())), settings: {} }
    const refused = await here.restore(empty).then(
      () => '',
      (error: Error) => error.message,
    )
    for (const word of words) expect(refused).toContain(word)
    if ('ARTIFACT_STORE_DIR' in settings) continue
    // Its marker says that the store has only moved.
    const moved = { ...empty, storage: createDiskStorage(here.store) }
    expect(await here.restore(moved)).toMatchObject({ storedBundles: 3, missingBundles: 0 })
    expect(await here.restore({ ...empty, withoutStore: true })).toMatchObject({ storedBundles: 0, missingBundles: 3 })
  }
})

test('a restore keeps files that survived in the data folder beside the restored ones', async () => {
  const here = await backedUp()
  const code = (dataDir: string) => join(dataDir, 'local-admin-api', 'code-host', 'docs.git', 'config')
  const write = async (dataDir: string, text: string) => {
    await mkdir(join(code(dataDir), '..'), { recursive: true })
    await writeFile(code(dataDir), text)
  }
  await write(here.source.folder, 'backed up')
  // The embedded service keeps its bundles in the same store.
  await mkdir(join(here.store, 'embedded', 'job-1'), { recursive: true })
  for (const name of ['.docket-storage', 'job-1/bundle.tar.gz'])
    await writeFile(join(here.store, 'embedded', name), 'x')
  const file = join(here.folder, 'with-code.tar')
  const place = { databaseUrl: here.source.database.url, dataDir: here.source.folder }
  const plain = { docket: '1.2.3', now: Date.now, encryptTo: null, secretInFile: true }
  await makeBackup({ place, file, ...plain, artifacts: here.store })
  const dataDir = join(here.folder, 'survivor')
  await write(dataDir, 'newer')
  await cp(join(here.store, 'sha256', sumText('[] kept')), join(dataDir, 'artifacts', 'sha256', 'f'.repeat(64)), {
    recursive: true,
  })
  const database = await testDatabase()
  onTestFinished(database.drop)
  const restored = await restoreBackup({
    place: { databaseUrl: database.url, dataDir },
    file,
    openWith: null,
    secrets,
    withoutSecret: true,
  })
  expect(restored).toMatchObject({ storedBundles: 3, missingBundles: 0 })
  const [replaced] = restored.replaced
  expect(await readFile(code(dataDir), 'utf8')).toBe('backed up')
  const kept = code(dataDir).replace('/local-admin-api/', `/${replaced!}/`)
  expect(await readFile(kept, 'utf8')).toBe('newer')
  expect(await readdir(join(dataDir, 'artifacts', 'sha256'))).toHaveLength(4)
  expect(await readdir(join(dataDir, 'artifacts', 'embedded', 'job-1'))).toEqual(['bundle.tar.gz'])
  // The next backup has no use for it.
  const { files } = await makeBackup({ place: { databaseUrl: database.url, dataDir }, file: `${file}2`, ...plain })
  expect(files.filter(({ path }) => path.includes('replaced'))).toEqual([])
})
