import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'
import { downloadBundle, readReport } from '#testing/bundle.ts'

const jobs = '/v1/static-export/jobs'
const dayMs = 86_400_000

const listBundles = async (dataDir: string) =>
  (await readdir(join(dataDir, 'bundles'))).filter((name) => !name.startsWith('.'))

/** A worker that waits for a file named as its version in `gate`, so that a test decides when an export ends. */
const gatedWorker = async () => {
  const folder = await temporaryFolder()
  const script = `process.once('message', (order) => {
    const fs = require('node:fs')
    process.send({ kind: 'progress', progress: 10, pageCount: 1 })
    setInterval(() => {
      if (!fs.existsSync(${JSON.stringify(folder)} + '/' + order.version)) return
      fs.writeFileSync(order.archive, 'packed')
      process.send({ kind: 'completed', pageCount: 3 })
    }, 20)
  })
  process.once('disconnect', () => process.exit())`
  const workerProgram = join(await writeFolder({ 'worker.cjs': script }), 'worker.cjs')
  return { workerProgram, open: (version: string) => writeFile(join(folder, version), '') }
}

test('exports beyond the limit wait in order, and a start with a full queue is refused with 429', async () => {
  const { workerProgram, open } = await gatedWorker()
  const exports = { workerProgram, atOnce: 2, queueLength: 2 }
  const { call, start, status, until, finished, listExports } = await startApi({ exports })
  const started = []
  for (const version of ['a', 'b', 'c', 'd']) started.push((await start('docs.localhost', { version })).jobId)
  const [a, b, c, d] = started as [string, string, string, string]
  for (const jobId of [a, b]) await until(jobId, ({ pageCount }) => pageCount === 1)
  expect([(await status(c)).status, (await status(d)).status]).toEqual(['queued', 'queued'])

  const full = await call('POST', jobs, { domain: 'docs.localhost', version: 'e' })
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '30'])
  expect(await full.json()).toEqual({ error: expect.stringMatching(/nothing was started/) as unknown })
  // Asked all at once, no more get in than there is room for.
  await open('b')
  await finished(b)
  await until(c, ({ status: word }) => word === 'running')
  expect((await status(d)).status).toBe('queued')
  const many = await Promise.all(
    Array.from({ length: 6 }, () => call('POST', jobs, { domain: 'docs.localhost', version: 'e' })),
  )
  expect(many.map(({ status: code }) => code).toSorted((x, y) => x - y)).toEqual([202, 429, 429, 429, 429, 429])
  expect(await listExports()).toHaveLength(5)
  for (const version of ['a', 'c', 'd', 'e']) await open(version)
  expect((await finished(d)).status).toBe('completed')
})

test('an export of a site whose plan has none is refused with 403, and other sites are exported', async () => {
  const folder = await writeFolder({ 'index.md': '# Home\n' })
  const sites = { 'docs.localhost': folder, 'off.localhost': folder }
  const { workerProgram, open } = await gatedWorker()
  const exports = { workerProgram, refused: ['off.localhost'] }
  const { call, start, finished, listExports } = await startApi({ sites, exports })
  await open('allowed')
  for (const domain of ['off.localhost', 'OFF.localhost']) {
    const response = await call('POST', jobs, { domain })
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: expect.stringMatching(/not enabled for off\.localhost.*Enterprise/) as unknown },
    ])
  }
  expect(await listExports()).toEqual([])
  const { jobId } = await start('docs.localhost', { version: 'allowed' })
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
})

test('while the disk is nearly full, new exports are refused and not recorded, and running ones continue', async () => {
  const { workerProgram, open } = await gatedWorker()
  let hasRoom = true
  const { call, start, finished, listExports } = await startApi({ exports: { workerProgram }, hasRoom: () => hasRoom })
  const { jobId } = await start('docs.localhost', { version: 'a' })
  hasRoom = false
  const refused = await call('POST', jobs, { domain: 'docs.localhost' })
  expect([refused.status, await refused.json()]).toEqual([
    424,
    { error: expect.stringMatching(/disk .* nearly full, so nothing was started/) as unknown },
  ])
  await open('a')
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
  expect(await listExports()).toEqual([jobId])
})

test('a bundle has only the requested pages, and links to other pages become text', async () => {
  const { start, finished, bundle } = await startApi()
  const { jobId } = await start('docs.localhost', { paths: ['/'] })
  expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 1 })
  const files = await downloadBundle(await bundle(jobId))
  expect([...files.keys()].filter((name) => name.endsWith('.html'))).toEqual(['404.html', 'index.html'])
  expect(files.get('index.html')).toContain('the guide')
  expect(files.get('index.html')).not.toMatch(/href="[^"]*start/)
  expect([...files.values()].join('')).not.toContain('Hello.')
  expect(readReport(files).lines).toContainEqual(expect.objectContaining({ page: 'index', file: 'index.md' }))
})

test('an expired export is no longer served, and the next start removes it and its bundle but no other export', async () => {
  const clock = { time: Date.parse('2026-01-01T00:00:00Z') }
  const now = () => new Date(clock.time)
  const { workerProgram, open } = await gatedWorker()
  const exports = { workerProgram, keepDays: 2, atOnce: 2 }
  const one = await startApi({ now, exports })
  const [old, waiting] = [
    (await one.start('docs.localhost', { version: 'old' })).jobId,
    (await one.start('docs.localhost', { version: 'waiting' })).jobId,
  ]
  await open('old')
  await one.finished(old)
  clock.time += 2 * dayMs - 1
  expect((await one.call('GET', `${jobs}/${old}`)).status).toBe(200)
  clock.time += 1
  for (const [method, path] of [
    ['GET', old],
    ['POST', `${old}/bundle`],
  ] as const)
    expect((await one.call(method, `${jobs}/${path}`)).status).toBe(404)
  expect((await one.status(waiting)).status).toBe('running')
  await one.api.close()
  expect(await listBundles(one.dataDir)).toEqual([old])

  const two = await startApi({ now, exports, dataDir: one.dataDir, sites: one.sites, database: one.database })
  await expect.poll(() => listBundles(one.dataDir)).toEqual([])
  await expect.poll(two.listExports).toEqual([waiting])
  await open('waiting')
  expect(await two.finished(waiting)).toMatchObject({ status: 'completed' })
})

test('leftovers of an interrupted bundle upload are removed a day later', async () => {
  const unfinished = join(await writeFolder({ 'bundles/.unfinished/left': 'half' }), 'bundles/.unfinished')
  const dataDir = join(unfinished, '../..')
  const { api } = await startApi({ dataDir })
  await api.close()
  expect(await readdir(unfinished)).toEqual(['left'])
  await startApi({ dataDir, now: () => new Date(Date.now() + 1.1 * dayMs) })
  await expect.poll(() => readdir(unfinished)).toEqual([])
})

test('a bundle that was deleted outside Docket is answered with 410 and what to do', async () => {
  const { workerProgram, open } = await gatedWorker()
  await open('taken')
  const { start, finished, call, dataDir } = await startApi({ exports: { workerProgram } })
  const { jobId } = await start('docs.localhost', { version: 'taken' })
  await finished(jobId)
  await rm(join(dataDir, 'bundles', jobId), { recursive: true })
  const response = await call('POST', `${jobs}/${jobId}/bundle`)
  expect([response.status, await response.json()]).toEqual([
    410,
    { error: expect.stringMatching(/gone.*Start the export again/) as unknown },
  ])
})
