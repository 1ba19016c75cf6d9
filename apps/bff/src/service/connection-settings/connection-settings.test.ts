import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionList, ConnectionSettings, KeyCheck, ProjectList } from '@docket/api-types/connections'
import { StartedStaticExport, StaticExport, StaticExportList } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { keyedService } from '#testing/keyed-service.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

// A replica looks every two seconds; asking it more often costs more than the test itself.
const patient = { interval: 500 }

const keyFor = (name: string) => `canary_key_of_${name}`

const service = async (name: string) => {
  const found = await keyedService(name, [keyFor(name)])
  onTestFinished(found.close)
  return found
}

/** A Docket whose only connections are those that the test adds. */
const docket = async (options: TestAppOptions = {}) => {
  const app = await testApp(options)
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  await app.services.service.registry.refresh()
  const refused = async (response: Response) => {
    const { code, field, message } = ApiErrorBody.parse(await response.json())
    return { status: response.status, code, field, message }
  }
  return {
    ...app,
    refused,
    add: async (name: string, url: string, more: object = {}) => {
      const body = { name, baseUrl: url, key: { value: keyFor(name) }, ...more }
      const response = await app.post('/api/connections', body)
      expect([name, response.status]).toEqual([name, 201])
      return ConnectionSettings.parse(await response.json())
    },
    change: (connectionId: string, body: object) => app.send('PATCH', `/api/connections/${connectionId}`, body),
    list: async () => ConnectionList.parse(await (await app.get('/api/connections')).json()).items,
    status: async () => Status.parse(await (await app.get('/api/status')).json()),
    start: (body: object) =>
      app.post('/api/static-exports', { requestId: randomUUID(), domain: 'docs.example.com', ...body }),
    exports: async (query = '') =>
      StaticExportList.parse(await (await app.get(`/api/static-exports${query}`)).json()).items,
  }
}

const started = async (response: Response) => StartedStaticExport.parse(await response.json()).export

test('each record is read from its own service with its own key, and lists and counts can be filtered by connection', async () => {
  const [staging, production] = [await service('Staging'), await service('Production')]
  const app = await docket()
  const [one, two] = [await app.add('Staging', staging.url), await app.add('Production', production.url)]
  expect(await app.refused(await app.start({}))).toMatchObject({ status: 400, field: 'connectionId' })
  const first = await started(await app.start({ connectionId: one.connectionId }))
  // The same domain at another service is another site.
  const second = await started(await app.start({ connectionId: two.connectionId }))
  expect([first.jobId, second.jobId]).toEqual(['Staging-1', 'Production-1'])
  expect([first.connectionId, second.connectionId]).toEqual([one.connectionId, two.connectionId])
  for (const { exportId } of [first, second])
    expect((await app.post(`/api/static-exports/${exportId}/check`)).status).toBe(200)
  for (const [name, { seen }] of [
    ['Staging', staging],
    ['Production', production],
  ] as const) {
    expect(new Set(seen.map(({ key }) => key))).toEqual(new Set([keyFor(name)]))
    expect(seen.map(({ path }) => path)).toEqual(['/v1/static-export/jobs', `/v1/static-export/jobs/${name}-1`])
  }
  expect((await app.exports(`?connection=${two.connectionId}`)).map(({ exportId }) => exportId)).toEqual([
    second.exportId,
  ])
  const narrowed = await (await app.get(`/api/static-exports?connection=${one.connectionId}`)).json()
  expect(StaticExportList.parse(narrowed).counts).toMatchObject({ all: 1, active: 1 })
  expect(await app.exports()).toHaveLength(2)
})

test('the same job id at two services is two exports, and a second import at the same service is rejected', async () => {
  const services = [await service('Staging'), await service('Production')]
  const app = await docket()
  for (const [place, name] of ['Staging', 'Production'].entries()) {
    services[place]!.has('/v1/static-export/jobs/same', { jobId: 'same', status: 'running' })
    const { connectionId } = await app.add(name, services[place]!.url)
    const body = { connectionId, jobId: 'same', domain: 'docs.example.com' }
    expect((await app.post('/api/static-exports/import', body)).status).toBe(201)
    expect((await app.post('/api/static-exports/import', body)).status).toBe(409)
  }
  expect(await app.exports()).toHaveLength(2)
})

test('a key can be written but never read back: no answer, log or row contains it in plain text', async () => {
  const staging = await service('Staging')
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url, { readKey: { value: keyFor('Staging') } })
  const answers = [
    ...(await Promise.all(
      ['/api/connections', '/api/status', '/api/audit', `/api/connection?connection=${connectionId}`].map(
        async (path) => (await app.get(path)).text(),
      ),
    )),
    await (await app.change(connectionId, { key: { value: 'canary_key_of_nobody' } })).text(),
    await (await app.post(`/api/connections/${connectionId}/check`)).text(),
  ]
  const { rows } = await app.db.execute<{ text: string }>(sql`select connections::text as text from connections`)
  expect(`${answers.join('')}${app.logged()}${rows.map(({ text }) => text).join('')}`).not.toContain('canary_key')
  expect((await app.list()).find((known) => known.connectionId === connectionId)?.key).toEqual({
    from: 'stored',
    file: null,
  })
})

test('a new address or new bundle hosts require the key again, so only a person who knows the key can redirect it', async () => {
  const [staging, thief] = [await service('Staging'), await service('Thief')]
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url, { readKey: { value: keyFor('Staging') } })
  for (const change of [{ baseUrl: thief.url }, { bundleHosts: ['127.0.0.1:1'] }])
    expect(await app.refused(await app.change(connectionId, change))).toMatchObject({ status: 400, field: 'key' })
  const withKey = { baseUrl: thief.url, key: { value: keyFor('Staging') } }
  expect(await app.refused(await app.change(connectionId, withKey))).toMatchObject({ status: 400, field: 'readKey' })
  expect(thief.seen).toEqual([])
  expect((await app.change(connectionId, { ...withKey, readKey: null })).status).toBe(200)
})

test.each([
  ['ftp://a.example', /https:\/\//],
  ['http://a.example', /https/],
  ['https://user:pass@a.example', /user name/],
  ['https://a.example/?key=1', /query/],
])('the address %s is rejected as it is in the environment, and nothing is saved', async (baseUrl, message) => {
  const app = await docket()
  const body = { name: 'Bad', baseUrl, key: { value: 'some_key' } }
  expect(await app.refused(await app.post('/api/connections', body))).toMatchObject({
    status: 400,
    field: 'baseUrl',
    message: expect.stringMatching(message) as string,
  })
  expect(await app.list()).toEqual([])
})

test('a key file must be directly inside CONNECTION_KEYS_DIR, and no path can escape that folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-keys-'))
  const outside = join(folder, 'outside')
  const keysFolder = join(folder, 'keys')
  await mkdir(keysFolder)
  await writeFile(outside, 'canary_of_another_file\n')
  await writeFile(join(keysFolder, 'staging'), `${keyFor('Staging')}\n`)
  await symlink(outside, join(keysFolder, 'link'))
  const staging = await service('Staging')
  const app = await docket({ keysFolder })
  for (const file of ['../outside', 'link', '/etc/passwd', '.', '..', 'missing', '..%2foutside']) {
    const body = { name: 'Staging', baseUrl: staging.url, key: { file } }
    const response = await app.post('/api/connections', body)
    const text = await response.clone().text()
    expect([file, response.status, text.includes('canary') || text.includes(folder)]).toEqual([file, 400, false])
  }
  expect(staging.seen).toEqual([])
  const { key } = await app.add('Staging', staging.url, { key: { file: 'staging' } })
  expect(key).toEqual({ from: 'file', file: 'staging' })
})

test('records of a paused or removed connection are read-only with that reason, and no calls are made for them', async () => {
  const staging = await service('Staging')
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url)
  const { exportId } = await started(await app.start({}))
  const asked = () => staging.seen.length
  const before = asked()
  const check = () => app.post(`/api/static-exports/${exportId}/check`)
  expect((await app.change(connectionId, { paused: true })).status).toBe(200)
  expect(await app.refused(await check())).toMatchObject({
    status: 409,
    message: expect.stringContaining('paused') as string,
  })
  expect(await app.refused(await app.start({ connectionId }))).toMatchObject({ status: 409, field: 'connectionId' })
  expect((await app.status()).connections).toMatchObject([
    { use: 'paused', useReason: expect.stringContaining('paused') as string },
  ])
  expect((await app.change(connectionId, { paused: false })).status).toBe(200)
  expect((await check()).status).toBe(200)
  expect((await app.delete(`/api/connections/${connectionId}`)).status).toBe(204)
  expect(await app.refused(await check())).toMatchObject({
    status: 409,
    message: expect.stringContaining('removed') as string,
  })
  expect(asked()).toBe(before + 1)
  // It is still listed, and can be taken off the list.
  expect(StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json()).state).toBe('accepted')
  expect((await app.delete(`/api/static-exports/${exportId}`)).status).toBe(204)
  const [row] = await app.db.select().from(connections).where(eq(connections.connectionId, connectionId))
  expect(row).toMatchObject({ sealedKey: null, keyFile: null })
})

test('a connection change takes effect in every replica: another Docket on the database uses, pauses and drops the connection', async () => {
  const staging = await service('Staging')
  const database = await testDatabase()
  onTestFinished(database.drop)
  const [one, two] = [await docket({ database }), await docket({ database, watch: true })]
  const { connectionId } = await one.add('Staging', staging.url)
  await expect
    .poll(async () => (await two.status()).connections, patient)
    .toMatchObject([{ use: 'active', name: 'Staging' }])
  const { exportId } = await started(await two.start({}))
  // The watcher of the other one reads it.
  await expect.poll(() => staging.seen.filter(({ method }) => method === 'GET').length, patient).toBeGreaterThan(0)
  await one.change(connectionId, { paused: true })
  await expect.poll(async () => (await two.status()).connections[0]?.use, patient).toBe('paused')
  expect((await two.post(`/api/static-exports/${exportId}/check`)).status).toBe(409)
})

test('a rejected key of one connection does not affect another, and pauses and budgets are separate', async () => {
  const [staging, production] = [await service('Staging'), await service('Production')]
  const app = await docket()
  const one = await app.add('Staging', staging.url, { callsPerHour: 100 })
  const two = await app.add('Production', production.url)
  const [first, second] = [
    await started(await app.start({ connectionId: one.connectionId })),
    await started(await app.start({ connectionId: two.connectionId })),
  ]
  production.accept('another_key')
  await app.post(`/api/static-exports/${second.exportId}/check`)
  const check = await app.post(`/api/static-exports/${first.exportId}/check`)
  expect(StaticExport.parse(await check.json()).checkFailure).toBeNull()
  const states = (await app.status()).connections.map(({ name, state }) => [name, state])
  expect(states).toEqual([
    ['Staging', 'ok'],
    ['Production', 'key_rejected'],
  ])
})

test('a key test requests a random id: 404 proves the key if another key gets 401, 401 rejects it, and 403 leaves it undecided with possible causes', async () => {
  const staging = await service('Staging')
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url)
  const check = async () => KeyCheck.parse(await (await app.post(`/api/connections/${connectionId}/check`)).json())
  expect(await check()).toMatchObject({ outcome: 'proven' })
  const isReadOfUnknownId = expect.stringContaining('/v1/static-export/jobs/') as string
  expect(staging.seen).toMatchObject([
    { method: 'GET', path: isReadOfUnknownId, key: keyFor('Staging') },
    { method: 'GET', path: isReadOfUnknownId },
  ])
  await app.post('/api/projects', { connectionId, projectId: 'docs', name: 'Handbook', isDefault: true })
  await check()
  expect(staging.seen.at(-1)?.path).toMatch(/^\/v2\/agent\/docs\/job\//)
  expect(ProjectList.parse(await (await app.get('/api/projects')).json()).items).toEqual([
    { connectionId, projectId: 'docs', name: 'Handbook', isDefault: true },
  ])
  staging.answerAll(403)
  expect(await check()).toMatchObject({
    outcome: 'not_proven',
    message: expect.stringMatching(/allow list.*plan/) as string,
  })
  const [listed] = await app.list()
  expect(listed?.keyHealth).toMatchObject({
    check: { outcome: 'not_proven' },
    lastAcceptedAt: expect.any(String) as string,
  })
})

test('a new key is tested once for all replicas, and a changed key file ends the pause caused by the old key', async () => {
  const keysFolder = await mkdtemp(join(tmpdir(), 'docket-keys-'))
  const file = join(keysFolder, 'staging')
  await writeFile(file, 'an_old_key')
  const staging = await service('Staging')
  const database = await testDatabase()
  onTestFinished(database.drop)
  const replica = () => docket({ database, keysFolder, testKeys: true, watch: true })
  const [one] = [await replica(), await replica()]
  const { connectionId } = await one.add('Staging', staging.url, { key: { file: 'staging' } })
  const health = async () => (await one.list()).find((known) => known.connectionId === connectionId)?.keyHealth.check
  await expect.poll(async () => (await health())?.outcome, patient).toBe('rejected')
  expect(staging.seen.map(({ key }) => key)).toEqual(['an_old_key'])
  await writeFile(file, keyFor('Staging'))
  await expect.poll(async () => (await health())?.outcome, patient).toBe('proven')
  expect(staging.seen.filter(({ key }) => key === keyFor('Staging'))).toHaveLength(1)
  await expect.poll(async () => (await one.status()).connections, patient).toMatchObject([{ state: 'ok' }])
  expect((await started(await one.start({}))).jobId).toBe('Staging-1')
})

test('a warning about the expiry of a key appears 14, 7 and 1 days before it and after it', async () => {
  const staging = await service('Staging')
  const app = await docket({ now: () => Date.parse('2026-05-06T23:00:00Z') })
  const { connectionId } = await app.add('Staging', staging.url)
  const warning = async (keyExpiresOn: string) => {
    await app.change(connectionId, { keyExpiresOn })
    return (await app.status()).connections[0]?.keyWarning ?? null
  }
  expect(await warning('2026-05-21')).toBeNull()
  expect(await warning('2026-05-20')).toMatch(/in 14 days, on 2026-05-20/)
  expect(await warning('2026-05-13')).toMatch(/in 7 days/)
  expect(await warning('2026-05-07')).toMatch(/in 1 day,/)
  expect(await warning('2026-05-06')).toMatch(/today/)
  expect(await warning('2026-05-05')).toMatch(/expired on 2026-05-05/)
})

test('unassigned records are read-only until an admin moves them, and a record that exists at the target is not moved', async () => {
  const staging = await service('Staging')
  staging.has('/v1/static-export/jobs/known', { jobId: 'known', status: 'running' })
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url)
  const [moved, twin] = [randomUUID(), randomUUID()]
  await app.post('/api/static-exports/import', { connectionId, jobId: 'known', domain: 'docs.example.com' })
  await app.db.execute(sql`
    insert into static_exports (export_id, connection_id, domain, state, job_id, started_at)
    values (${moved}, ${unassignedId}, 'old.example.com', 'accepted', 'old', now()),
      (${twin}, ${unassignedId}, 'old.example.com', 'accepted', 'known', now())`)
  const asked = staging.seen.length
  expect(await app.refused(await app.post(`/api/static-exports/${moved}/check`))).toMatchObject({ status: 409 })
  const move = (from: string, to: string) => app.post(`/api/connections/${from}/move-records`, { to })
  expect((await move(connectionId, connectionId)).status).toBe(409)
  expect((await move(unassignedId, connectionId)).status).toBe(204)
  expect(staging.seen.length).toBe(asked)
  const read = async (exportId: string) =>
    StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json()).connectionId
  expect([await read(moved), await read(twin)]).toEqual([connectionId, unassignedId])
})

test('a connection without its key file reports the problem, accepts another key, and resumes when the file is restored', async () => {
  const keysFolder = await mkdtemp(join(tmpdir(), 'docket-keys-'))
  const file = join(keysFolder, 'staging')
  await writeFile(file, keyFor('Staging'))
  const staging = await service('Staging')
  const database = await testDatabase()
  onTestFinished(database.drop)
  const { connectionId } = await (
    await docket({ database, keysFolder })
  ).add('Staging', staging.url, {
    key: { file: 'staging' },
  })
  await rm(file)
  const app = await docket({ database, keysFolder, watch: true })
  const [known] = (await app.status()).connections
  expect(known).toMatchObject({ use: 'unusable', useReason: expect.stringMatching(/no key file staging/) as string })
  await writeFile(file, keyFor('Staging'))
  await expect.poll(async () => (await app.status()).connections[0]?.use, patient).toBe('active')
  await app.db.update(connections).set({ keyFile: null }).where(eq(connections.connectionId, connectionId))
  const reason = async () => (await app.status()).connections[0]?.useReason
  await expect.poll(reason, patient).toMatch(/Its key is missing. Enter it again./)
  expect((await app.change(connectionId, { key: { value: keyFor('Staging') } })).status).toBe(200)
  expect((await app.status()).connections[0]?.use).toBe('active')
})

test('two connections cannot have the same name, and a failed change has no effect', async () => {
  const staging = await service('Staging')
  const app = await docket()
  const { connectionId } = await app.add('Staging', staging.url)
  await app.add('Production', staging.url)
  const body = { name: 'STAGING', baseUrl: staging.url, key: { value: 'k' } }
  expect(await app.refused(await app.post('/api/connections', body))).toMatchObject({ status: 400, field: 'name' })
  const change = { name: 'Production', callsPerHour: 7 }
  expect(await app.refused(await app.change(connectionId, change))).toMatchObject({ status: 400, field: 'name' })
  expect((await app.list()).find((known) => known.connectionId === connectionId)).toMatchObject({
    name: 'Staging',
    callsPerHour: 3600,
  })
})
