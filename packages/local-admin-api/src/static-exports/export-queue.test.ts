import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { staticExports } from '#static-exports/static-exports.table.ts'
import { smallSite, startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'

/** A worker that behaves as its script says, in place of the real one. */
const workerProgram = async (script: string) => join(await writeFolder({ 'worker.cjs': script }), 'worker.cjs')

test('an export of a lost worker is taken by another one, and its progress never decreases', async () => {
  const database = await testDatabase()
  const lost = {
    jobId: randomUUID(),
    attemptId: randomUUID(),
    status: 'running',
    progress: 62.5,
    pageCount: 1,
  } as const
  const longAgo = new Date(Date.now() - 3_600_000)
  await database
    .insert(staticExports)
    .values({ ...lost, domain: 'docs.localhost', createdAt: longAgo, updatedAt: longAgo })
  const { status, finished } = await startApi({ database })
  expect((await status(lost.jobId)).progress).toBeGreaterThanOrEqual(62.5)
  expect(await finished(lost.jobId)).toMatchObject({ status: 'completed', pageCount: 2 })
})

test('exports interrupted by a shutdown resume at the next start, any number of times', async () => {
  const first = await startApi()
  const { jobId } = await first.start('slow-60.sentinel.test')
  await first.until(jobId, ({ pageCount }) => pageCount > 0)
  await first.api.close()
  const [saved] = await first.database.select().from(staticExports)
  expect(saved).toMatchObject({ status: 'queued', crashes: 0, losses: 0 })

  const second = await startApi({ dataDir: first.dataDir, sites: first.sites, database: first.database })
  await second.until(jobId, ({ status }) => status === 'running')
})

test('an unresponsive worker is killed, its job fails with the reason, and the next job runs', async () => {
  const program = await workerProgram(`process.once('message', (order) => {
    if (order.domain === 'slow-0.sentinel.test') for (;;);
    require('node:fs').writeFileSync(order.archive, 'packed')
    process.send({ kind: 'completed', pageCount: 3 })
  })`)
  const { start, finished } = await startApi({ exports: { workerProgram: program, silenceMs: 1_500 } })
  const [hanging, next] = [await start('slow-0.sentinel.test'), await start()]
  expect(await finished(hanging.jobId)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no progress/) as unknown,
  })
  expect(await finished(next.jobId)).toMatchObject({ status: 'completed', pageCount: 3 })
})

test('a worker that dies or runs out of memory fails its job with the reason', async () => {
  const program = await workerProgram(`process.once('message', (order) => {
    if (order.domain === 'docs.localhost') process.exit(7)
    const all = []
    for (;;) all.push(new Array(1e6).fill(all.length + 0.5))
  })`)
  const { start, finished } = await startApi({ exports: { workerProgram: program, memoryMb: 40 } })
  const [dying, greedy] = [await start(), await start('slow-1.sentinel.test')]
  expect((await finished(dying.jobId)).error).toMatch(/exit code 7/)
  expect((await finished(greedy.jobId)).error).toMatch(/out of memory/)
})

test('a worker sees no environment variable of the server', async () => {
  process.env['DOCKET_TEST_SECRET'] = 'do not tell'
  const program = await workerProgram(`process.once('message', () => {
    process.send({ kind: 'failed', reason: JSON.stringify(process.env) })
  })`)
  const { start, finished } = await startApi({ exports: { workerProgram: program } })
  const { error } = await finished((await start()).jobId)
  delete process.env['DOCKET_TEST_SECRET']
  expect(error).toContain('production')
  expect(error).not.toContain('do not tell')
})

test('progress and page count only grow while an export runs, and are complete at its end', async () => {
  const pages = Array.from({ length: 12 }, (_, index) => [`page-${index}.md`, `# Page ${index}\n`] as const)
  const { start, until } = await startApi({ sites: { 'docs.localhost': await writeFolder(Object.fromEntries(pages)) } })
  const snapshots: [number, number][] = []
  const { jobId } = await start('slow-1.sentinel.test')
  await until(jobId, ({ status, progress, pageCount }) => {
    snapshots.push([progress, pageCount])
    return status === 'completed'
  })
  expect(snapshots).toEqual(snapshots.toSorted(([a, m], [b, n]) => a - b || m - n))
  expect(snapshots.at(-1)).toEqual([100, 12])
  expect(new Set(snapshots.map(([, count]) => count)).size).toBeGreaterThan(2)
})

/** A worker that completes at once and writes down whose turn it was. */
const notingWorker = (file: string) =>
  workerProgram(`process.once('message', (order) => {
    require('node:fs').appendFileSync(${JSON.stringify(file)}, order.version + '\\n')
    require('node:fs').writeFileSync(order.archive, 'packed')
    process.send({ kind: 'completed', pageCount: 1 })
  })`)

test('exports that users requested run first, and no site blocks another one', async () => {
  const file = join(await temporaryFolder(), 'turns')
  const sites = { 'a.localhost': await writeFolder(smallSite), 'b.localhost': await writeFolder(smallSite) }
  const options = {
    sites,
    database: await testDatabase(),
    store: { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const,
  }
  const waiting = await startApi({ ...options, exports: { atOnce: 0 } })
  const ask = (domain: string, version: string, priority = 'normal') => waiting.start(domain, { version, priority })
  const low = await ask('b.localhost', 'low', 'low')
  for (const version of ['a1', 'a2', 'a3']) await ask('a.localhost', version)
  await ask('b.localhost', 'b1')
  const { finished } = await startApi({ ...options, exports: { workerProgram: await notingWorker(file) } })
  await finished(low.jobId)
  expect((await readFile(file, 'utf8')).trim().split('\n')).toEqual(['a1', 'b1', 'a2', 'a3', 'low'])
})

test('an export from another exporter version waits for such a worker, and restarts after ten minutes', async () => {
  const database = await testDatabase()
  const [jobId, at] = [randomUUID(), new Date()]
  const aMinuteAgo = new Date(Date.now() - 60_000)
  const times = { createdAt: at, updatedAt: at, touchedAt: aMinuteAgo }
  await database
    .insert(staticExports)
    .values({ jobId, domain: 'docs.localhost', status: 'queued', exporter: 'old', ...times })
  const { finished, status } = await startApi({ database })
  const waits = sql`select from pgboss.job where name = 'docket-exports-old' and state = 'created'`
  await expect.poll(async () => (await database.execute(waits)).rowCount).toBe(1)
  expect(await status(jobId)).toMatchObject({ status: 'queued', exporter: 'old' })
  await database.update(staticExports).set({ touchedAt: new Date(Date.now() - 11 * 60_000) })
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
  expect(await status(jobId)).not.toMatchObject({ exporter: 'old' })
})
