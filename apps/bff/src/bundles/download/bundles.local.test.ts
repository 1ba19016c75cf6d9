import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PreparedBundle } from '@docket/api-types/bundles'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { localAdminApi } from '@docket/local-admin-api'
import { exportInProcess } from '@docket/local-admin-api/testing/export-in-process'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '#testing/test-app.ts'
import { testDatabase } from '#testing/database.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-bundles-'))
const site = join(folder, 'site')
await mkdir(site)
await writeFile(join(site, 'index.md'), '# Welcome\n\n![A picture](./noise.png)\n')
// Large enough that a link that dies half way dies in the middle of a transfer.
await writeFile(join(site, 'noise.png'), randomBytes(2_000_000))
const key = 'docket_key-of-the-bundle-tests'
const database = await testDatabase()
const local = await localAdminApi({
  database: database.db,
  dataDir: join(folder, 'service'),
  sites: { 'docs.localhost': site },
  startExport: exportInProcess,
  key,
})
const app = await testApp({ upstream: { url: local.url, key }, mode: 'local', watch: true })
afterAll(async () => {
  await app.close()
  await local.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const completed = async (domain: string) => {
  const start = await app.post('/api/static-exports', { requestId: crypto.randomUUID(), domain })
  const { exportId } = StartedStaticExport.parse(await start.json()).export
  const read = async () => StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json())
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('completed')
  return { path: `/api/static-exports/${exportId}`, read }
}

test.each(['docs.localhost', 'early-link.sentinel.test', 'dying-link.sentinel.test'])(
  'the bundle of %s is exported, prepared and downloaded whole, and its size and hash are recorded with the export',
  async (domain) => {
    const { path, read } = await completed(domain)
    const prepared = PreparedBundle.parse(await (await app.post(`${path}/bundle/prepare`)).json())
    const response = await app.get(`${path}/download`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(bytes.length).toBe(prepared.sizeBytes)
    expect(bytes.length).toBeGreaterThan(2_000_000)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await expect.poll(async () => (await read()).bundle?.sha256).toBe(sha256)
    const { bundle } = await read()
    expect(bundle).toMatchObject({ sizeBytes: bytes.length, sha256 })
    expect(prepared.fileName).toBe(`${bundle?.fileName}.tar.gz`)
    const etag = response.headers.get('etag') ?? ''
    const rest = await app.get(`${path}/download`, { range: 'bytes=1000000-', 'if-range': etag })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1_000_000))).toBe(true)
    expect(app.logged()).not.toContain('signature=')
  },
)
