import { randomUUID } from 'node:crypto'
import { Activity } from '@docket/api-types/activity'
import { AgentJobList } from '@docket/api-types/agent-jobs'
import { ConnectionList, ConnectionSettings } from '@docket/api-types/connections'
import { StartedStaticExport, StaticExport, StaticExportList } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { connections } from '#ground/db/connections.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { keyedService } from '#testing/keyed-service.ts'
import { testApp } from '#testing/test-app.ts'

/** A Docket whose only connection the test added, and the service behind it. */
const docketWithConnection = async () => {
  const service = await keyedService('One', ['key_of_one'])
  onTestFinished(service.close)
  const app = await testApp()
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  await app.services.service.registry.refresh()
  const added = await app.post('/api/connections', { name: 'One', baseUrl: service.url, key: { value: 'key_of_one' } })
  const { connectionId } = ConnectionSettings.parse(await added.json())
  const path = `/api/connections/${connectionId}`
  const check = async (exportId: string) =>
    StaticExport.parse(await (await app.post(`/api/static-exports/${exportId}/check`)).json())
  const start = async (domain: string) => {
    const answer = await app.post('/api/static-exports', { requestId: randomUUID(), domain })
    return check(StartedStaticExport.parse(await answer.json()).export.exportId)
  }
  const exports = async (query = '') =>
    StaticExportList.parse(await (await app.get(`/api/static-exports${query}`)).json())
  return { ...app, service, path, check, start, exports }
}

type Docket = Awaited<ReturnType<typeof docketWithConnection>>

/** Everything that says what is in progress or needs a person. */
const countAll = async ({ get, exports }: Docket) => {
  const jobs = AgentJobList.parse(await (await get('/api/agent-jobs')).json()).counts
  const filtered = (await exports('?domain=running.example')).counts
  const activity = Activity.parse(await (await get('/api/activity')).json())
  const { active } = Status.parse(await (await get('/api/status')).json())
  const { counts } = await exports()
  return {
    exports: [counts.active, counts.groups.active, counts.attention],
    shown: [(await exports('?group=active')).items.length, (await exports('?attention=true')).items.length],
    filtered: filtered.filtered?.groups.active.count,
    jobs: [jobs.active, jobs.groups.working],
    activity: [activity.running.length, activity.counts.staticExports, activity.counts.agentJobs],
    status: [active.staticExports, active.agentJobs],
  }
}

const watched = {
  exports: [1, 1, 1],
  shown: [1, 1],
  filtered: 1,
  jobs: [1, 1],
  activity: [2, 1, 1],
  status: [1, 1],
}
const unwatched = { exports: [0, 0, 0], shown: [0, 0], filtered: 0, jobs: [0, 0], activity: [0, 0, 0], status: [0, 0] }

const under = async (docket: Docket) => {
  const { service, start, post } = docket
  const running = await start('running.example')
  service.has('/v1/static-export/jobs/One-2', { status: 'failed' })
  const answer = await start('failed.example')
  service.has('/v1/static-export/jobs/One-2', { status: 'failed' })
  await docket.check(answer.exportId)
  service.has('/v2/agent/docs/job/job_1', { id: 'job_1', status: 'active' })
  await post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id: 'job_1' }] })
  expect(await countAll(docket)).toEqual(watched)
  return running
}

test('records of a removed connection count neither as in progress nor as needing attention, and keep their last state', async () => {
  const docket = await docketWithConnection()
  const { exportId } = await under(docket)
  const path = '/api/static-exports'
  const etag = (await docket.get(path)).headers.get('etag') ?? ''
  expect((await docket.get(path, { 'if-none-match': etag })).status).toBe(304)
  await docket.delete(docket.path)
  expect((await docket.get(path, { 'if-none-match': etag })).status).toBe(200)
  expect(await countAll(docket)).toEqual(unwatched)
  const { items, counts } = await docket.exports()
  expect(counts.all).toBe(2)
  expect(items.every(({ isWatched }) => isWatched === false)).toBe(true)
  expect(StaticExport.parse(await (await docket.get(`${path}/${exportId}`)).json())).toMatchObject({
    state: 'accepted',
    progress: 40,
    isWatched: false,
    expectedAt: null,
    pagesPerSecond: null,
    nextCheckAt: null,
    checkFailure: null,
  })
})

test('records of a paused connection count as in progress again once it is resumed', async () => {
  const docket = await docketWithConnection()
  await under(docket)
  await docket.send('PATCH', docket.path, { paused: true })
  expect(await countAll(docket)).toEqual(unwatched)
  await docket.send('PATCH', docket.path, { paused: false })
  expect(await countAll(docket)).toEqual(watched)
})

test('an admin corrects how a service counts progress, and no stray number above 1 overrules that', async () => {
  const { service, start, check, get, send, path } = await docketWithConnection()
  const { exportId } = await start('running.example')
  const scale = async () => ConnectionList.parse(await (await get('/api/connections')).json()).items[0]?.progressScale
  // The service sent 40.
  expect(await scale()).toEqual({ chosen: null, learnt: 'percent' })
  await send('PATCH', path, { progressScale: 'fraction' })
  expect(await scale()).toEqual({ chosen: 'fraction', learnt: 'percent' })
  const sends = async (progress: number) => {
    service.has('/v1/static-export/jobs/One-1', { status: 'running', progress })
    return (await check(exportId)).progress
  }
  expect([await sends(0.6), await sends(1.5), await sends(0.9)]).toEqual([60, 60, 90])
  await send('PATCH', path, { progressScale: null })
  expect(await scale()).toEqual({ chosen: null, learnt: null })
})
