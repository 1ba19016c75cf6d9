import { cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecideOnStore } from '@docket/api-types/storage'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { keepCopy, storeCopy } from '#bundles/retention/retention.ts'
import { reportStorage } from '#bundles/retention/storage-report.ts'
import { decideOnStore } from '#bundles/shared-store/orphans.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { storedBundles, stores } from '#bundles/artifacts/artifacts.table.ts'
import { artifactKit, sumText } from '#testing/artifact-kit.ts'
import { testDatabase } from '#testing/database.ts'
import { admin, siteKit } from '#testing/site-kit.ts'

/** Does something twice, as a second run or click does. */
const twice = async (run: () => Promise<unknown>) => {
  await run()
  await run()
}

const kit = async (options: Parameters<typeof siteKit>[0] = {}) => {
  const made = await siteKit(options)
  onTestFinished(made.close)
  const root = join(made.folder, 'artifacts', 'sha256')
  return {
    ...made,
    root,
    /** Bundles whose objects are in the store. */
    inStore: async () => (await readdir(root).catch((): string[] => [])).toSorted(),
    /** Puts whole bundles into the store that the database does not know. */
    plant: async (...texts: string[]) => {
      for (const text of texts) {
        const folder = join(root, sumText(text))
        await mkdir(folder, { recursive: true })
        for (const name of ['bundle', 'site.zip', 'manifest.json.gz', 'report.json.gz'])
          await writeFile(join(folder, name), text)
      }
    },
    /** Lets orphans wait for days. */
    pass: (days: number) =>
      made.db.execute(
        sql`update stored_bundles set stored_at = stored_at - ${days} * interval '1 day' where state = 'found'`,
      ),
    recovery: async () => (await reportStorage(made.ctx, { sort: 'newest', skip: 0, limit: 200 })).recovery!,
    decide: (asked: DecideOnStore) => decideOnStore(made.ctx, asked, admin.actor),
  }
}
const texts = (count: number) => Array.from({ length: count }, (_, index) => `[]${index}`)
const sums = (...some: string[]) => some.map(sumText).toSorted()

/** A store with so many bundles that one more is less than a twentieth of it, and two are more. */
const filledKit = async () => {
  const here = await kit()
  for (const text of texts(20)) await here.completeAndStore(text)
  return here
}

test('objects without a row are kept for seven days after the database first saw them, and fourteen after a restore', async () => {
  const here = await filledKit()
  for (const [isRestored, days] of [
    [false, 7],
    [true, 14],
  ] as const) {
    if (isRestored) await here.db.update(stores).set({ restoredAt: new Date() })
    await here.plant('[]x')
    await here.sweep()
    await here.pass(days - 1)
    await here.sweep()
    expect(await here.inStore()).toHaveLength(21)
    const { orphans, ...counts } = await here.recovery()
    expect(counts).toEqual({ store: 'known', bundles: 1, bytes: 12, missing: 0 })
    expect(orphans).toMatchObject([{ sha256: sumText('[]x'), bytes: 12 }])
    const waitMs = Date.parse(orphans[0]!.removedAfter!) - Date.now()
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThan(86_400_000)
    await here.pass(1)
    await here.sweep()
    expect(await here.inStore()).toEqual(sums(...texts(20)))
  }
})

test('orphans that make up over a twentieth of a store, by count or bytes, are removed only when an admin confirms', async () => {
  const here = await filledKit()
  const large = `[]${' '.repeat(1_000)}`
  const removed: { bundles: number; bytes: number }[] = []
  for (const orphans of [['[] one', '[] two'], [large]]) {
    await here.plant(...orphans)
    await here.sweep()
    await here.pass(400)
    await here.sweep()
    expect(await here.inStore()).toHaveLength(20 + orphans.length)
    const { bundles, bytes, orphans: listed } = await here.recovery()
    expect(listed.map(({ removedAfter }) => removedAfter)).toEqual(orphans.map(() => null))
    // What came meanwhile is not removed with it.
    await expect(here.decide({ decision: 'remove', bundles: bundles + 1, bytes })).rejects.toMatchObject({
      code: 'conflict',
    })
    await twice(() => here.decide({ decision: 'remove', bundles, bytes }))
    await here.sweep()
    expect(await here.inStore()).toEqual(sums(...texts(20)))
    removed.push({ bundles, bytes })
    const audited = await here.db.select().from(auditEvents).orderBy(auditEvents.auditId)
    expect(audited.filter(({ action }) => action === 'store.orphans_removed')).toMatchObject(
      removed.map((details) => ({ actorName: 'Ada', details })),
    )
  }
})

test('a database that does not know its store removes nothing before an admin decides, and nothing if told to leave it', async () => {
  const before = await kit()
  for (const text of texts(3)) await before.completeAndStore(text)
  const { folder } = before
  const here = await kit({ folder, database: await fresh() })
  const own = await here.completeAndStore('[] own')
  await here.sweep()
  await here.pass(400)
  await twice(() => here.cleanUp())
  expect(await here.inStore()).toEqual(sums(...texts(3), '[] own'))
  expect(await here.recovery()).toMatchObject({ store: 'unknown', bundles: 3 })
  expect((await here.read(own)).state).toBe('stored')
  // Another start asks again.
  const again = await kit({ folder, database: here.database })
  await again.adopt()
  expect(await again.recovery()).toMatchObject({ store: 'unknown', bundles: 3 })

  await twice(() => again.decide({ decision: 'leave' }))
  await again.deleteCopy(own, admin.actor)
  await here.db
    .update(storedBundles)
    .set({ releasedAt: new Date(0) })
    .where(sql`released_at is not null`)
  await again.sweep()
  expect(await again.inStore()).toEqual(sums(...texts(3)))
  const { store, orphans } = await again.recovery()
  expect([store, orphans.map(({ removedAfter }) => removedAfter)]).toEqual(['left', [null, null, null]])
  const audited = await here.db.select().from(auditEvents)
  expect(audited.filter(({ action }) => action === 'store.left')).toHaveLength(1)
})

const fresh = async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  return database
}

test('adopted bundles are verified, listed and kept, while damaged ones are not adopted and stay orphans', async () => {
  const here = await kit()
  await here.plant('[] first', '[] second', '[] damaged', '[] cut')
  await writeFile(join(here.root, sumText('[] damaged'), 'bundle'), '[] altered')
  await rm(join(here.root, sumText('[] cut'), 'site.zip'))
  await here.sweep()
  await here.decide({ decision: 'adopt' })
  expect(here.requested).toContain('store')
  expect(await here.recovery()).toMatchObject({ store: 'adopting', bundles: 4 })
  await here.adopt()
  const report = await reportStorage(here.ctx, { sort: 'newest', skip: 0, limit: 50 })
  expect(report.items.map(({ sha256 }) => sha256).toSorted()).toEqual(sums('[] first', '[] second'))
  expect(report.items.map(({ deletedAfter, exports }) => [deletedAfter, exports])).toEqual([
    [null, []],
    [null, []],
  ])
  // Nothing uses the adopted ones, and only a click removes them.
  expect(report.recovery).toMatchObject({ store: 'known', bundles: 4 })
  await here.pass(400)
  await twice(() => here.cleanUp())
  expect(await here.inStore()).toHaveLength(4)
  // Storing the same bytes again reads nothing anew.
  const exportId = await here.completeAndStore('[] first')
  expect(await here.read(exportId)).toMatchObject({ state: 'stored', pages: 1, sizeBytes: 8 })
  expect(await here.recovery()).toMatchObject({ bundles: 3 })
})

test('a bundle lost by the store is missing for its exports and channels, and is restored with all its data when it reappears', async () => {
  const here = await kit()
  const [shown, kept] = [await here.completeAndStore('[] shown'), await here.completeAndStore('[] kept')]
  await here.publish(shown)
  await keepCopy(here.ctx, kept, { kept: true, by: admin.actor })
  const { key } = await here.channelOf('latest')
  const away = join(here.folder, 'away')
  await cp(here.root, away, { recursive: true })
  await rm(here.root, { recursive: true })
  await here.sweep()
  for (const exportId of [shown, kept])
    expect(await here.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'not_restored' })
  expect(await here.recovery()).toMatchObject({ bundles: 0, missing: 2 })
  for (const name of ['production', 'latest'])
    expect((await here.channelOf(name)).current).toMatchObject({ isHeld: false, isMissing: true })
  // A channel that follows exports waits for its bundle.
  await here.follow(key.siteId)
  expect((await here.channelOf('latest')).current).toMatchObject({ exportId: kept, number: 2 })
  await twice(() => here.cleanUp())

  await cp(away, here.root, { recursive: true })
  await Promise.all([here.adopt(), here.adopt()])
  expect(await here.read(shown)).toMatchObject({ state: 'stored', sha256: sumText('[] shown') })
  expect(await here.read(kept)).toMatchObject({ state: 'stored', kept: true })
  for (const name of ['production', 'latest'])
    expect((await here.channelOf(name)).current).toMatchObject({ isHeld: true, isMissing: false })
  expect(await here.recovery()).toMatchObject({ bundles: 0, missing: 0 })
  expect(await here.releasesOf('latest')).toHaveLength(2)
})

test('storing a missing bundle again restores it for every export and channel that refers to it', async () => {
  const here = await kit()
  const [one, two] = [await here.completeAndStore('[] same'), await here.completeAndStore('[] same')]
  await here.publish(one)
  await rm(here.root, { recursive: true })
  await here.sweep()
  await storeCopy(here.ctx, two, admin.actor)
  await here.store(two)
  for (const exportId of [one, two]) expect((await here.read(exportId)).state).toBe('stored')
  expect((await here.channelOf('production')).current).toMatchObject({ isHeld: true, isMissing: false })
})

test('a database that an earlier version restored gets its bundles back, beginning with those that channels show', async () => {
  const read: string[] = []
  let full = Promise.withResolvers<void>()
  full.resolve()
  const here = await kit({
    wrap: (storage) => ({
      ...storage,
      // The first four wait for each other, so that none of them is done before all have begun.
      read: async (key, range) => {
        if (key.endsWith('/bundle') && read.push(key.slice(7, 71)) === 4) full.resolve()
        await full.promise
        return storage.read(key, range)
      },
    }),
  })
  const exports: string[] = []
  for (const text of texts(12)) exports.push(await here.completeAndStore(text))
  await here.publish(exports[2]!)
  await here.publish(exports[4]!)
  // As it marked them.
  await here.db.execute(
    sql`update artifacts set state = 'not_stored', reason = 'not_restored', sha256 = null, stored_at = null, kept = false`,
  )
  await here.db.execute(sql`delete from stored_bundles`)
  await here.sweep()
  expect(await here.inStore()).toHaveLength(12)
  read.length = 0
  full = Promise.withResolvers()
  await here.adopt()
  expect(read.slice(0, 4)).toEqual(expect.arrayContaining(['[]4', '[]11'].map(sumText)))
  for (const exportId of exports) expect((await here.read(exportId)).state).toBe('stored')
  for (const name of ['production', 'latest'])
    for (const release of await here.releasesOf(name)) expect(release).toMatchObject({ isMissing: false })
  expect(await here.recovery()).toMatchObject({ bundles: 0, missing: 0 })
})

test('a bundle whose writing process died is missing for its exports, and its objects do not count as orphans', async () => {
  const here = await kit()
  const exportId = await here.completeAndStore('[] shown')
  await here.publish(exportId)
  await here.db.update(storedBundles).set({ state: 'writing', writer: crypto.randomUUID() })
  await here.sweep()
  await here.adopt()
  expect((await here.channelOf('production')).current).toMatchObject({ isHeld: true, isMissing: false })
  expect(await here.inStore()).toEqual(sums('[] shown'))
})

test('retention deletes nothing in the first fourteen days after a restore', async () => {
  const here = await artifactKit({ perSite: 1, retentionDays: 1 })
  onTestFinished(here.close)
  const [old] = [await here.completeAndStore('[]a', undefined, 1), await here.completeAndStore('[]b')]
  await here.db.execute(sql`update artifacts set stored_at = now() - interval '9 days'`)
  await here.db.update(stores).set({ restoredAt: sql`now() - interval '13 days'` })
  await here.cleanUp()
  expect((await here.read(old)).state).toBe('stored')
  await here.db.update(stores).set({ restoredAt: sql`now() - interval '15 days'` })
  await here.cleanUp()
  expect(await here.read(old)).toMatchObject({ state: 'not_stored', reason: 'retention' })
})

test('an upload without a row stays for fourteen days, because the database may be younger than the upload', async () => {
  const here = await kit()
  const stored = await here.completeAndStore('[] stored')
  const uploads = join(here.folder, 'artifact-staging', 'uploads')
  const [young, old] = [crypto.randomUUID(), crypto.randomUUID()]
  await mkdir(uploads, { recursive: true })
  for (const [name, days] of [
    [stored, 0],
    [young, 13],
    [old, 15],
  ] as const) {
    await writeFile(join(uploads, name), '[]')
    const at = new Date(Date.now() - days * 86_400_000)
    await utimes(join(uploads, name), at, at)
  }
  await here.sweep()
  expect(await readdir(uploads)).toEqual([young])
})
