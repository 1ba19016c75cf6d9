import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { AuditList } from '@docket/api-types/audit'
import { ConnectionList, ConnectionSettings } from '@docket/api-types/connections'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startDocket } from '#testing/docket-process.ts'
import { keyedService } from '#testing/keyed-service.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-connections-'))
afterAll(() => rm(folder, { recursive: true }))

const service = async (name: string) => {
  const found = await keyedService(name, ['the_admin_key'])
  onTestFinished(found.close)
  return { ...found, variables: { ADMIN_API_URL: found.url, ADMIN_API_KEY: 'the_admin_key' } }
}

/** Starts a Docket on a data folder, works with it, and stops it. */
const during = async <T>(
  dataDir: string,
  variables: Record<string, string>,
  work: (server: ReturnType<typeof startDocket>) => Promise<T>,
): Promise<T> => {
  const server = startDocket({ DATA_DIR: join(folder, dataDir), ...variables })
  try {
    await server.ready
    return await work(server)
  } finally {
    await server.kill('SIGTERM')
  }
}

type Server = ReturnType<typeof startDocket>

const post = (server: Server, path: string, body: object = {}) =>
  server.fetch(path, { method: 'POST', body: JSON.stringify(body) })
const startExport = async (server: Server, domain = 'docs.example.com') => {
  const response = await post(server, '/api/static-exports', { requestId: crypto.randomUUID(), domain })
  return StartedStaticExport.parse(await response.json()).export
}
const readExport = async (server: Server, exportId: string) =>
  StaticExport.parse(await (await server.fetch(`/api/static-exports/${exportId}`)).json())
const readStatus = async (server: Server) => Status.parse(await (await server.fetch('/api/status')).json())
const refused = async (response: Response) => [response.status, ApiErrorBody.parse(await response.json()).message]

test('Docket reads records only from the service they belong to, and again once that service is reconnected', async () => {
  const [first, second] = [await service('first'), await service('second')]
  const { exportId } = await during('switched', first.variables, (server) => startExport(server))
  await during('switched', second.variables, async (server) => {
    // Its watcher reads what belongs to it.
    const own = await startExport(server, 'other.example.com')
    await expect.poll(() => second.seen.filter(({ path }) => path.endsWith(own.jobId!)).length).toBeGreaterThan(0)
    expect(await refused(await post(server, `/api/static-exports/${exportId}/check`))).toEqual([
      409,
      expect.stringMatching(/is no longer configured, so this is read-only/),
    ])
    expect(await readExport(server, exportId)).toMatchObject({ state: 'accepted', goneAt: null, checkFailure: null })
    expect((await readStatus(server)).connections.map(({ use }) => use)).toEqual(['active', 'gone'])
  })
  expect(second.seen.filter(({ path }) => path.includes('first-'))).toEqual([])
  await during('switched', first.variables, async (server) => {
    expect((await post(server, `/api/static-exports/${exportId}/check`)).status).toBe(200)
  })
})

const listUse = async (server: Server) =>
  (await readStatus(server)).connections
    .map(({ kind, use }) => [kind, use])
    .toSorted(([one = ''], [other]) => one.localeCompare(other ?? ''))
const findSettings = async (server: Server, kind: string) =>
  ConnectionList.parse(await (await server.fetch('/api/connections')).json()).items.find((one) => one.kind === kind)!
const addConnection = async (server: Server, name: string, { url }: { url: string }) => {
  const body = { name, baseUrl: url, key: { value: 'the_admin_key' }, production: true }
  const response = await post(server, '/api/connections', body)
  return ConnectionSettings.parse(await response.json()).connectionId
}
const twoSites = { LOCAL_SITES: `docs.localhost=${import.meta.dirname},handbook.localhost=${import.meta.dirname}` }
const starts = ({ seen }: { seen: { method: string }[] }) => seen.filter(({ method }) => method === 'POST')
const both = [
  ['embedded', 'active'],
  ['service', 'active'],
]

test.each([
  ['with LOCAL_SITES', 'named', twoSites],
  ['with its own guide as the only site, before any export', 'guide', {}],
])('a saved connection never switches off the embedded service, %s', async (_, dataDir, variables) => {
  const real = await service(dataDir)
  const connectionId = await during(dataDir, variables, (server) => addConnection(server, 'Acme', real))
  await during(dataDir, variables, async (server) => {
    expect(await listUse(server)).toEqual(both)
    expect((await readStatus(server)).local?.domains).toContain('docs.localhost')
    const started = await startExport(server, 'docs.localhost')
    expect(started.connectionId).not.toBe(connectionId)
    expect(starts(real)).toEqual([])
  })
})

test('with LOCAL_ADMIN_API=false, an export of a local site starts at another connection only if the request names it', async () => {
  const real = await service('elsewhere')
  const variables = { ...twoSites, LOCAL_ADMIN_API: 'false' }
  await during('trap', twoSites, async (server) => {
    await startExport(server, 'docs.localhost')
    await addConnection(server, 'Acme', real)
  })
  await during('trap', variables, async (server) => {
    // One was exported before, and the other one is only named in LOCAL_SITES.
    for (const domain of ['docs.localhost', 'handbook.localhost'])
      expect(
        await refused(await post(server, '/api/static-exports', { requestId: crypto.randomUUID(), domain })),
      ).toEqual([
        409,
        `${domain} belongs to This machine. This machine is off, so this is read-only. To start it elsewhere, choose a connection.`,
      ])
    expect(starts(real)).toEqual([])
    const { connectionId } = (await readStatus(server)).connections.find(({ use }) => use === 'active')!
    const named = { requestId: crypto.randomUUID(), domain: 'handbook.localhost', connectionId }
    expect((await post(server, '/api/static-exports', named)).status).toBe(201)
    // Nobody used this one, so nothing speaks against the only connection.
    expect((await startExport(server, 'new.example.com')).connectionId).toBe(connectionId)
  })
})

test('connecting a service after local use keeps the local data, and sends none of it to the service', async () => {
  const { exportId, jobId } = await during('tried', {}, (server) => startExport(server, 'docs.localhost'))
  const real = await service('real')
  await during('tried', real.variables, async (server) => {
    expect(await listUse(server)).toEqual(both)
    expect((await post(server, `/api/static-exports/${exportId}/check`)).status).toBe(200)
  })
  await during('tried', { ...real.variables, LOCAL_ADMIN_API: 'false' }, async (server) => {
    for (const path of ['check', 'bundle', 'bundle/prepare'])
      expect(await refused(await post(server, `/api/static-exports/${exportId}/${path}`))).toEqual([
        409,
        expect.stringMatching(/This machine is off/),
      ])
    expect((await server.fetch(`/api/static-exports/${exportId}/download`)).status).toBe(409)
    expect((await readStatus(server)).mode).toBe('connected')
  })
  expect(real.seen.filter(({ path }) => path.includes(jobId!))).toEqual([])
})

test('with ADMIN_API_URL, the embedded service is off until an admin enables it for the next start, which is audited', async () => {
  const real = await service('alone')
  await during('alone', real.variables, async (server) => {
    expect(await listUse(server)).toEqual([['service', 'active']])
    const { connectionId, use, embedded } = await findSettings(server, 'embedded')
    expect({ use, embedded }).toEqual({
      use: 'gone',
      embedded: { on: false, because: 'Docket uses other services', isFixed: false },
    })
    const response = await server.fetch(`/api/connections/${connectionId}`, {
      method: 'PATCH',
      body: JSON.stringify({ switchedOn: true }),
    })
    expect(ConnectionSettings.parse(await response.json())).toMatchObject({ use: 'gone', embedded: { on: true } })
  })
  await during('alone', real.variables, async (server) => {
    expect(await listUse(server)).toEqual(both)
    const { items } = AuditList.parse(await (await server.fetch('/api/audit?action=connection.changed')).json())
    expect(items.map(({ target, details }) => [target?.name, details])).toEqual([
      ['This machine', { settings: 'switchedOn', switchedOn: true }],
    ])
  })
})

test('without any service, Docket reports that and shows no made-up data', async () => {
  await during('none', { LOCAL_ADMIN_API: 'false' }, async (server) => {
    expect(await readStatus(server)).toMatchObject({ connections: [], local: null, mode: 'connected' })
    const start = { requestId: crypto.randomUUID(), domain: 'docs.example.com' }
    expect(await refused(await post(server, '/api/static-exports', start))).toEqual([
      409,
      'No service is connected. An admin can add one.',
    ])
  })
})
