import { expect, test } from 'vitest'
import type { StaticExport } from '@docket/api-types/static-exports'
import { History } from '@docket/api-types/history'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { progressScales } from '#service/connections/progress-scales.table.ts'
import { staticExportsApp } from '#records/static-exports/testing/static-exports-app.ts'
import { testConnectionId } from '#testing/connection.ts'

const minute = 60_000
const missing = { status: 404, body: { error: 'Job not found' } }
const running = { status: 'running', progress: 40, pageCount: 4 }

/** An export that runs; `readUntil` reads on until `ms` after now. */
const runningExport = async () => {
  const app = await staticExportsApp()
  const { exportId } = await app.started()
  const readUntil = async (ms: number) => {
    const untilMs = app.clock.ms + ms
    let row = await app.read(exportId)
    while (row.nextCheckAt !== null && Date.parse(row.nextCheckAt) <= untilMs) row = await app.nextCheck(exportId)
    app.clock.ms = untilMs
    return row
  }
  /** Reads once, `ms` after now. */
  const readAfter = (ms: number) => {
    app.clock.ms += ms
    return app.nextCheck(exportId)
  }
  const history = async () => {
    const response = await app.request('GET', `/${exportId}/history`)
    return History.parse(await response.json()).events.map(({ kind, to }) => `${kind} ${to ?? ''}`.trim())
  }
  return { ...app, exportId, readUntil, readAfter, history }
}

test('a new export that reads do not find yet is kept, and is shown once the service finds it seconds later', async () => {
  const { upstream, exportId, read, readUntil, readAfter, history } = await runningExport()
  upstream.answers('job-1', missing)
  for (const ms of [0, 30_000, 4 * minute]) await readAfter(ms)
  const early = await readAfter(4 * minute)
  expect(early).toMatchObject({
    state: 'accepted',
    goneAt: null,
    checkFailure: {
      code: 'upstream_not_found',
      message: 'The service doesn’t find it yet. A new export can take a while to appear; Docket checks again.',
    },
  })
  upstream.has('job-1', running)
  expect(await readUntil(13_000)).toMatchObject({ progress: 40, checkFailure: null })
  expect(await read(exportId)).toMatchObject({ goneAt: null })
  expect(await history()).not.toContain('gone')
})

test('an export that no read ever found is marked as gone after ten minutes', async () => {
  const { upstream, readUntil, readAfter } = await runningExport()
  upstream.answers('job-1', missing)
  for (const ms of [0, 30_000, 4 * minute, 4 * minute]) expect((await readAfter(ms)).goneAt).toBeNull()
  expect((await readUntil(2 * minute)).goneAt).not.toBeNull()
})

test('a single 404 during a run only adds a remark, and the export is read again within seconds', async () => {
  const { upstream, exportId, clock, nextCheck, readAfter } = await runningExport()
  upstream.has('job-1', running)
  await readAfter(40 * minute)
  upstream.answers('job-1', missing)
  const stray = await nextCheck(exportId)
  expect(stray).toMatchObject({ state: 'accepted', progress: 40, goneAt: null })
  expect(Date.parse(stray.nextCheckAt!) - clock.ms).toBeLessThanOrEqual(10_500)
  upstream.has('job-1', { status: 'completed' })
  expect(await nextCheck(exportId)).toMatchObject({ state: 'completed', checkFailure: null })
})

test('three 404s over half a minute mark an export as gone, and a successful read in between restarts the count', async () => {
  const { upstream, exportId, clock, nextCheck, readUntil } = await runningExport()
  upstream.has('job-1', running)
  await readUntil(5000)
  upstream.answers('job-1', missing)
  expect((await readUntil(25_000)).goneAt).toBeNull()
  upstream.has('job-1', running)
  await nextCheck(exportId)
  upstream.answers('job-1', missing)
  const first = await nextCheck(exportId)
  const firstMs = clock.ms
  let row = first
  while (row.goneAt === null) row = await nextCheck(exportId)
  expect(clock.ms - firstMs).toBeGreaterThanOrEqual(30_000)
  expect(clock.ms - firstMs).toBeLessThan(45_000)
})

test('404s before a successful read by an older build do not count', async () => {
  const { db, upstream, exportId, clock, nextCheck, readAfter } = await runningExport()
  upstream.has('job-1', running)
  await readAfter(5 * minute)
  // A build that does not know the columns leaves them as they were.
  await db.update(staticExports).set({ missingReads: 9, missingSince: new Date(clock.ms - 4 * minute) })
  upstream.answers('job-1', missing)
  expect((await nextCheck(exportId)).goneAt).toBeNull()
})

test('a 410 marks an export as gone at once', async () => {
  const { upstream, exportId, nextCheck } = await runningExport()
  upstream.answers('job-1', { status: 410, body: { error: 'Gone' } })
  expect((await nextCheck(exportId)).goneAt).not.toBeNull()
})

test('a second start of a domain needs a confirmation if the gone export is recent, and none if it is old', async () => {
  const { upstream, exportId, nextCheck, start, started, refused, clock } = await runningExport()
  upstream.answers('job-1', { status: 410 })
  await nextCheck(exportId)
  expect(await refused(start())).toMatchObject({ status: 409, code: 'conflict', exportId })
  expect(upstream.starts).toHaveLength(1)
  expect((await started({ confirmed: true })).state).toBe('accepted')
  expect(upstream.starts).toHaveLength(2)
  upstream.answers('job-2', { status: 410 })
  clock.ms += 61 * minute
  await nextCheck(exportId)
  expect((await started()).state).toBe('accepted')
})

test('a failed export that the service completes later becomes completed, by a later read or by Check now', async () => {
  for (const how of ['watcher', 'click'] as const) {
    const { upstream, exportId, nextCheck, act, history } = await runningExport()
    upstream.has('job-1', { status: 'failed', error: 'a page does not render' })
    const failed = await nextCheck(exportId)
    expect(failed).toMatchObject({ state: 'failed', reason: 'a page does not render' })
    expect(failed.nextCheckAt).not.toBeNull()
    upstream.has('job-1', { status: 'completed', pageCount: 9 })
    const after = how === 'click' ? await act(exportId, 'check') : await nextCheck(exportId)
    expect(after).toMatchObject({ state: 'completed', reason: null, progress: 100, pageCount: 9, nextCheckAt: null })
    expect((await history()).filter((event) => /^(failed|completed)/.test(event))).toEqual([
      'failed a page does not render',
      'completed',
    ])
  }
})

test('a failed export that stays failed is read a few more times within a day, and then never', async () => {
  const { upstream, exportId, nextCheck } = await runningExport()
  upstream.has('job-1', { status: 'failed' })
  let row = await nextCheck(exportId)
  const before = upstream.reads.length
  while (row.nextCheckAt !== null) row = await nextCheck(exportId)
  expect(row.state).toBe('failed')
  expect(upstream.reads.length - before).toBeGreaterThan(0)
  expect(upstream.reads.length - before).toBeLessThanOrEqual(5)
})

test.each([
  [{ status: 500 }, 'upstream_unavailable'],
  [{ status: 404 }, 'upstream_not_found'],
])(
  'after a Check now of a completed export failed with %j, another read is scheduled and clears the failure',
  async (answer, code) => {
    const { upstream, exportId, nextCheck, act } = await runningExport()
    upstream.has('job-1', { status: 'completed' })
    await nextCheck(exportId)
    upstream.answers('job-1', answer)
    const failed = await act(exportId, 'check')
    expect(failed).toMatchObject({ state: 'completed', goneAt: null, checkFailure: { code } })
    expect(failed.nextCheckAt).not.toBeNull()
    upstream.has('job-1', { status: 'completed' })
    expect(await nextCheck(exportId)).toMatchObject({ state: 'completed', checkFailure: null, nextCheckAt: null })
  },
)

test('a failed Check now of a finished export is repeated ever more slowly while the service is unavailable', async () => {
  const { upstream, exportId, nextCheck, act, clock } = await runningExport()
  upstream.has('job-1', { status: 'completed' })
  await nextCheck(exportId)
  upstream.answers('job-1', { status: 500 })
  const fromMs = clock.ms
  await act(exportId, 'check')
  const before = upstream.reads.length
  while (clock.ms - fromMs < 24 * 60 * minute) await nextCheck(exportId)
  expect(upstream.reads.length - before).toBeLessThan(20)
})

/** One export of `domain` to its end; the bar after each answer, and the milestones of its history. */
const runThrough = async (
  app: Awaited<ReturnType<typeof staticExportsApp>>,
  progress: readonly number[],
  last: object = { progress: progress.at(-1) === 1 ? 1 : 100 },
) => {
  const { exportId } = await app.started()
  const jobId = `job-${app.upstream.starts.length}`
  const bar: StaticExport['progress'][] = []
  for (const value of progress) {
    app.upstream.has(jobId, { status: 'running', progress: value })
    bar.push((await app.nextCheck(exportId)).progress)
  }
  app.upstream.has(jobId, { status: 'completed', ...last })
  await app.nextCheck(exportId)
  const response = await app.request('GET', `/${exportId}/history`)
  const { events } = History.parse(await response.json())
  return { bar, milestones: events.filter(({ kind }) => kind === 'progressed').map(({ to }) => to) }
}

test('progress of 0, 0.3, 0.6, 1.4 and 5 percent is never shown as 30 or 60 percent, and records no milestone', async () => {
  const app = await staticExportsApp()
  expect(await runThrough(app, [0, 0.3, 0.6, 0.9, 1, 1.4, 5, 60])).toEqual({
    bar: [null, null, null, null, null, 1.4, 5, 60],
    milestones: ['50'],
  })
  const known = [{ connectionId: testConnectionId, fractions: 0, percent: true }]
  expect(await app.db.select().from(progressScales)).toEqual(known)
  expect(await runThrough(app, [0, 0.3, 1.4])).toEqual({ bar: [0, 0.3, 1.4], milestones: [] })
})

test('numbers up to 1 count as fractions after three exports ended with exactly 1, and never after a number above 1', async () => {
  const app = await staticExportsApp()
  const fractions = [0, 0.3, 0.6, 1]
  const indeterminate = { bar: [null, null, null, null], milestones: [] }
  for (let count = 0; count < 3; count += 1) expect(await runThrough(app, fractions)).toEqual(indeterminate)
  const { bar, milestones } = await runThrough({ ...app, ...app.process() }, fractions)
  expect(bar).toEqual([0, 30, 60, 100])
  expect(milestones).toEqual(['25', '50', '75'])
  expect((await runThrough(app, [0.6, 1.4])).bar).toEqual([60, 1.4])
  for (let count = 0; count < 3; count += 1)
    expect(await runThrough(app, fractions)).toEqual({ bar: [0, 0.3, 0.6, 1], milestones: [] })
})

test('three exports without a number between 0 and 1 do not prove fractions', async () => {
  const app = await staticExportsApp()
  for (let count = 0; count < 4; count += 1) expect((await runThrough(app, [0, 1])).bar).toEqual([null, null])
})

test('a service that counts in fractions and sends no progress at the end gets its bar after three exports', async () => {
  const app = await staticExportsApp()
  for (let count = 0; count < 3; count += 1)
    expect((await runThrough(app, [0, 0.25, 0.6, 0.93], {})).bar).toEqual([null, null, null, null])
  expect((await runThrough(app, [0, 0.25, 0.6, 0.93], {})).bar).toEqual([0, 25, 60, 93])
})

test.for([
  ['rose only twice', [0, 0.3, 0.93]],
  ['ended below a half', [0.1, 0.2, 0.3, 0.4]],
])('exports whose progress %s prove no fractions', async ([, progress]) => {
  const app = await staticExportsApp()
  for (let count = 0; count < 4; count += 1) await runThrough(app, progress as number[], {})
  expect((await runThrough(app, [0.2], {})).bar).toEqual([null])
})
