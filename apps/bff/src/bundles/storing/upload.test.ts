import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { StorageReport } from '@docket/api-types/storage'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { History } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { sumText, testArtifacts } from '#testing/artifact-kit.ts'
import { testApp } from '#testing/test-app.ts'
import { endStalled } from './fetch-bundle.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-upload-'))
const app = await testApp({ artifacts: testArtifacts(folder, 100_000) })
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (domain: string) => `/api/static-exports/upload?domain=${encodeURIComponent(domain)}&version=3.1`
const octets = { 'content-type': 'application/octet-stream' }
const upload = (text: string, domain = 'https://Docs.example.com/guide') => app.post(path(domain), text, octets)
const filesIn = async (name: string) => {
  const found = await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const countExports = async () => (await app.db.execute(sql`select from static_exports`)).rowCount

test('an uploaded bundle becomes a completed export of its domain, stored and checked, with history and audit', async () => {
  const text = `${JSON.stringify([{ fingerprint: 'aa', level: 'leaks' }])} uploaded`
  const response = await upload(text)
  expect(response.status).toBe(201)
  const { export: made, domainNotes } = StartedStaticExport.parse(await response.json())
  expect(domainNotes).toEqual(['Removed https:// and the path /guide.'])
  expect(made).toMatchObject({
    domain: 'docs.example.com',
    version: '3.1',
    state: 'completed',
    jobId: null,
    imported: true,
    bundle: {
      sizeBytes: text.length,
      sha256: sumText(text),
    },
    artifact: {
      state: 'stored',
      sha256: sumText(text),
      check: {
        findings: {
          breaks: 0,
          leaks: 1,
          notes: 0,
        },
      },
    },
  })
  const { events } = History.parse(await (await app.get(`/api/static-exports/${made.exportId}/history`)).json())
  expect(events.map(({ kind }) => kind)).toEqual(['uploaded', 'bundle_stored'])
  expect([made.startedBy, events[0]?.by]).toEqual(['The admin', 'The admin'])
  const audited = await app.db.select().from(auditEvents)
  expect(audited.map(({ action, targetId }) => [action, targetId])).toContainEqual([
    'static_export.uploaded',
    made.exportId,
  ])
  // The list finds it by its findings.
  const list = await (await app.get('/api/static-exports?findings=true')).json()
  expect(list).toMatchObject({ items: [{ exportId: made.exportId, artifact: { state: 'stored' } }] })
  expect(await (await app.get('/api/static-exports/export.csv')).text()).toContain('stored,0,1')
  const statistics = await (await app.get('/api/static-exports/statistics?domain=docs.example.com')).json()
  expect(statistics).toMatchObject({ exports: [{ findings: 1 }] })
})

test('the storage page lists what is stored, for which exports, and the free space; a copy is kept and deleted by its export', async () => {
  const made = StartedStaticExport.parse(await (await upload('[] second')).json()).export
  const read = async () => StorageReport.parse(await (await app.get('/api/storage?sort=largest')).json())
  const report = await read()
  expect(report).toMatchObject({ store: 'local', isWell: true, bundles: 2, retention: { perSite: 20, days: 365 } })
  expect(report.freeBytes).toBeGreaterThan(0)
  expect(report.storedBytes).toBe(report.items.reduce((sum, { storedBytes }) => sum + storedBytes, 0))
  expect(report.items.map(({ exports }) => exports.map(({ domain }) => domain))).toEqual([
    ['docs.example.com'],
    ['docs.example.com'],
  ])
  const at = `/api/static-exports/${made.exportId}/artifact`
  const kept = StaticExport.parse(await (await app.post(`${at}/keep`)).json())
  expect(kept.artifact?.kept).toBe(true)
  const deleted = StaticExport.parse(await (await app.delete(at)).json())
  expect(deleted.artifact).toMatchObject({ state: 'not_stored', reason: 'deleted' })
  expect(ApiErrorBody.parse(await (await app.post(at)).json()).message).toContain('uploaded')
  expect((await read()).bundles).toBe(1)
})

test('an upload that is broken, empty, too large, for an invalid domain or not permitted leaves nothing behind', async () => {
  const before = { rows: await countExports(), files: await filesIn('artifacts') }
  const refusals = [
    [await upload('no archive'), 400, 'These bytes are no archive'],
    [await upload(''), 400, 'The bundle is empty.'],
    [await upload('bomb'), 413, 'The content of the archive is larger than 8 GB.'],
    [await upload('['.repeat(100_001)), 413, 'ARTIFACT_MAX_BYTES'],
    [await upload('[]', '10.0.0.1'), 400, 'address'],
    [await app.post(path('docs.example.com'), '{}', { 'content-type': 'text/plain' }), 400, 'JSON'],
  ] as const
  for (const [response, status, words] of refusals) {
    expect(response.status).toBe(status)
    expect(ApiErrorBody.parse(await response.json()).message).toContain(words)
  }
  // The sender leaves in the middle.
  await new Promise<void>((resolve) => {
    const headers = { ...octets, 'content-length': '5000', 'x-docket': '1', origin: app.url, cookie: app.cookie! }
    const sending = request(app.url + path('docs.example.com'), { method: 'POST', headers })
    sending.on('error', () => resolve())
    sending.write('[] half', () => setTimeout(() => sending.destroy(), 50))
  })
  await expect.poll(() => filesIn('artifact-staging'), { timeout: 20_000 }).toEqual([])
  expect(await countExports()).toBe(before.rows)
  expect(await filesIn('artifacts')).toEqual(before.files)
})

test('the copy of a removed export is still listed on the storage page, and can be deleted there', async () => {
  const made = StartedStaticExport.parse(await (await upload('[] removed')).json()).export
  const at = `/api/static-exports/${made.exportId}`
  const listed = async () => {
    const { items } = StorageReport.parse(await (await app.get('/api/storage')).json())
    return items.flatMap(({ exports }) => exports.map(({ exportId }) => exportId))
  }
  expect((await app.delete(at)).status).toBe(204)
  expect(await listed()).toContain(made.exportId)
  const deleted = await app.delete(`${at}/artifact`)
  expect(deleted.status).toBe(200)
  expect(StaticExport.parse(await deleted.json())).toMatchObject({
    removedAt: expect.any(String),
    artifact: { state: 'not_stored', reason: 'deleted' },
  })
  expect(await listed()).not.toContain(made.exportId)
  for (const exportId of [made.exportId, randomUUID()])
    expect((await app.delete(`/api/static-exports/${exportId}/artifact`)).status).toBe(404)
})

test('a stalled or slow upload is aborted, but not one that waits for Docket', async () => {
  const chunk = Buffer.from('12345')
  const drip = async function* (pauseMs: number) {
    for (let n = 0; n < 4; n += 1) yield await delay(pauseMs, chunk)
  }
  const take = async (bytes: AsyncIterable<Uint8Array>, pace: Parameters<typeof endStalled>[1], pauseMs = 0) => {
    let size = 0
    for await (const { length } of endStalled(bytes, pace)) size += await delay(pauseMs, length)
    return size
  }
  const still = (async function* () {
    yield chunk
    await new Promise<never>(() => {})
  })()
  const ended = { code: 'invalid_request', message: expect.stringContaining('too slow') }
  await expect(take(still, { bytes: 5, waitMs: 50 })).rejects.toMatchObject(ended)
  await expect(take(drip(100), { bytes: 1000, waitMs: 250 })).rejects.toMatchObject(ended)
  expect(await take(drip(50), { bytes: 5, waitMs: 2_000 })).toBe(20)
  expect(await take(drip(0), { bytes: 1000, waitMs: 200 }, 100)).toBe(20)
})
