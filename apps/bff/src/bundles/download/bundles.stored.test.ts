import { gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { PreparedBundle } from '@docket/api-types/bundles'
import { expect, test } from 'vitest'
import { bundlesApp, exportId, runningId, sha256 } from './testing/bundles-app.ts'
import { randomArchive } from './testing/storage.ts'

const page = Buffer.from('<!doctype html><script>alert(document.cookie)</script>')
const files: Record<string, Buffer> = { 'guide/index.html': page, 'a "b"\n‮.js': Buffer.from('alert(1)') }

/** Bytes of a stored object, in pieces. */
const slice = (bytes: Buffer) => async (range?: { start: number; end: number }) => {
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  return Readable.from([part.subarray(0, 1000), part.subarray(1000)], { objectMode: false })
}

/** An export whose bundle Docket has stored; the service knows nothing of it any more. */
const storedApp = async ({
  ending = '.tar.gz',
  ...options
}: Parameters<typeof bundlesApp>[0] & { ending?: string } = {}) => {
  const app = await bundlesApp(options)
  const [bundle, zip] = [randomArchive(3_000_000), randomArchive(50_000)]
  app.mood.grantStatus = 404
  app.own.stored = {
    sha256: sha256(bundle),
    ending,
    sizeBytes: bundle.length,
    read: slice(bundle),
    zip: { readSize: async () => zip.length, read: slice(zip) },
    site: {
      find: async (path) => {
        const content = files[path]
        if (content === undefined) return null
        const isText = path.endsWith('.html')
        return {
          sizeBytes: content.length,
          sha256: sha256(content),
          encoding: isText ? 'gzip' : 'identity',
          encodedBytes: isText ? gzipSync(content).length : content.length,
        }
      },
      read: (path, range) => slice(files[path]!)(range),
      readEncoded: (path) => slice(gzipSync(files[path]!))(),
    },
  }
  const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    app.request(`${exportId}/${path}`, { headers, ...init })
  const getFile = (path: string, headers: Record<string, string> = {}) =>
    get(`artifact/file?${new URLSearchParams({ path }).toString()}`, headers)
  return { ...app, bundle, zip, get, getFile }
}

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a stored bundle is downloaded byte for byte without a call to the service, which no longer has it', async () => {
  for (const delivery of ['stream', 'redirect'] as const) {
    const { get, post, bundle, audited, used, storage } = await storedApp({ delivery })
    const prepared = PreparedBundle.parse(await (await post('bundle/prepare')).json())
    expect(prepared).toEqual({ sizeBytes: 3_000_000, fileName: 'docs.example.com-2026-05-01.tar.gz' })
    const response = await get('download')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition': expect.stringContaining('"docs.example.com-2026-05-01.tar.gz"') as string,
      'content-length': '3000000',
      'content-type': 'application/gzip',
      etag: `"${sha256(bundle)}"`,
      'x-content-type-options': 'nosniff',
    })
    expect((await readBytes(response)).equals(bundle)).toBe(true)
    await expect.poll(() => used).toEqual(['bundle_prepared', 'downloaded'])
    expect(audited).toEqual(['whole'])
    expect(storage.heard).toEqual([])
  }
})

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=2999999-', 2_999_999, 3_000_000],
  ['bytes=-500', 2_999_500, 3_000_000],
  ['bytes=-9999999', 0, 3_000_000],
  ['bytes=2999000-9999999', 2_999_000, 3_000_000],
])('the range %s of a stored bundle returns the requested part', async (range, from, end) => {
  const { get, bundle, audited } = await storedApp()
  const response = await get('download', { range, 'if-range': `"${sha256(bundle)}"` })
  expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${from}-${end - 1}/3000000`])
  expect((await readBytes(response)).equals(bundle.subarray(from, end))).toBe(true)
  expect(audited).toEqual([`bytes ${from} to ${end - 1}`])
})

test('a range beyond the end, an unchanged bundle and HEAD get no body and write no audit row', async () => {
  const { get, bundle, audited, used } = await storedApp()
  for (const range of ['bytes=3000000-', 'bytes=-0']) {
    const response = await get('download', { range })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */3000000'])
  }
  for (const tag of [`"${sha256(bundle)}"`, `W/"${sha256(bundle)}"`, `"other", "${sha256(bundle)}"`, '*']) {
    const response = await get('download', { 'if-none-match': tag, range: 'bytes=0-9' })
    expect([response.status, response.headers.get('etag')]).toEqual([304, `"${sha256(bundle)}"`])
  }
  const head = await get('download', { range: 'bytes=0-9' }, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000000'])
  expect([...audited, ...used]).toEqual([])
})

test('If-Range of another bundle, several ranges or an invalid range get the whole bundle', async () => {
  const { get } = await storedApp()
  const asks: Record<string, string>[] = [
    { range: 'bytes=0-9', 'if-range': '"other"' },
    { range: 'bytes=0-1,5-6' },
    { range: 'bytes=9-5' },
    { range: 'lines=1-2' },
    { 'if-none-match': '"other"' },
  ]
  for (const headers of asks) expect([(await get('download', headers)).status]).toEqual([200])
})

test('the files are downloaded as a ZIP, and a bundle that is a ZIP is sent unchanged', async () => {
  const { get, zip, audited } = await storedApp()
  const response = await get('download/zip')
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toContain('"docs.example.com-2026-05-01.zip"')
  expect((await readBytes(response)).equals(zip)).toBe(true)
  const etag = response.headers.get('etag')!
  const rest = await get('download/zip', { range: 'bytes=10-', 'if-range': etag })
  expect([rest.status, (await readBytes(rest)).length]).toEqual([206, 49_990])
  expect(audited).toEqual(['as ZIP', 'as ZIP, bytes 10 to 49999'])
  const own = await storedApp({ ending: '.zip' })
  expect((await readBytes(await own.get('download/zip'))).equals(own.bundle)).toBe(true)
})

test('the checksum names the file as it is downloaded, in the format of sha256sum', async () => {
  const { get, bundle, audited } = await storedApp()
  const response = await get('download/sha256')
  expect(response.headers.get('content-disposition')).toContain('"docs.example.com-2026-05-01.tar.gz.sha256"')
  expect(await response.text()).toBe(`${sha256(bundle)}  docs.example.com-2026-05-01.tar.gz\n`)
  expect(audited).toEqual([])
})

test('a hostile page or script in a bundle is only saved as a file, and never runs as part of Docket', async () => {
  const { getFile, audited, used } = await storedApp()
  for (const [path, content] of Object.entries(files)) {
    const response = await getFile(path)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%-]+$/,
      ) as string,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await readBytes(response)).equals(content)).toBe(true)
  }
  expect((await getFile('../../etc/passwd')).status).toBe(404)
  expect([audited, used]).toEqual([Object.keys(files).map((path) => `file ${path}`), []])
})

test('a client that accepts gzip gets a file as it is stored compressed, and each encoding has its own ETag', async () => {
  const { getFile, get } = await storedApp()
  const path = 'guide/index.html'
  const plain = await getFile(path, { 'accept-encoding': 'gzip;q=0, br' })
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding, Range'])
  expect((await readBytes(plain)).equals(page)).toBe(true)
  const coded = await getFile(path, { 'accept-encoding': 'br, gzip' })
  expect(coded.headers.get('content-encoding')).toBe('gzip')
  expect(coded.headers.get('content-length')).toBe(String(gzipSync(page).length))
  expect((await readBytes(coded)).equals(page)).toBe(true)
  expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  const part = await getFile(path, { 'accept-encoding': 'gzip', range: 'bytes=2-8' })
  expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([206, null, 'doctype'])
  expect((await get('artifact/file')).status).toBe(400)
})

test('a download fails before its first byte when objects are missing or the audit fails', async () => {
  const { get, own, records, refused } = await storedApp()
  records.recordDownload = () => Promise.reject(new Error('The database is gone.'))
  expect((await get('download')).status).toBe(500)
  const read = () => Promise.reject(new Error('The object is gone.'))
  own.stored = { ...own.stored!, read }
  expect(await refused(await get('download'))).toMatchObject({ code: 'internal' })
})

test('a bundle that is not stored has no ZIP, files or checksum, and an uploaded one is never requested from a service', async () => {
  const { get, own, record, request, refused } = await storedApp()
  expect((await request(`${runningId}/download/zip`)).status).toBe(409)
  own.stored = null
  for (const path of ['download/zip', 'download/sha256', 'artifact/file?path=a'])
    expect(await refused(await get(path))).toMatchObject({ code: 'not_found' })
  record.jobId = null
  expect(await refused(await get('download'))).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('upload it again') as string,
  })
})
