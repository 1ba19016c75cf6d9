import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { silentLog } from '#log.ts'
import { openServiceKey } from '#service/service-key.ts'
import { smallSite, startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'

const readBytes = async (link: string) => {
  const response = await fetch(link)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
/** A worker that renders nothing, and whose bundle is the id of the job. */
const quickWorker = async () => {
  const script = `process.once('message', ({ archive, jobId }) => {
    require('node:fs').writeFileSync(archive, jobId)
    process.send({ kind: 'completed', pageCount: 1 })
  })`
  return { workerProgram: join(await writeFolder({ 'worker.cjs': script }), 'worker.cjs') }
}
const listStored = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.'))

test('processes with one store share bundles, download links and rendered pages', async () => {
  const [database, folder] = [await testDatabase(), await temporaryFolder()]
  const sites = { 'docs.localhost': await writeFolder(smallSite) }
  const common = { database, sites, store: { kind: 'disk', folder, prefix: '' } as const }
  const [a, b] = [await startApi(common), await startApi({ ...common, exports: { atOnce: 0 } })]
  const { jobId } = await b.start()
  expect(await a.finished(jobId)).toMatchObject({ status: 'completed' })
  const [link, other] = [await a.bundle(jobId), await b.bundle(jobId)]
  const bytes = await readBytes(link.bundleUrl)
  expect(await readBytes(other.bundleUrl)).toEqual(bytes)
  const { pathname, search } = new URL(link.bundleUrl)
  expect(await readBytes(`${b.api.url}${pathname}${search}`)).toEqual(bytes)
  expect(await b.api.findBundle(jobId)).toBe(await a.api.findBundle(jobId))
  expect(await listStored(join(a.dataDir, 'bundles')).catch(() => [])).toEqual([])

  // Pages that one machine rendered are on the next one, which renders nothing here.
  await a.api.close()
  const c = await startApi({ ...common, exports: await quickWorker() })
  const again = await c.start()
  expect(await c.finished(again.jobId)).toMatchObject({ status: 'completed' })
  const listPages = async (dataDir: string) =>
    (await readdir(join(dataDir, 'static-exports/page-cache'), { recursive: true })).toSorted()
  expect(await listPages(c.dataDir)).toEqual(await listPages(a.dataDir))
  await c.api.close()

  const cache = join(folder, 'page-cache')
  const [archive] = (await readdir(cache, { recursive: true })).filter((name) => name.includes('/'))
  await writeFile(join(cache, archive!), 'damaged')
  const d = await startApi({ ...common, exports: await quickWorker() })
  expect(await d.finished((await d.start()).jobId)).toMatchObject({ status: 'completed' })
})

test('a process does not start while a running process has a different store', async () => {
  const database = await testDatabase()
  const a = await startApi({ database })
  await expect(startApi({ database })).rejects.toThrow(/^Set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR/)
  await a.api.close()
  await expect(startApi({ database })).resolves.toBeDefined()
})

test('an export waits for an unavailable store, and fails with the reason when that takes too long', async () => {
  const folder = join(await temporaryFolder(), 'store')
  await writeFile(folder, 'no folder')
  const database = await testDatabase()
  const common = { database, store: { kind: 'disk', folder, prefix: '' } as const }
  const exports = await quickWorker()
  const waiting = Promise.withResolvers<void>()
  const warn = (_: object, message: string) => message === 'a bundle waits for its store' && waiting.resolve()
  const log = { ...silentLog, warn }
  const { api, dataDir, sites, start, status, finished, bundle } = await startApi({ ...common, exports, log })
  const { jobId } = await start()
  await waiting.promise
  expect((await status(jobId)).status).toBe('running')
  await rm(folder)
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
  await readBytes((await bundle(jobId)).bundleUrl)
  await api.close()

  await rename(folder, `${folder}.away`)
  await writeFile(folder, 'no folder')
  const impatient = await startApi({ ...common, dataDir, sites, exports: { ...exports, storeMs: 0 } })
  const lost = await impatient.start()
  expect(await impatient.finished(lost.jobId)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/could not be stored\. The storage folder .* Start the export again/) as unknown,
  })
})

test('bundles on this machine are moved into a newly configured shared store', async () => {
  const [database, folder] = [await testDatabase(), await temporaryFolder()]
  const exports = await quickWorker()
  const before = await startApi({ database, exports })
  const [one, two] = [(await before.start()).jobId, (await before.start()).jobId]
  for (const jobId of [one, two]) await before.finished(jobId)
  await before.api.close()
  const { dataDir, sites } = before
  const old = join(dataDir, 'bundles')
  // An earlier version left it here when it ended before the first link.
  await rename(join(old, two, 'bundle.tar.gz'), join(old, `${two}.tar.gz`))
  await mkdir(join(old, 'unknown'))
  await writeFile(join(old, 'unknown/bundle.tar.gz'), 'of nobody')

  const after = await startApi({ database, dataDir, sites, store: { kind: 'disk', folder, prefix: '' } as const })
  for (const jobId of [one, two])
    expect((await readBytes((await after.bundle(jobId)).bundleUrl)).toString()).toBe(jobId)
  await expect.poll(() => listStored(old)).toEqual(['unknown'])
})

test('the first key becomes the key of all processes, and can be set again when it was forgotten', async () => {
  const database = await testDatabase()
  const seals = { seal: (text: string) => `sealed ${text}`, open: (sealed: string) => sealed.slice(7) }
  const keys = await Promise.all(['key a', 'key b', 'key c'].map((key) => openServiceKey(database, key, seals)))
  expect(new Set(keys).size).toBe(1)
  const { rows } = await database.$client.query('select sealed_key from embedded_service.service')
  expect(rows).toEqual([{ sealed_key: `sealed ${keys[0]}` }])
  await database.$client.query('update embedded_service.service set sealed_key = null')
  expect(await openServiceKey(database, 'key d', seals)).toBe('key d')
})
