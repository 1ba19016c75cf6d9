import { expect, test } from 'vitest'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { readLearntScale } from '#service/connections/progress-scales.table.ts'
import { testConnectionId } from '#testing/connection.ts'
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
  'a status that a person treats as completed': async (app) => {
    const { exportId, jobId } = await app.started()
    app.upstream.has(jobId!, { status: 'SUCCEEDED' })
    expect(await app.nextCheck(exportId)).toMatchObject({ state: 'accepted', isUnrecognised: true, expectedAt: null })
    await app.act(exportId, 'treat-as', { as: 'completed' })
    return exportId
  },
  'a status that a person treated as completed on another export': async (app) => {
    const first = await app.started()
    app.upstream.has(first.jobId!, { status: 'Abgeschlossen ' })
    await app.nextCheck(first.exportId)
    await app.act(first.exportId, 'treat-as', { as: 'completed' })
    const { exportId, jobId } = await app.started({ domain: 'b.example' })
    app.upstream.has(jobId!, { status: 'abgeschlossen' })
    await app.nextCheck(exportId)
    app.completed.splice(0, 1)
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

test.for([
  [
    'an attached job',
    async (app: App) => {
      const exportId = await lost(app)
      app.upstream.has('found', { status: 'running', progress: 40 })
      await app.act(exportId, 'attach', { jobId: 'found' })
    },
  ],
  [
    'a job that was started elsewhere',
    async ({ upstream, request }: App) => {
      upstream.has('known', { status: 'running', progress: 40 })
      await request('POST', '/import', { jobId: 'known', domain: 'b.example' })
    },
  ],
  [
    'the answer to a start',
    async ({ upstream, started }: App) => {
      upstream.onStart(() => ({ body: { jobId: 'job-1', status: 'running', progress: 40 } }))
      await started()
    },
  ],
  [
    'a read of the watcher',
    async (app: App) => {
      const { exportId, jobId } = await app.started()
      app.upstream.has(jobId!, { status: 'running', progress: 40 })
      await app.nextCheck(exportId)
    },
  ],
] as const)('Docket learns that a service counts in per cent from %s', async ([, way]) => {
  const app = await staticExportsApp()
  await way(app)
  expect(await readLearntScale(app.db, testConnectionId)).toBe('percent')
})
