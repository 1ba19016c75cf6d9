import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { rawRequest } from '#testing/raw-request.ts'
import { testApp } from '#testing/test-app.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-web-'))
const page = '<!doctype html><title>Docket</title>'
const script = `export const text = '${'x'.repeat(5_000)}'\n`
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'index.html'), page)
await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
await writeFile(join(folder, 'assets', 'index-BxYz12.js'), script)
await writeFile(join(folder, 'assets', 'index-BxYz12.js.br'), brotliCompressSync(script))
await writeFile(join(folder, 'assets', 'index-BxYz12.js.gz'), gzipSync(script))

const app = await testApp({ webFolder: folder })
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test.for(['/', '/index.html', '/agent-jobs', '/agent-jobs/docs/job.json', '/exports/1?tab=events', '/no/such/page'])(
  'the app address %s gets the page with no-store',
  async (path) => {
    const response = await app.get(path, navigation)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe(page)
  },
)

test.for([
  '/assets/gone.js',
  '/assets/',
  '/assets/gone',
  '/favicon.ico',
  '/robots.txt',
  '/assets/index-BxYz12.js/more',
  '/assets/index-BxYz12.js.br',
])('the missing file %s is answered 404, never with the page', async (path) => {
  for (const headers of path.startsWith('/assets/') ? [{}, navigation] : [{}]) {
    const response = await app.get(path, headers)
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).not.toContain('doctype')
  }
})

test.for([
  '/../package.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
  '//etc/passwd',
])('a path cannot escape the folder: %s', async (path) => {
  const answer = await rawRequest(app.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  expect(answer).not.toContain('"name"')
  expect(answer).not.toContain('root:')
})

test('a hashed asset may be cached forever, and a file with a fixed name must be revalidated', async () => {
  const asset = await app.get('/assets/index-BxYz12.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect((await app.get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache')
})

test.for([
  ['br', 'gzip, deflate, br, zstd'],
  ['gzip', 'gzip, deflate'],
  ['gzip', 'br;q=0, gzip'],
  [null, 'identity'],
  [null, ''],
] as const)(
  'an asset is sent as %s to a browser that accepts "%s", always with the same content',
  async ([encoding, accepted]) => {
    const response = await app.get('/assets/index-BxYz12.js', { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await response.text()).toBe(script)
  },
)

test('an unchanged file is answered 304 without a body, but not if its encoding differs', async () => {
  const first = await app.get('/assets/index-BxYz12.js', { 'accept-encoding': 'br' })
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await app.get('/assets/index-BxYz12.js', { ...headers, 'accept-encoding': 'br' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await app.get('/assets/index-BxYz12.js', { ...headers, 'accept-encoding': 'gzip' })).status).toBe(200)
})

test('HEAD answers like GET without the body', async () => {
  const response = await fetch(`${app.url}/favicon.svg`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
})
