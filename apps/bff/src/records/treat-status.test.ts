import { AuditList } from '@docket/api-types/audit'
import { AgentJob } from '@docket/api-types/agent-jobs'
import { ChangeConnection, ConnectionList } from '@docket/api-types/connections'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { connections } from '#ground/db/connections.table.ts'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { staticExportsApp } from '#records/static-exports/testing/static-exports-app.ts'
import { testConnectionId } from '#testing/connection.ts'

const history = async ({ request }: Awaited<ReturnType<typeof staticExportsApp>>, exportId: string) =>
  ((await (await request('GET', `/${exportId}/history`)).json()) as { events: { kind: string; by: string | null }[] })
    .events

test.for([
  'done',
  'terminé',
  '已完成',
  'cancelled',
  'timed_out',
  'JOB_STATUS_COMPLETED',
  'error',
  'constructor',
  '__proto__',
])('an export with the status %s is not taken for running work, and is read on', async (status) => {
  const { started, upstream, nextCheck } = await staticExportsApp()
  const { exportId, jobId } = await started()
  upstream.has(jobId!, { status, progress: 40 })
  const row = await nextCheck(exportId)
  expect(row).toMatchObject({ state: 'accepted', status, isUnrecognised: true, expectedAt: null })
  expect(row.nextCheckAt).not.toBeNull()
})

test.for(['running', 'QUEUED', 'in_progress', 'inProgress', 'rendering', 'warming_up'])(
  'an export with the status %s is running work, also when the service adds that it is completed',
  async (status) => {
    const { started, upstream, nextCheck, refused, request } = await staticExportsApp()
    const { exportId, jobId } = await started()
    upstream.has(jobId!, { status, completed: true })
    expect(await nextCheck(exportId)).toMatchObject({ state: 'accepted', isUnrecognised: false })
    const answer = await refused(request('POST', `/${exportId}/treat-as`, { as: 'completed' }))
    expect(answer).toMatchObject({ status: 409, message: 'Docket knows this status now. Reload the page.' })
  },
)

test('a status that a person treats as ended fails the export with the status as its reason, and the history names the person', async () => {
  const app = await staticExportsApp()
  const { exportId, jobId } = await app.started()
  app.upstream.has(jobId!, { status: 'cancelled' })
  await app.nextCheck(exportId)
  expect(await app.act(exportId, 'treat-as', { as: 'ended' })).toMatchObject({
    state: 'failed',
    reason: 'The service ended it with the status “cancelled”.',
  })
  const said = (await history(app, exportId)).find(({ kind }) => kind === 'treated_as')
  expect(said).toMatchObject({ from: 'cancelled', to: 'ended', by: expect.any(String) as string })
})

test('a meaning is remembered while the service can’t be asked, and the next read ends the export', async () => {
  const app = await staticExportsApp()
  const { exportId, jobId } = await app.started()
  app.upstream.has(jobId!, { status: 'SUCCEEDED' })
  await app.nextCheck(exportId)
  app.upstream.answers(jobId!, { status: 503 })
  expect(await app.act(exportId, 'treat-as', { as: 'completed' })).toMatchObject({ state: 'accepted' })
  app.upstream.has(jobId!, { status: 'SUCCEEDED' })
  expect((await app.nextCheck(exportId)).state).toBe('completed')
})

test('a status of any characters and the longest length can be treated, remembered and removed', async () => {
  const app = await staticExportsApp()
  const words: Record<string, string> = {}
  for (const status of ['__proto__', 'İ'.repeat(100), `a"b\\c'\u0000\ud800`]) {
    const { exportId, jobId } = await app.started({ domain: `docs-${Object.keys(words).length}.example.com` })
    app.upstream.has(jobId!, { status })
    const row = await app.nextCheck(exportId)
    expect(await app.act(exportId, 'treat-as', { as: 'completed' })).toMatchObject({ state: 'completed' })
    Object.defineProperty(words, row.status!.toLowerCase(), { value: 'completed', enumerable: true })
  }
  const [row] = await app.db.select().from(connections).where(eq(connections.connectionId, testConnectionId))
  expect(Object.keys(row!.statusMeanings).toSorted()).toEqual(Object.keys(words).toSorted())
  expect(ChangeConnection.parse({ statusMeanings: row!.statusMeanings }).statusMeanings).toBeDefined()
})

test('an agent job that ends in the service’s own words ends once a person says so, and later ones by themselves; an admin can remove the word', async () => {
  const app = await agentJobsApp()
  const at = { ...key, id: 'job_2' }
  app.upstream.has({ status: 'SUCCEEDED' })
  app.upstream.has({ status: 'succeeded' }, at)
  await app.follow(key)
  expect(await app.read()).toMatchObject({ meaning: 'unrecognised', status: 'SUCCEEDED' })
  const treated = await app.post(toPath(key, '/treat-as'), { as: 'completed' })
  expect(AgentJob.parse(await treated.json())).toMatchObject({ status: 'completed', meaning: 'finishing' })
  await app.follow(at)
  expect(await app.read(at)).toMatchObject({ status: 'completed' })
  await app.whole.services.service.registry.refresh()
  const settings = async () => ConnectionList.parse(await (await app.get('/api/connections')).json()).items
  expect((await settings())[0]).toMatchObject({ statusMeanings: { succeeded: 'completed' } })
  const audit = AuditList.parse(await (await app.get('/api/audit')).json()).items
  expect(audit.find(({ action }) => action === 'agent_job.treated_as')?.details).toMatchObject({
    status: 'SUCCEEDED',
    as: 'completed',
  })
  const changed = await app.whole.send('PATCH', `/api/connections/${testConnectionId}`, { statusMeanings: {} })
  expect([changed.status, (await settings())[0]?.statusMeanings]).toEqual([200, {}])
})
