import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionList, ConnectionSettings, RecordMove } from '@docket/api-types/connections'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { and, eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import { channels, sites } from '#ground/db/sites.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { describeEnvironment } from '#service/connections/describe-environment.ts'
import { projects } from '#service/connection-settings/projects.table.ts'
import { environmentSettings, testConnectionId } from '#testing/connection.ts'
import { addRecords } from '#testing/connections.ts'
import { keyedService } from '#testing/keyed-service.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'

const key = 'the_key_of_both'

const service = async (name: string) => {
  const found = await keyedService(name, [key])
  onTestFinished(found.close)
  return found
}

/** A Docket without any connection. */
const docket = async () => {
  const app = await testApp()
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  await app.services.service.registry.refresh()
  const read = async (exportId: string) =>
    StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json())
  return {
    ...app,
    read,
    add: async (name: string, baseUrl: string, more: object = {}) =>
      ConnectionSettings.parse(
        await (await app.post('/api/connections', { name, baseUrl, key: { value: key }, ...more })).json(),
      ),
    /** Imports a job that the service knows as running. */
    follow: async ({ has }: Awaited<ReturnType<typeof service>>, connectionId: string, jobId: string) => {
      has(`/v1/static-export/jobs/${jobId}`, { jobId, status: 'running', progress: 40 })
      const body = { connectionId, jobId, domain: 'docs.example.com' }
      return StartedStaticExport.parse(await (await app.post('/api/static-exports/import', body)).json()).export
        .exportId
    },
    change: (connectionId: string, body: object) => app.send('PATCH', `/api/connections/${connectionId}`, body),
    list: async () => ConnectionList.parse(await (await app.get('/api/connections')).json()).items,
    preview: async (from: string, to: string) =>
      RecordMove.parse(await (await app.get(`/api/connections/${from}/move-records?to=${to}`)).json()),
    move: (from: string, to: string) => app.post(`/api/connections/${from}/move-records`, { to }),
  }
}

const settings = async (response: Response) => {
  expect(response.status).toBe(200)
  return ConnectionSettings.parse(await response.json())
}

const listJobIds = (seen: readonly { path: string }[]) => seen.filter(({ path }) => path.includes('old'))

test.each([
  ['without a word about it, as 1.0.0 asks', {}],
  ['as another service', { sameService: false }],
  ['as another service after a test of the key', { sameService: false, anyway: false }],
])(
  'a new address %s becomes a connection of its own, which is never asked about the records of the old one',
  async (_, more) => {
    const [old, other] = [await service('Old'), await service('Other')]
    const app = await docket()
    const { connectionId } = await app.add('Staging', old.url, { callsPerHour: 77 })
    await app.post('/api/projects', { connectionId, projectId: 'old-project', name: null, isDefault: true })
    const exportId = await app.follow(old, connectionId, 'old-1')
    const next = await settings(await app.change(connectionId, { baseUrl: other.url, key: { value: key }, ...more }))
    expect(next).toMatchObject({ name: 'Staging', baseUrl: other.url, callsPerHour: 77, use: 'active' })
    expect(next.connectionId).not.toBe(connectionId)
    const check = await app.post(`/api/static-exports/${exportId}/check`)
    expect(check.status).toBe(409)
    expect(ApiErrorBody.parse(await check.json()).message).toContain('Staging was removed')
    await app.post(`/api/connections/${next.connectionId}/check`)
    expect(listJobIds(other.seen)).toEqual([])
    const [row] = await app.db.select().from(connections).where(eq(connections.connectionId, connectionId))
    expect(row).toMatchObject({ sealedKey: null, goneAt: expect.any(Date) as Date })
    const actions = await app.db.select({ action: auditEvents.action }).from(auditEvents)
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['connection.removed', 'connection.added']),
    )
  },
)

test('a service that moved keeps its connection, and its records are read at the new address', async () => {
  const [before, after] = [await service('Before'), await service('After')]
  const app = await docket()
  const { connectionId } = await app.add('Staging', before.url)
  const exportId = await app.follow(before, connectionId, 'old-1')
  after.has('/v1/static-export/jobs/old-1', { jobId: 'old-1', status: 'running', progress: 80 })
  const moved = { baseUrl: after.url, key: { value: key }, sameService: true }
  expect(await settings(await app.change(connectionId, moved))).toMatchObject({ connectionId, baseUrl: after.url })
  expect((await app.post(`/api/static-exports/${exportId}/check`)).status).toBe(200)
  expect(listJobIds(after.seen)).toHaveLength(1)
})

test('a connection that was never used keeps its ID when its address is corrected', async () => {
  const [wrong, right] = [await service('Wrong'), await service('Right')]
  const app = await docket()
  const { connectionId } = await app.add('Staging', wrong.url)
  const change = { baseUrl: right.url, key: { value: key } }
  expect(await settings(await app.change(connectionId, change))).toMatchObject({ connectionId, baseUrl: right.url })
})

test('of two admins who name another service at the same time, one does, and the other learns that the connection was removed', async () => {
  const [old, other] = [await service('Old'), await service('Other')]
  const app = await docket()
  const { connectionId } = await app.add('Staging', old.url)
  await app.follow(old, connectionId, 'old-1')
  const change = { baseUrl: other.url, key: { value: key }, sameService: false }
  const answers = await Promise.all([app.change(connectionId, change), app.change(connectionId, change)])
  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
  expect((await app.list()).filter(({ use }) => use === 'active')).toHaveLength(1)
})

test('records of a removed connection move to its successor with everything that names it, and what clashes stays and is told', async () => {
  const [old, next] = [await service('Old'), await service('Next')]
  const app = await docket()
  const [from, to] = [await app.add('Old', old.url), await app.add('Next', next.url)]
  const [a, b] = [from.connectionId, to.connectionId]
  const { exportId, job } = await addRecords(app.db, a, 'moves')
  const twin = await addRecords(app.db, a, 'twin')
  await addRecords(app.db, b, 'twin')
  const clash = await addRecords(app.db, a, 'both')
  const site = { connectionId: a, createdAt: new Date() }
  const [moving] = await app.db
    .insert(sites)
    .values({ ...site, domain: 'moves.example.com' })
    .returning()
  for (const connectionId of [a, b])
    await app.db.insert(sites).values({ ...site, connectionId, domain: 'both.example.com' })
  await app.post('/api/projects', { connectionId: a, projectId: 'docs', name: 'Handbook', isDefault: true })
  await app.db.insert(grants).values({ oidcGroup: 'writers', role: 'operator', connectionId: a })
  const token = await app.post('/api/tokens', { name: 'CI', scope: 'read', connectionIds: [a], expiresInDays: 30 })
  expect(token.status).toBe(201)
  const { cookie } = await signedIn(app.db, 'viewer')
  await app.post('/api/views', { list: 'exports', name: 'Old ones', query: `connection=${a}` }, { cookie })
  await app.db.execute(sql`insert into history_events (record_type, record_key, connection_id, kind, at)
    values ('agent_job', ${JSON.stringify([job.projectId, job.id])}, ${a}, 'added', now())`)
  expect((await app.move(a, b)).status).toBe(409)
  await app.delete(`/api/connections/${a}`)
  const told = await app.preview(a, b)
  expect(told).toEqual({
    moves: { staticExports: 1, agentJobs: 2, sites: 1, roles: 1, tokens: 1 },
    stays: { staticExports: 2, agentJobs: 1, sites: 1 },
  })
  const called = next.seen.length
  expect((await app.move(a, b)).status).toBe(204)
  expect(next.seen.length).toBe(called)
  const owner = async (id: string) => (await app.read(id)).connectionId
  expect([await owner(exportId), await owner(twin.exportId), await owner(clash.exportId)]).toEqual([b, a, a])
  const jobs = await app.db.select().from(agentJobs).where(eq(agentJobs.connectionId, a))
  expect(jobs.map(({ id }) => id)).toEqual(['job-twin'])
  const [moved] = await app.db.select().from(sites).where(eq(sites.siteId, moving!.siteId))
  expect(moved?.connectionId).toBe(b)
  expect(await app.db.select().from(channels).where(eq(channels.siteId, moving!.siteId))).toHaveLength(2)
  expect(await app.db.select().from(projects).where(eq(projects.connectionId, b))).toMatchObject([
    { projectId: 'docs', name: 'Handbook', isDefault: true },
  ])
  expect(await app.db.select().from(grants).where(eq(grants.connectionId, b))).toMatchObject([
    { oidcGroup: 'writers', role: 'operator' },
  ])
  const { rows } = await app.db.execute<{ ids: string[]; query: string; events: string }>(sql`select
    (select connection_ids from api_tokens) as ids, (select query from saved_views) as query,
    (select connection_id::text from history_events where record_key like '%job-moves%' and kind = 'added') as events`)
  expect(rows).toEqual([{ ids: [a, b], query: `connection=${b}`, events: b }])
  const isMove = and(eq(auditEvents.action, 'connection.records_moved'), eq(auditEvents.targetId, b))
  const [audited] = await app.db.select().from(auditEvents).where(isMove)
  expect(audited?.details).toMatchObject({ records: 3, stayed: 3, from: a, sites: 1, roles: 1, tokens: 1 })
  expect(await app.preview(a, b)).toMatchObject({ moves: { staticExports: 0, agentJobs: 0 } })
})

test('roles on records without a known service never follow them to a connection', async () => {
  const next = await service('Next')
  const app = await docket()
  const { connectionId } = await app.add('Next', next.url)
  await addRecords(app.db, unassignedId, 'lost')
  await app.db.insert(grants).values({ oidcGroup: 'readers', role: 'operator', connectionId: unassignedId })
  expect((await app.move(unassignedId, connectionId)).status).toBe(204)
  expect(await app.db.select().from(grants).where(eq(grants.connectionId, connectionId))).toEqual([])
  expect(await app.db.select().from(staticExports)).toMatchObject([{ connectionId }])
})

test('after ADMIN_API_URL changed, the old connection names its successor until an admin moves its records or says that it is another service', async () => {
  const app = await docket()
  const start = async (baseUrl: string) => {
    await describeEnvironment(app.db, { environment: { baseUrl, ...environmentSettings }, embedded: null })
    await app.services.service.registry.refresh()
    const rows = await app.db.select().from(connections).where(eq(connections.baseUrl, baseUrl))
    return rows[0]!.connectionId
  }
  const offered = async () => {
    const { connections: known } = Status.parse(await (await app.get('/api/status')).json())
    return known.flatMap(({ connectionId, successorId }) => (successorId ? [[connectionId, successorId]] : []))
  }
  const a = await start('https://a.example')
  const { exportId } = await addRecords(app.db, a, 'first')
  expect(await offered()).toEqual([])
  const b = await start('https://b.example')
  expect(await offered()).toEqual([[a, b]])
  expect((await app.read(exportId)).connectionId).toBe(a)
  expect((await app.change(a, { sameService: true })).status).toBe(409)
  expect((await app.change(a, { sameService: false })).status).toBe(200)
  expect(await offered()).toEqual([])
  // Back and forth, the question is open again.
  expect(await start('https://a.example')).toBe(a)
  expect(await start('https://b.example')).toBe(b)
  expect(await offered()).toEqual([[a, b]])
  expect((await app.move(a, b)).status).toBe(204)
  expect((await app.read(exportId)).connectionId).toBe(b)
  expect(await offered()).toEqual([])
  // The records go back with the address.
  expect(await start('https://a.example')).toBe(a)
  expect(await offered()).toEqual([[b, a]])
  expect((await app.move(b, a)).status).toBe(204)
  expect((await app.read(exportId)).connectionId).toBe(a)
})
