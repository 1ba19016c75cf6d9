import { readFile, writeFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { storeCopy } from '#bundles/retention/retention.ts'
import { reportStorage } from '#bundles/retention/storage-report.ts'
import { storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { insertExport } from '#testing/connections.ts'
import { sumText } from '#testing/artifact-kit.ts'
import { admin, siteKit } from '#testing/site-kit.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'

const kit = async (options: Parameters<typeof siteKit>[0] = {}) => {
  const made = await siteKit(options)
  onTestFinished(made.close)
  return made
}
const dayMs = 86_400_000

test('neither retention nor people can delete a bundle that a channel shows or may roll back to, until five more releases', async () => {
  const here = await kit({ perSite: 1, retentionDays: 1 })
  const old = Date.now() - 50 * dayMs
  const exports: string[] = []
  for (const [index, text] of ['[]a', '[]b', '[]c', '[]d', '[]e', '[]f', '[]g'].entries())
    exports.push(await here.completeAndStore(text, undefined, old + index))
  const [a, b] = exports as [string, string]
  await here.publish(a)
  // Only `latest` held the others, by its rule.
  await here.db.execute(
    sql`update releases set is_held = false where channel_id <> ${(await here.channelOf('production')).channelId}`,
  )
  await here.db.execute(sql`update artifacts set stored_at = clock_timestamp() - interval '9 days'`)
  expect((await here.read(a)).deletedAfter).toBeNull()
  expect((await here.read(b)).deletedAfter).not.toBeNull()
  const report = await reportStorage(here.ctx, { sort: 'newest', skip: 0, limit: 50 })
  const stored = (text: string) => report.items.find(({ sha256 }) => sha256 === sumText(text))!
  expect(stored('[]a')).toMatchObject({ heldBy: ['production of docs.example.com'], deletedAfter: null })
  expect(stored('[]b')).toMatchObject({ heldBy: [], deletedAfter: (await here.read(b)).deletedAfter })
  expect(stored('[]g').deletedAfter).toBeNull()
  expect(report.next.bundles).toBe(5)
  await here.cleanUp()
  expect([(await here.read(a)).state, (await here.read(b)).reason]).toEqual(['stored', 'retention'])
  const remove = (exportId: string) => here.deleteCopy(exportId, admin.actor)
  await expect(remove(a)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The channel production of docs.example.com shows this bundle. Publish another one first.',
  })

  // The export goes for good: its bundle stays for the channel, which goes on to show it.
  await here.db.delete(staticExports).where(sql`export_id = ${a}`)
  const forget = async () => {
    await here.cleanUp()
    await here.db
      .update(storedBundles)
      .set({ releasedAt: new Date(0) })
      .where(sql`released_at is not null`)
    await here.cleanUp()
    return (await here.files()).filter((name) => name.includes(sumText('[]a'))).length
  }
  expect(await forget()).toBe(4)
  const { items } = await reportStorage(here.ctx, { sort: 'newest', skip: 0, limit: 50 })
  expect(items.find(({ sha256 }) => sha256 === sumText('[]a'))).toMatchObject({ exports: [] })
  const newer: string[] = []
  for (const text of ['[]1', '[]2', '[]3', '[]4']) newer.push(await here.completeAndStore(text))
  for (const exportId of newer) await here.publish(exportId)
  expect(await forget()).toBe(4)
  await expect(remove(newer[0]!)).rejects.toThrow('can roll back to this bundle')
  const first = (await here.releasesOf('production')).at(-1)!
  expect(first).toMatchObject({ number: 1, isHeld: true, isListed: false })
  await here.rollBack('production', first.releaseId)
  expect((await here.channelOf('production')).current).toMatchObject({ number: 6, sha256: sumText('[]a') })
  for (const exportId of [newer[1]!, newer[2]!, newer[3]!, newer[1]!, newer[2]!]) await here.publish(exportId)
  expect(await forget()).toBe(0)
  expect((await here.releasesOf('production')).at(-1)).toMatchObject({ isHeld: false, sha256: sumText('[]a') })
})

test('the latest channel of a site from before an upgrade follows once, skips unchecked bundles, and recovers after a restore', async () => {
  const here = await kit({
    analyse: async ({ file, folder }) => {
      const bytes = await readFile(file)
      for (const name of ['site.zip', 'manifest.json.gz', 'report.json.gz']) await writeFile(`${folder}/${name}`, bytes)
      const checkUnfinished = bytes.toString().includes('slow') ? 'It took too long.' : null
      const facts = { ending: '.tar.gz', contentBytes: 1, files: 1, pages: 1, checkUnfinished, findings: [] }
      return { outcome: 'read', ...facts }
    },
  })
  const [a, b] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]b')]
  await here.completeAndStore('[]slow')
  const shown = async () => (await here.channelOf('latest')).current?.exportId ?? null
  expect(await shown()).toBe(b)
  // An export that is only taken off the list is no reason to go back.
  const list = (at: Date | null) =>
    here.db
      .update(staticExports)
      .set({ removedAt: at })
      .where(sql`export_id = ${b}`)
  await list(new Date())
  await here.follow((await here.siteOf()).siteId)
  expect(await shown()).toBe(b)
  await list(null)
  // As the migration leaves it.
  await here.db.execute(sql`update channels set current_release_id = null, last_number = 0, version = 0`)
  await here.db.execute(sql`delete from releases`)
  await here.ground.tick()
  expect([await shown(), (await here.releasesOf('latest')).map(({ by, kind }) => [by, kind])]).toEqual([
    b,
    [['Docket', 'rule']],
  ])
  await here.ground.tick()
  expect(await here.releasesOf('latest')).toHaveLength(1)

  // A restore without bundles, then somebody stores one again.
  await here.publish(a)
  await here.db.execute(sql`update artifacts set state = 'not_stored', sha256 = null, stored_at = null`)
  await here.db.execute(sql`delete from stored_bundles`)
  expect((await here.channelOf('production')).current).toMatchObject({ exportId: a, isHeld: false })
  await storeCopy(here.ctx, a, admin.actor)
  await here.store(a)
  expect((await here.channelOf('production')).current).toMatchObject({ exportId: a, isHeld: true })
  expect(await shown()).toBe(a)
})

test('an export has no site until an artifact of that site exists', async () => {
  const here = await kit()
  const exportId = crypto.randomUUID()
  await insertExport(here.db, { exportId, domain: 'new.example.com' })
  await expect(here.siteOfExport(exportId)).rejects.toMatchObject({ code: 'not_found' })
})
