import { randomBytes } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { PreparedBundle } from '@docket/api-types/bundles'
import { expect, test } from 'vitest'
import { bundlesApp, exportId, sha256 } from './testing/bundles-app.ts'
import { tarBlock } from './testing/storage.ts'

const tar = Buffer.concat([tarBlock(), randomBytes(20_000)])
const tarGz = gzipSync(tar)
const page = '<!doctype html><html><body>Please sign in</body></html>'
const binary = Buffer.alloc(10_000, 0x80)
const zip = Buffer.from(`PK\u0003\u0004${'x'.repeat(1000)}`)

/** A storage that holds `archive` and says nothing else about it. */
const appWith = async (archive: Buffer | string, change: { coding?: string; etag?: string | null } = {}) => {
  const app = await bundlesApp({ size: 1000 })
  Object.assign(app.mood, { archive: Buffer.from(archive), sizeBytes: null, ...change })
  return app
}

test.each([
  ['a tar in gzip', tarGz, '.tar.gz', 'application/gzip'],
  ['a zip', zip, '.zip', 'application/zip'],
  ['an empty zip', Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`), '.zip', 'application/zip'],
  ['a tar in zstd', zstdCompressSync(tar), '.tar.zst', 'application/zstd'],
  ['a tar', tar, '.tar', 'application/x-tar'],
  ['something in gzip', gzipSync(binary), '.gz', 'application/gzip'],
  ['damaged gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), '.gz', 'application/gzip'],
  ['bytes of no known archive', binary, '', 'application/octet-stream'],
])('%s takes its name and type from its bytes, everywhere', async (_, archive, ending, mediaType) => {
  const { download, post, request, recorded } = await appWith(archive)
  const fileName = `docs.example.com-2026-05-01${ending}`
  const prepared = PreparedBundle.parse(await (await post('bundle/prepare')).json())
  expect(prepared).toEqual({ sizeBytes: archive.length, fileName })
  for (const response of [
    await download(),
    await download({ range: 'bytes=1-' }),
    await download({ range: `bytes=${archive.length}-` }),
    await request(`${exportId}/download`, { method: 'HEAD' }),
  ]) {
    expect(response.headers.get('content-type')).toBe(mediaType)
    expect(response.headers.get('content-disposition')).toContain(`filename="${fileName}"`)
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status === 200 && bytes.length > 0) expect(bytes.equals(archive)).toBe(true)
  }
  await expect.poll(() => recorded.sha256).toBe(sha256(archive))
})

test.each([
  ['a web page', page, 'sent a web page instead of an archive'],
  ['a web page after blanks', `\ufeff\n <HTML>${page}`, 'sent a web page instead of an archive'],
  ['a long web page', page.repeat(1000), 'sent a web page instead of an archive'],
  ['XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'sent XML instead of an archive'],
  ['JSON', '{"error":"no"}', 'sent JSON instead of an archive'],
  ['nothing', '', 'sent an empty file'],
  ['a web page in gzip', gzipSync(page.repeat(1000)), 'sent a web page instead of an archive'],
  ['gzip in gzip', gzipSync(tarGz), 'compressed a second time'],
  ['a zip in gzip', gzipSync(zip), 'compressed a second time'],
])('%s is refused with its reason by each way to it, and nothing of it is recorded', async (_, archive, reason) => {
  const { download, post, refused, recorded } = await appWith(archive)
  const start = { range: 'bytes=0-' }
  for (const ask of [
    () => post('bundle/prepare'),
    download,
    () => download(start),
    () => download({ range: 'bytes=1-9' }),
  ]) {
    const response = await ask()
    const { message } = await refused(response)
    expect([response.status, response.headers.get('content-disposition')]).toEqual([502, null])
    expect(message).toContain(reason)
  }
  expect(recorded).toEqual({})
})

const cut = gzipSync(Buffer.concat([tarBlock(), randomBytes(19_968)]))

test.each([
  ['plain text', 'Quota exceeded', 200, 'sent plain text instead of'],
  ['a PDF', `%PDF-1.7\n${'x'.repeat(1000)}`, 200, 'sent a PDF document instead of'],
  ['an .xz archive', Buffer.from('fd377a585a000004', 'hex'), 200, 'an .xz archive, which Docket doesn’t read'],
  ['bytes of no known archive', binary, 200, 'a file of an unknown format'],
  ['something in gzip', gzipSync(binary), 200, 'a gzip file without a tar archive in it'],
  ['a web page', page, 502, 'sent a web page instead of an archive'],
  ['a web page in gzip', gzipSync(page), 502, 'sent a web page instead of an archive'],
  ['gzip in gzip', gzipSync(tarGz), 502, 'compressed a second time'],
  ['a cut .tar.gz', cut.subarray(0, -7), 200, 'It is incomplete'],
  ['a cut .zip', zip, 200, 'It is incomplete'],
  ['a cut .tar', tar.subarray(0, -7), 200, 'It is incomplete'],
])('%s is prepared with a warning, and sent anyway', async (_, archive, status, problem) => {
  const { download, post, request } = await appWith(archive)
  expect((await download()).status).toBe(status)
  expect((await post('bundle/prepare')).status).toBe(status)
  const prepared = await post('bundle/prepare?anyway=true')
  expect([prepared.status, PreparedBundle.parse(await prepared.json()).problem]).toEqual([
    200,
    expect.stringContaining(problem),
  ])
  for (const headers of [{}, { range: 'bytes=0-' }] as const) {
    const response = await request(`${exportId}/download?anyway=true`, { headers })
    expect(response.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(archive))).toBe(true)
  }
  // What one client wants anyway is still refused to others.
  expect((await download({ range: 'bytes=0-' })).status).toBe(status === 200 ? 206 : status)
})

test.each([
  ['a .tar.gz', cut],
  ['a .tar.gz with padding', Buffer.concat([cut, Buffer.alloc(512)])],
  ['an empty zip', Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`)],
  ['a .tar.zst', zstdCompressSync(tar)],
])('%s is prepared without a warning, unless storing it was refused', async (_, archive) => {
  const { post, own } = await appWith(archive)
  const prepare = async () => PreparedBundle.parse(await (await post('bundle/prepare?anyway=true')).json()).problem
  expect(await prepare()).toBeUndefined()
  own.refusal = '“../evil” leads out of the archive.'
  expect(await prepare()).toBe(own.refusal)
})

test('an archive that the storage compressed a second time is refused with a remedy', async () => {
  for (const [coding, archive] of [
    ['gzip', gzipSync(tarGz)],
    ['br', binary],
    ['gzip, br', tarGz],
  ] as const) {
    const { download, refused, recorded } = await appWith(archive, { coding })
    expect(await refused(await download())).toMatchObject({
      code: 'upstream_unexpected',
      message: expect.stringContaining('BUNDLE_DELIVERY=redirect') as string,
    })
    expect(recorded).toEqual({})
  }
})

test('a Content-Encoding that only repeats the format of the archive is dropped, and the bytes are unchanged', async () => {
  for (const coding of ['gzip', 'X-GZIP', 'identity', 'aws-chunked', 'aws-chunked,gzip']) {
    const { download } = await appWith(tarGz, { coding })
    const response = await download()
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('content-type')).toBe('application/gzip')
    expect(Buffer.from(await response.arrayBuffer()).equals(tarGz)).toBe(true)
  }
})

test('the format of a part is known for a version seen before, and otherwise read from the start of the bundle', async () => {
  const { download, mood, storage } = await appWith(tarGz)
  const ranges = async (range: string) => {
    storage.requests.length = 0
    const response = await download({ range })
    expect(response.headers.get('content-type')).toBe('application/gzip')
    await response.arrayBuffer()
    return storage.requests.map((request) => request.range)
  }
  expect(await ranges('bytes=100-199')).toEqual(['bytes=100-199', 'bytes=0-4095'])
  expect(await ranges('bytes=100-199')).toEqual(['bytes=100-199'])
  mood.etag = '"v2"'
  expect(await ranges('bytes=0-1')).toEqual(['bytes=0-1', 'bytes=0-4095'])
  mood.etag = null
  expect(await ranges('bytes=5-9')).toEqual(['bytes=5-9', 'bytes=0-4095'])
  expect(await ranges('bytes=5-9')).toEqual(['bytes=5-9', 'bytes=0-4095'])
})

test('an archive that breaks off within its first bytes is resumed before its format is judged', async () => {
  const { download, mood } = await appWith(tarGz)
  mood.cutAfter = [1, 10]
  const response = await download()
  expect(response.headers.get('content-type')).toBe('application/gzip')
  expect(Buffer.from(await response.arrayBuffer()).equals(tarGz)).toBe(true)
})

test('a download whose first bytes never arrive is an error, not a broken file', async () => {
  const { download, mood, refused } = await appWith(tarGz)
  mood.cutAfter = [1, 0, 0, 0, 0]
  expect(await refused(await download())).toMatchObject({ code: 'upstream_unavailable' })
})
