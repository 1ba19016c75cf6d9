import { createHash } from 'node:crypto'
import { mkdtemp, rm, stat, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { Status } from '@docket/api-types/status'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'docket-local-'))
afterAll(() => rm(dataDir, { recursive: true }))

type Server = ReturnType<typeof startDocket>

const readStatus = async (server: Server) => Status.parse(await (await server.fetch('/api/status')).json())

const post = async (server: Server, path: string, body: unknown) =>
  (await server.fetch(path, { method: 'POST', body: JSON.stringify(body) })).json()

const read = async (server: Server, exportId: string) =>
  StaticExport.parse(await (await server.fetch(`/api/static-exports/${exportId}`)).json())

test('with nothing configured, a site is exported and its bundle downloaded despite a kill -9 in the middle', async () => {
  const first = startDocket({ DATA_DIR: dataDir })
  const { mode, local } = await readStatus(first)
  expect([mode, local?.domains, local?.projectIds]).toEqual(['local', ['docs.localhost'], ['docs']])
  const started = StartedStaticExport.parse(
    await post(first, '/api/static-exports', { requestId: crypto.randomUUID(), domain: 'https://docs.localhost/' }),
  )
  await first.kill('SIGKILL')

  const second = startDocket({ DATA_DIR: dataDir })
  try {
    const { exportId } = started.export
    await expect.poll(async () => (await read(second, exportId)).state, { interval: 250 }).toBe('completed')
    const download = await second.fetch(`/api/static-exports/${exportId}/download`)
    const bytes = new Uint8Array(await download.arrayBuffer())
    expect(download.status).toBe(200)
    expect(bytes.byteLength).toBe(Number(download.headers.get('content-length')))
    await expect
      .poll(async () => (await read(second, exportId)).bundle?.sha256)
      .toBe(createHash('sha256').update(bytes).digest('hex'))
    await expect
      .poll(async () => (await read(second, exportId)).artifact?.state, { interval: 250, timeout: 60_000 })
      .toBe('stored')
    const get = (path: string) => second.fetch(`/api/static-exports/${exportId}/${path}`)
    const stored = await get('download')
    expect(stored.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    expect(Buffer.from(bytes).equals(Buffer.from(await stored.arrayBuffer()))).toBe(true)
    expect((await (await get('download/zip')).text()).slice(0, 2)).toBe('PK')
    expect(await (await get('artifact/file?path=index.html')).text()).toMatch(/<!doctype html>/i)
    expect((await readStatus(second)).local).toEqual(local)
    expect((await stat(join(dataDir, 'local-admin-api.key'))).mode & 0o777).toBe(0o600)
  } finally {
    expect(await second.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a second Docket on one database is refused with the same data folder, and with another one if bundles are not shared', async () => {
  const database = await testDatabase()
  const shared = await mkdtemp(join(tmpdir(), 'docket-shared-'))
  const variables = { DATA_DIR: shared, DATABASE_URL: database.url, AUTH_SECRET: 'a-secret-of-two-dockets-0123456789' }
  const first = startDocket(variables)
  try {
    await first.ready
    const second = startDocket(variables)
    await expect(second.ready).rejects.toThrow(shared)
    const elsewhere = startDocket({ ...variables, DATA_DIR: join(shared, 'elsewhere') })
    await expect(elsewhere.ready).rejects.toThrow('Set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR')
    const key = (folder: string) => readFile(join(folder, 'local-admin-api.key'), 'utf8')
    expect(await key(join(shared, 'elsewhere'))).toBe(await key(shared))
  } finally {
    await first.kill('SIGTERM')
    await database.drop()
    await rm(shared, { recursive: true })
  }
})
