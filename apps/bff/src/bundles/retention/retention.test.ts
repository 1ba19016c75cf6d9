import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { keepCopy } from './retention.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { artifactKit, sumText } from '#testing/artifact-kit.ts'

const dayMs = 86_400_000
const by = { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null } as const

const kit = async (options: Parameters<typeof artifactKit>[0] = {}) => {
  const made = await artifactKit(options)
  onTestFinished(made.close)
  /** Lets the time pass that readers have. */
  const passGrace = () =>
    made.db
      .update(storedBundles)
      .set({ releasedAt: new Date(0) })
      .where(sql`released_at is not null`)
  return { ...made, passGrace }
}

test('retention deletes copies that are too old and not among the newest of their site, except those marked as kept', async () => {
  const here = await kit({ perSite: 2, retentionDays: 10 })
  const now = Date.now()
  const texts = ['[]a', '[]b', '[]c', '[]d', '[]e']
  const [old, kept, young, ...newest] = [
    await here.completeAndStore('[]a', undefined, now - 50 * dayMs),
    await here.completeAndStore('[]b', undefined, now - 40 * dayMs),
    await here.completeAndStore('[]c', undefined, now - 30 * dayMs),
    await here.completeAndStore('[]d', undefined, now - 20 * dayMs),
    await here.completeAndStore('[]e', undefined, now - 15 * dayMs),
  ] as const
  const other = await here.completeAndStore('[]f', 'other.example.com', now - 90 * dayMs)
  const aged = [old, kept, ...newest, other]
  await here.db.execute(
    sql`update artifacts set stored_at = clock_timestamp() - interval '11 days' where export_id = any(${sql.param(aged)}::uuid[])`,
  )
  await keepCopy(here.ctx, kept, { kept: true, by: by })
  expect((await here.read(old)).deletedAfter).not.toBeNull()
  expect((await here.read(young)).deletedAfter).not.toBeNull()
  for (const exportId of [kept, ...newest, other]) expect((await here.read(exportId)).deletedAfter).toBeNull()

  await here.cleanUp()
  expect(await here.read(old)).toMatchObject({ state: 'not_stored', reason: 'retention' })
  for (const exportId of [kept, young, ...newest, other]) expect((await here.read(exportId)).state).toBe('stored')
  expect((await here.history(old)).map(({ kind, by: person }) => [kind, person])).toEqual([
    ['bundle_stored', null],
    ['bundle_deleted', null],
  ])
  // Its bytes stay for whoever reads them now.
  expect(await here.files()).toHaveLength(6 * 4)
  await here.passGrace()
  await here.cleanUp()
  const files = await here.files()
  expect(files).toHaveLength(5 * 4)
  expect(files.join()).not.toContain(sumText(texts[0]!))
})

test('keeping, releasing and deleting a copy are each audited and change the revision of the list', async () => {
  const here = await kit()
  const exportId = await here.completeAndStore('[]x')
  const before = await here.revision(exportId)
  await keepCopy(here.ctx, exportId, { kept: true, by })
  await keepCopy(here.ctx, exportId, { kept: true, by })
  expect((await here.read(exportId)).kept).toBe(true)
  await keepCopy(here.ctx, exportId, { kept: false, by })
  await here.deleteCopy(exportId, by)
  expect(await here.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'deleted' })
  for (const late of [() => here.deleteCopy(exportId, by), () => keepCopy(here.ctx, exportId, { kept: true, by })])
    await expect(late()).rejects.toMatchObject({ code: 'conflict' })
  expect(await here.revision(exportId)).toBe(before + 3)
  const audited = await here.db.select().from(auditEvents)
  expect(audited.map(({ action, targetId }) => [action, targetId])).toEqual(
    ['bundle.kept', 'bundle.released', 'bundle.deleted'].map((action) => [action, exportId]),
  )
  expect(await here.history(exportId)).toContainEqual({ kind: 'bundle_deleted', to: null, by: 'Zoë' })
})

test('deleting an export permanently, in any process, deletes its copy too', async () => {
  const here = await kit()
  const exportId = await here.completeAndStore('[]x')
  await here.db.execute(sql`delete from static_exports where export_id = ${exportId}`)
  await here.cleanUp()
  await here.passGrace()
  await here.cleanUp()
  expect(await here.db.select().from(artifacts)).toEqual([])
  expect(await here.files()).toEqual([])
})

test('the sweep removes leftovers of dead processes, but nothing of a process that runs or has no row yet', async () => {
  const here = await kit({ alone: false })
  const text = '[]x'
  await here.completeAndStore(text)
  const [writes, died] = ['a'.repeat(64), 'b'.repeat(64)]
  const [running, dead] = [crypto.randomUUID(), crypto.randomUUID()]
  await here.db.execute(sql`insert into store_processes values
    (${running}, (select store from stored_bundles), clock_timestamp()), (${dead}, 'gone', clock_timestamp() - interval '5 minutes')`)
  for (const [sum, writer] of [
    [writes, running],
    [died, dead],
  ] as const)
    await here.db
      .execute(sql`insert into stored_bundles (sha256, state, writer, store, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      select ${sum}, 'writing', ${writer}::uuid, store, '', 0, 0, 0, 0, 0, now() from stored_bundles where state = 'stored'`)
  const orphan = 'c'.repeat(64)
  for (const sum of [writes, died, orphan]) {
    await mkdir(join(here.folder, 'artifacts', 'sha256', sum), { recursive: true })
    await writeFile(join(here.folder, 'artifacts', 'sha256', sum, 'bundle'), 'x')
  }
  const comparisons = join(here.folder, 'artifacts', 'comparisons')
  await mkdir(comparisons)
  await writeFile(join(comparisons, `${sumText(text)}-${sumText(text)}.json.gz`), 'x')
  await writeFile(join(comparisons, `${sumText(text)}-${died}.json.gz`), 'x')
  for (const processId of [running, dead])
    await mkdir(join(here.folder, 'artifact-staging', processId, 'x'), { recursive: true })
  await here.sweep()
  expect((await readdir(join(here.folder, 'artifacts', 'sha256'))).toSorted()).toEqual(
    [sumText(text), writes, orphan].toSorted(),
  )
  expect(await readdir(comparisons)).toEqual([`${sumText(text)}-${sumText(text)}.json.gz`])
  expect(await readdir(join(here.folder, 'artifact-staging'))).toContain(running)
  expect(await readdir(join(here.folder, 'artifact-staging'))).not.toContain(dead)
})
