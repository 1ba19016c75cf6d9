import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiErrorBody } from '@docket/api-types/api-error'
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

test('connected to another service, Docket asks it nothing about records of the first one, and reads them again when that is back', async () => {
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

test('who tries Docket locally first and then connects keeps local records read-only, and the service never hears of them', async () => {
  const site = { LOCAL_SITES: `docs.localhost=${import.meta.dirname}` }
  const { exportId, jobId } = await during('tried', site, async (server) => {
    const local = await startExport(server, 'docs.localhost')
    expect((await readStatus(server)).connections).toMatchObject([{ kind: 'embedded', use: 'active' }])
    return local
  })
  const real = await service('real')
  await during('tried', real.variables, async (server) => {
    for (const path of ['check', 'bundle', 'bundle/prepare'])
      expect(await refused(await post(server, `/api/static-exports/${exportId}/${path}`))).toEqual([
        409,
        expect.stringMatching(/embedded service is off/),
      ])
    expect((await server.fetch(`/api/static-exports/${exportId}/download`)).status).toBe(409)
    expect((await readStatus(server)).mode).toBe('connected')
  })
  expect(real.seen.filter(({ path }) => path.includes(jobId!))).toEqual([])
  // Beside a service it runs only when somebody says so.
  await during('tried', { ...site, ...real.variables, LOCAL_ADMIN_API: 'true' }, async (server) => {
    expect((await readStatus(server)).connections.map(({ kind, use }) => [kind, use])).toEqual([
      ['service', 'active'],
      ['embedded', 'active'],
    ])
    expect((await post(server, `/api/static-exports/${exportId}/check`)).status).toBe(200)
  })
})

test('without any service, Docket says so and shows no made-up data', async () => {
  await during('none', { LOCAL_ADMIN_API: 'false' }, async (server) => {
    expect(await readStatus(server)).toMatchObject({ connections: [], local: null, mode: 'connected' })
    const start = { requestId: crypto.randomUUID(), domain: 'docs.example.com' }
    expect(await refused(await post(server, '/api/static-exports', start))).toEqual([
      409,
      'No service is connected. An admin can add one.',
    ])
  })
})
