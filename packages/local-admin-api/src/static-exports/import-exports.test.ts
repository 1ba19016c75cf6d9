import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { silentLog, type Log } from '#log.ts'
import { startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'
import { importExports } from './import-exports.ts'
import { staticExports } from './static-exports.table.ts'

// Docket 1.0 wrote these lines when it was killed while the second export ran.
const written = [
  '{"jobId":"3421d2db-21cc-4ed3-9d35-947f16d0332e","domain":"docs.localhost","version":"v1","paths":["/p1"],"pin":null,"status":"completed","progress":100,"pageCount":1,"error":null,"attempts":1,"createdAt":"2026-11-24T08:30:59.154Z","updatedAt":"2026-11-24T08:31:00.882Z"}',
  '{"jobId":"7df880cc-978f-4150-9f49-85e87c7b57eb","domain":"docs.localhost","version":null,"paths":null,"pin":null,"status":"running","progress":0,"pageCount":0,"error":null,"attempts":1,"createdAt":"2026-11-24T08:31:00.908Z","updatedAt":"2026-11-24T08:31:02.591Z"}',
  '{"jobId":"73989b10-635f-48d3-89bd-f411b9f12726","domain":"docs.localhost","version":null,"paths":null,"pin":null,"status":"queued","progress":0,"pageCount":0,"error":null,"attempts":0,"createdAt":"2026-11-24T08:31:00.913Z","updatedAt":"2026-11-24T08:31:00.913Z"}',
]
const [completed, running, queued] = written.map(
  (line) => JSON.parse(line) as Record<string, unknown> & { jobId: string },
)
const shown = '5.5 1\n5.8 2\n6.1 3'

const writeOld = async (folder: string, files: Record<string, string>) => {
  await mkdir(join(folder, 'jobs'), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'jobs', name), text)
}

test('exports of Docket 1.0 are imported at the first start, and unfinished ones run', async () => {
  const dataDir = await temporaryFolder()
  const folder = join(dataDir, 'static-exports')
  await writeOld(folder, Object.fromEntries(written.map((line) => [`${JSON.parse(line).jobId as string}.json`, line])))
  await mkdir(join(folder, 'shown'))
  await writeFile(join(folder, 'shown', running!.jobId), shown)
  // Its exports are older than the queue's patience by then.
  const { call, finished } = await startApi({ dataDir, now: () => new Date('2026-11-25T08:00:00Z') })
  const read = async (jobId: string) => (await call('GET', `/v1/static-export/jobs/${jobId}`)).json()
  const { attempts: _attempts, pin: _pin, ...expected } = completed!
  expect(await read(completed!.jobId)).toMatchObject(expected)
  for (const { jobId } of [running!, queued!])
    expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 2 })
  expect((await readdir(folder)).toSorted()).toEqual(expect.arrayContaining(['jobs.imported', 'shown.imported']))
  expect(await readdir(join(folder, 'jobs.imported'))).toHaveLength(3)
})

test('no export is lost by a crash during an import or by damaged files', async () => {
  const db = await testDatabase()
  const folder = await temporaryFolder()
  const old = (number: number) => ({
    ...completed!,
    jobId: `job-${number}`,
    version: number === 7 ? 'a\0b\ud800' : 'v1',
    progress: number === 8 ? 33.333333 : 100,
    status: number === 8 ? 'failed' : 'completed',
    error: number === 8 ? 'It failed.' : null,
    pin:
      number === 9 ? { repository: 'https://git.example/docs', ref: null, folder: '', commit: 'c'.repeat(40) } : null,
  })
  const write = (from: number, to: number) =>
    writeOld(
      folder,
      Object.fromEntries(
        Array.from({ length: to - from }, (_, index) => [
          `job-${from + index}.json`,
          JSON.stringify(old(from + index)),
        ]),
      ),
    )
  await write(0, 300)
  await importExports(db, folder, silentLog)
  // As a crash leaves it: some are in the database, and one of those has changed since.
  await db.update(staticExports).set({ version: 'newer' }).where(eq(staticExports.jobId, 'job-3'))
  await rename(join(folder, 'jobs.imported'), join(folder, 'jobs'))
  await write(300, 1_200)
  await writeOld(folder, { 'job-1200.json': '{"jobId":"job-1200"', 'job-1201.json': '{"jobId":"other"}' })
  await writeOld(folder, { 'job-1202.json': JSON.stringify({ ...running!, jobId: 'job-1202' }) })
  await mkdir(join(folder, 'shown'))
  await writeFile(join(folder, 'shown', 'job-1202'), shown)
  const warned: unknown[] = []
  const log: Log = { ...silentLog, warn: (about) => void warned.push(about) }
  await importExports(db, folder, log)

  expect(await db.$count(staticExports)).toBe(1_201)
  const find = async (jobId: string) =>
    (await db.select().from(staticExports).where(eq(staticExports.jobId, jobId)))[0]!
  expect(await find('job-3')).toMatchObject({ version: 'newer' })
  expect(await find('job-7')).toMatchObject({ version: 'ab\ufffd' })
  expect(await find('job-8')).toMatchObject({ status: 'failed', error: 'It failed.' })
  expect(await find('job-9')).toMatchObject({ pin: old(9).pin, updatedAt: new Date('2026-11-24T08:31:00.882Z') })
  expect(await find('job-1202')).toMatchObject({ status: 'queued', progress: 5.8, pageCount: 2, attemptId: null })
  expect(JSON.stringify(warned)).toSatisfy(
    (text: string) => text.includes('/job-1200.json') && text.includes('/job-1201.json'),
  )
  expect(await readdir(join(folder, 'jobs.imported', 'set-aside'))).toHaveLength(2)
  await importExports(db, folder, silentLog)
  expect(await readdir(folder)).toEqual(['jobs.imported', 'shown.imported'])
})
