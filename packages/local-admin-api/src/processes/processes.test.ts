import { temporaryFolder } from '@docket/sources/testing/files'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { staticExports } from '#static-exports/static-exports.table.ts'
import { startApi } from '#testing/api.ts'
import { testDatabase } from '#testing/database.ts'

test('an export requested from one process can run in a process without HTTP, and both are listed', async () => {
  const database = await testDatabase()
  const store = { kind: 'disk', folder: await temporaryFolder(), prefix: '' } as const
  const replica = await startApi({ database, store, exports: { atOnce: 0 }, agent: { atOnce: 0 } })
  const { jobId } = await replica.start()
  const { exports, processes } = await replica.api.readWorkload()
  expect([exports.waiting, exports.running, processes.length]).toEqual([1, 0, 1])
  const worker = await startApi({ database, store, sites: replica.sites, serves: false })
  expect(worker.api.url).toBe('')
  expect((await replica.until(jobId, ({ status }) => status === 'completed')).pageCount).toBe(2)
  expect((await replica.api.readWorkload()).processes).toMatchObject([
    { serves: true, exports: 0, agents: 0 },
    { serves: false, exports: 1, agents: 2 },
  ])
  await worker.api.close()
  expect((await replica.api.readWorkload()).processes).toHaveLength(1)
})

test('a process that runs alone resumes work left by a crash at once, without waiting for a heartbeat', async () => {
  const database = await testDatabase()
  const crashed = await startApi({ database, exports: { atOnce: 0 } })
  const { jobId } = await crashed.start()
  await crashed.api.close()
  const attemptId = '6e3e6f4c-9a41-4c5c-8f5e-1f0d3c1f2b10'
  await database.update(staticExports).set({ status: 'running', attemptId })
  await database.execute(sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()`)
  const { finished } = await startApi({ database, sites: crashed.sites, alone: true })
  expect(await finished(jobId)).toMatchObject({ status: 'completed' })
  expect(await database.select().from(staticExports)).toMatchObject([{ losses: 1, crashes: 0 }])
})
