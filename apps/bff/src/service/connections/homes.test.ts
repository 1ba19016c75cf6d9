import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionSettings } from '@docket/api-types/connections'
import { SavedPrompt, SavedPromptRun } from '@docket/api-types/saved-prompts'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { grants } from '#people/accounts/grants.table.ts'
import { keyedService } from '#testing/keyed-service.ts'
import { signedIn } from '#testing/people.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'

const domain = 'docs.example.com'

/** A Docket with the connections Old and Acme, which is marked as production, and no other one. */
const docket = async (options: TestAppOptions = {}) => {
  const app = await testApp(options)
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  const add = async (name: string, more: object = {}) => {
    const service = await keyedService(name, ['the_key'])
    onTestFinished(service.close)
    const body = { name, baseUrl: service.url, key: { value: 'the_key' }, ...more }
    const { connectionId } = ConnectionSettings.parse(await (await app.post('/api/connections', body)).json())
    return { connectionId, seen: service.seen }
  }
  const old = await add('Old', { agentJobCreation: true })
  const acme = await add('Acme', { production: true, agentJobCreation: true })
  const start = (body: object = {}, headers = {}) =>
    app.post('/api/static-exports', { requestId: randomUUID(), domain, ...body }, headers)
  return {
    ...app,
    add,
    old,
    acme,
    start,
    startedOn: async (body: object = {}) => {
      const response = await start(body)
      expect(response.status).toBe(201)
      return StartedStaticExport.parse(await response.json()).export.connectionId
    },
    change: (connectionId: string, body: object) => app.send('PATCH', `/api/connections/${connectionId}`, body),
  }
}

const refused = async (response: Response) => {
  const { field, message } = ApiErrorBody.parse(await response.json())
  return [response.status, field, message]
}
const elsewhere = (reason: string, name = domain) => [
  409,
  'connectionId',
  `${name} belongs to Old. ${reason} To start it elsewhere, choose a connection.`,
]

test('a domain of a paused or removed connection is started at another connection only if the request names one', async () => {
  const { start, startedOn, change, old, acme, delete: remove } = await docket()
  await startedOn({ connectionId: old.connectionId })
  await change(old.connectionId, { paused: true })
  const paused = elsewhere('Old is paused, so this is read-only.')
  expect(await refused(await start())).toEqual(paused)
  expect(await refused(await start({ domain: `https://${domain.toUpperCase()}./guide` }))).toEqual(paused)
  await remove(`/api/connections/${old.connectionId}`)
  expect(await refused(await start())).toEqual(elsewhere('Old was removed, so this is read-only.'))
  expect(acme.seen).toEqual([])
  expect(await startedOn({ connectionId: acme.connectionId })).toBe(acme.connectionId)
  // From now on the domain belongs to Acme too.
  expect(await startedOn({ confirmed: true })).toBe(acme.connectionId)
})

test('without a named connection, a domain starts where its exports are, or needs a choice if several have some', async () => {
  const { start, startedOn, old, acme } = await docket()
  expect((await start()).status).toBe(400)
  await startedOn({ connectionId: acme.connectionId })
  expect(await startedOn({ confirmed: true })).toBe(acme.connectionId)
  await startedOn({ connectionId: old.connectionId })
  expect(await refused(await start({ confirmed: true }))).toEqual([
    400,
    'connectionId',
    'Choose a connection: Old, Acme.',
  ])
})

test('neither a refused start nor a record of an unknown service binds a domain to a connection', async () => {
  const { db, startedOn, change, old, acme } = await docket()
  await db.execute(`insert into static_exports (export_id, connection_id, domain, state, started_at) values
    ('${randomUUID()}', '${old.connectionId}', '${domain}', 'refused', now()),
    ('${randomUUID()}', '${unassignedId}', '${domain}', 'completed', now())`)
  await change(old.connectionId, { paused: true })
  expect(await startedOn()).toBe(acme.connectionId)
})

test('a site keeps its domain on its connection after its exports were removed from the list', async () => {
  const { db, start, change, old, acme } = await docket()
  await db.execute(
    `insert into sites (connection_id, domain, created_at) values ('${old.connectionId}', '${domain}', now())`,
  )
  await change(old.connectionId, { paused: true })
  expect(await refused(await start())).toEqual(elsewhere('Old is paused, so this is read-only.'))
  expect(acme.seen).toEqual([])
})

test('a start is rejected if the caller may only view the connection of the domain, and ignores a connection hidden from the caller', async () => {
  const { db, start, startedOn, old, acme } = await docket()
  await startedOn({ connectionId: old.connectionId })
  const person = async (...views: string[]) => {
    const { userId, cookie } = await signedIn(db, 'none')
    await db.insert(grants).values({ userId, role: 'operator', connectionId: acme.connectionId })
    for (const connectionId of views) await db.insert(grants).values({ userId, role: 'viewer', connectionId })
    return { cookie }
  }
  expect(await refused(await start({}, await person(old.connectionId)))).toEqual(elsewhere('You can only view it.'))
  expect((await start({}, await person())).status).toBe(201)
})

test('imports and uploads of a domain use the connection of the domain', async () => {
  const { post, startedOn, change, old, acme } = await docket()
  await startedOn({ connectionId: old.connectionId })
  await change(old.connectionId, { paused: true })
  const paused = elsewhere('Old is paused, so this is read-only.')
  expect(await refused(await post('/api/static-exports/import', { jobId: 'a', domain }))).toEqual(paused)
  const bytes = { 'content-type': 'application/octet-stream' }
  expect(await refused(await post(`/api/static-exports/upload?domain=${domain}`, 'x', bytes))).toEqual(paused)
  expect(acme.seen).toEqual([])
})

test('a prompt for a project uses its connection: for a job, a saved prompt and a maintenance preview', async () => {
  const { post, change, old, acme } = await docket()
  await post('/api/projects', { connectionId: old.connectionId, projectId: 'docs', name: 'Docs' })
  await change(old.connectionId, { paused: true })
  const job = { requestId: randomUUID(), projectId: 'docs', prompt: 'Rename it.' }
  const paused = elsewhere('Old is paused, so this is read-only.', 'docs')
  expect(await refused(await post('/api/agent-prompts', job))).toEqual(paused)
  const order = { projectId: 'docs', maintenance: { action: 'fix_links' } }
  expect((await refused(await post('/api/maintenance/preview', order)))[0]).toBe(409)
  const saved = await post('/api/saved-prompts', { title: 'Rename', text: 'Rename it.' })
  const { promptId } = SavedPrompt.parse(await saved.json())
  const run = { requestId: randomUUID(), version: 1, projectIds: ['docs'], values: {} }
  const { results } = SavedPromptRun.parse(await (await post(`/api/saved-prompts/${promptId}/runs`, run)).json())
  expect(results).toMatchObject([{ state: 'not_sent', reason: paused[2], code: 'conflict' }])
  expect(acme.seen).toEqual([])
})

test('without a named connection, a prompt goes to the connection that can create agent jobs', async () => {
  const { post, change, old, acme } = await docket()
  await change(old.connectionId, { agentJobCreation: false })
  await post('/api/agent-prompts', { requestId: randomUUID(), projectId: 'new', prompt: 'Rename it.' })
  expect([old, acme].map(({ seen }) => seen.length)).toEqual([0, 1])
})
