import { expect, test } from 'vitest'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { staticExportsApp } from './testing/static-exports-app.ts'

type App = Awaited<ReturnType<typeof staticExportsApp>>

const done = { status: 'completed', pageCount: 9 }

/** An export whose start was answered after somebody did something else. */
const startWith = async ({ start, upstream, list }: App, meanwhile: (exportId: string) => Promise<unknown>) => {
  upstream.onStart(() => ({ body: { jobId: 'job-1', ...done } }))
  const release = upstream.holdNext()
  const answer = start()
  await upstream.asked(1)
  const { exportId } = (await list()).items[0]!
  await meanwhile(exportId)
  release()
  await answer
  return exportId
}

const lost = async ({ upstream, started }: App) => {
  upstream.onStart(() => 'reset')
  return (await started()).exportId
}

/** A running export whose job is then completed. */
const finishing = async ({ upstream, started }: App) => {
  const { exportId, jobId } = await started()
  upstream.has(jobId!, done)
  return exportId
}

/** Every way in which an export completes. Each returns its exportId. */
const ways: Record<string, (app: App) => Promise<string>> = {
  'the answer to its start': async ({ upstream, started }) => {
    upstream.onStart(() => ({ body: { jobId: 'job-1', status: ' Completed ' } }))
    return (await started()).exportId
  },
  'an answer to its start that comes after its lease': (app) =>
    startWith(app, async () => {
      app.clock.ms += 61_000
      await app.process().pass()
    }),
  'an answer to its start after somebody removed it': async (app) => {
    const exportId = await startWith(app, (removed) => app.request('DELETE', `/${removed}`))
    await app.act(exportId, 'restore')
    return exportId
  },
  'an attached job': async (app) => {
    const exportId = await lost(app)
    app.upstream.has('found', done)
    await app.act(exportId, 'attach', { jobId: 'found' })
    return exportId
  },
  'a job that was started elsewhere': async ({ upstream, request }) => {
    upstream.has('known', done)
    const answer = await request('POST', '/import', { jobId: 'known', domain: 'b.example' })
    return StartedStaticExport.parse(await answer.json()).export.exportId
  },
  'a read of the watcher': async (app) => {
    const exportId = await finishing(app)
    await app.nextCheck(exportId)
    return exportId
  },
  'a read that a person asks for': async (app) => {
    const exportId = await finishing(app)
    await app.act(exportId, 'check')
    return exportId
  },
  'a read after it had failed': async (app) => {
    const { exportId, jobId } = await app.started()
    app.upstream.has(jobId!, { status: 'failed' })
    await app.nextCheck(exportId)
    app.upstream.has(jobId!, done)
    await app.nextCheck(exportId)
    return exportId
  },
  'a cancellation that comes too late': async (app) => {
    const { exportId, jobId } = await app.started()
    app.upstream.onCancel(() => ({ body: { jobId, ...done } }))
    await app.act(exportId, 'cancel')
    return exportId
  },
}

test.for(Object.entries(ways))('an export that completes by %s is reported as completed once', async ([, way]) => {
  const app = await staticExportsApp({ embedded: true })
  const exportId = await way(app)
  expect((await app.read(exportId)).state).toBe('completed')
  await app.act(exportId, 'check')
  expect(app.completed).toEqual([exportId])
})
