import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'

const jobs = '/v1/static-export/jobs'

const answer = async (response: Response): Promise<[number, string | null]> => [
  response.status,
  ((await response.json()) as { error: string | null }).error,
]

/** A worker that stays half way on one site, and completes all others at once. */
const halfWayWorker = `process.once('message', (order) => {
  const { mkdirSync, writeFileSync } = require('node:fs')
  mkdirSync(order.site, { recursive: true })
  writeFileSync(order.site + '/index.html', 'half')
  if (order.domain === 'slow-99.sentinel.test') {
    process.send({ kind: 'progress', progress: 50, pageCount: 1 })
    setInterval(() => process.send({ kind: 'alive' }), 100)
  } else {
    writeFileSync(order.archive, 'packed')
    process.send({ kind: 'completed', pageCount: 1 })
  }
})`

test('a running export is cancelled at once, leaves nothing behind, and the next one runs', async () => {
  // Its process is killed, which one that works in this process cannot be.
  const workerProgram = join(await writeFolder({ 'worker.cjs': halfWayWorker }), 'worker.cjs')
  const { call, start, until, finished, status, dataDir } = await startApi({ exports: { workerProgram } })
  const { jobId } = await start('slow-99.sentinel.test')
  const next = await start()
  await until(jobId, ({ pageCount }) => pageCount > 0)
  const [twice, cancelled] = await Promise.all([call('DELETE', `${jobs}/${jobId}`), call('DELETE', `${jobs}/${jobId}`)])
  expect(await answer(cancelled)).toEqual([200, 'cancelled'])
  expect(twice.status).toBe(200)
  expect(await status(jobId)).toMatchObject({ status: 'failed', error: 'cancelled' })
  expect(await finished(next.jobId)).toMatchObject({ status: 'completed' })
  expect(await readdir(join(dataDir, 'static-exports/work'))).toEqual([])
  expect((await readdir(join(dataDir, 'bundles'))).filter((name) => !name.startsWith('.'))).toEqual([next.jobId])
  expect((await call('POST', `${jobs}/${jobId}/bundle`)).status).toBe(409)
})

test('a waiting export is cancelled without having run', async () => {
  const { call, start, until, status } = await startApi()
  const [first, second, third] = [
    await start('slow-99.sentinel.test'),
    await start('slow-99.sentinel.test'),
    await start(),
  ]
  await until(first.jobId, ({ pageCount }) => pageCount > 0)
  expect((await call('DELETE', `${jobs}/${second.jobId}`)).status).toBe(200)
  expect(await status(second.jobId)).toMatchObject({ status: 'failed', error: 'cancelled', pageCount: 0 })
  expect((await status(third.jobId)).status).toBe('queued')
  expect((await call('DELETE', `${jobs}/${first.jobId}`)).status).toBe(200)
  await until(third.jobId, (job) => job.status === 'completed')
})

test('cancelling a finished export is refused with the reason', async () => {
  const { call, start, finished } = await startApi()
  const [done, failed, gone] = [await start(), await start('fails.sentinel.test'), await start('slow-99.sentinel.test')]
  await finished(done.jobId)
  await finished(failed.jobId)
  await call('DELETE', `${jobs}/${gone.jobId}`)
  const cancel = async (jobId: string) => answer(await call('DELETE', `${jobs}/${jobId}`))
  expect(await cancel(done.jobId)).toEqual([409, 'The export is completed, so there is nothing to cancel'])
  expect(await cancel(failed.jobId)).toEqual([409, 'The export is failed, so there is nothing to cancel'])
  expect(await cancel(gone.jobId)).toEqual([409, 'The export is cancelled already'])
  expect(await cancel('nothing')).toEqual([404, 'Static export job not found'])
})

test('a strict service does not cancel exports', async () => {
  const { call, start, finished } = await startApi({ strict: true })
  const { jobId } = await start()
  const response = await call('DELETE', `${jobs}/${jobId}`)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await finished(jobId)).status).toBe('completed')
})
