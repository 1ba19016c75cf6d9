import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { siteInMemory } from '#testing/site-in-memory.ts'
import { locateAddress } from './locate.ts'
import { addQuery, readOwnAddress } from './redirect-rules.ts'
import { respondWithFile } from './respond.ts'

const files = {
  'site/index.html': '<h1>Home</h1>',
  'site/guide.html': '<h1>Guide</h1>',
  'site/api/index.html': '<h1>API</h1>',
  'site/a b/ü.html': '<h1>Ü</h1>',
  'site/style.css': 'body { color: red }',
  'site/logo.png': Buffer.from('0123456789'),
  'site/404.html': '<h1>Not here</h1>',
  'site/export-report.json': '{}',
  'site/_redirects': '/old /guide',
  'site/_headers': '/*',
  'site/.gitignore': '*.draft',
  'site/api/.gitattributes': '*.html text',
  'site/.git/config': '[core]',
  'site/.docket/delivery.json': '{}',
  'site/.docket-x.html': 'x',
  'site/api/export-report.json': '{}',
  'site/api/_headers': '{}',
  'site/.github/index.html': '<h1>Community files</h1>',
  'secret.html': 'outside the root',
}
const rules = {
  root: 'site/',
  redirects: [
    { from: '/old', to: '/guide' },
    { from: '/v1/*', to: '/api/:splat' },
    { from: '/guide', to: '/never' },
    { from: '/away', to: 'https://elsewhere.example/' },
    { from: '/evil/*', to: '/:splat' },
    { from: '/host/*', to: 'https://:splat' },
    { from: '/encoded%20name', to: '/a b/ü"\n' },
    { from: '/loop', to: '/loop/' },
    { from: '/*', to: '/index.html' },
  ],
}
const site = siteInMemory(files, rules)

test.for([
  ['/', 'site/index.html'],
  ['/index.html', 'site/index.html'],
  ['/guide', 'site/guide.html'],
  ['/guide.html', 'site/guide.html'],
  ['/guide/', '308 /guide'],
  ['/api/', 'site/api/index.html'],
  ['/api', '308 /api/'],
  ['/a%20b/%C3%BC', 'site/a b/ü.html'],
  ['/a%20b/%C3%BC/', '308 /a%20b/%C3%BC'],
  ['/style.css', 'site/style.css'],
  ['/old', '302 /guide'],
  ['/old/', '302 /guide'],
  ['/v1/x/y', '302 /api/x/y'],
  ['/away', '302 https://elsewhere.example/'],
  ['/v1/%C3%BC%0d', '302 /api/%C3%BC%0d'],
  ['/v1/$&', '302 /api/%24&'],
  ['/evil//evil.example', '404 site/404.html'],
  ['/host/evil.example', '404 site/404.html'],
  ['/encoded%20name', '302 /a%20b/%C3%BC%22%0A'],
  ['/loop', '404 site/404.html'],
  ['/nowhere', '404 site/404.html'],
  ['/export-report.json', '404 site/404.html'],
  ['/%65xport-report%2Ejson', '404 site/404.html'],
  ['/_redirects', '404 site/404.html'],
  ['/_headers', '404 site/404.html'],
  ['/.gitignore', '404 site/404.html'],
  ['/api/.gitattributes', '404 site/404.html'],
  ['/.git/config', '404 site/404.html'],
  ['/.docket/delivery.json', '404 site/404.html'],
  ['/.docket-x', '404 site/404.html'],
  ['/api/export-report.json', 'site/api/export-report.json'],
  ['/api/_headers', 'site/api/_headers'],
  ['/.github/', 'site/.github/index.html'],
  ['/secret', '404 site/404.html'],
  ['/../secret', '404 site/404.html'],
  ['/%2e%2e/secret', '404 site/404.html'],
  ['//evil.example', 'nothing'],
  ['/%2Fevil.example', 'nothing'],
  ['/\\evil.example', 'nothing'],
  ['/%', 'nothing'],
  ['/%00', 'nothing'],
] as const)('the address %s leads to %s', async ([address, expected]) => {
  const found = await locateAddress(site, rules, address)
  const shown = {
    file: () => (found.kind === 'file' ? `${found.status === 404 ? '404 ' : ''}${found.file.path}` : ''),
    redirect: () => (found.kind === 'redirect' ? `${found.status} ${found.to}` : ''),
    nothing: () => 'nothing',
  }[found.kind]()
  expect(shown).toBe(expected)
})

test('a site without a 404 page sends no file for an unknown address', async () => {
  const bare = siteInMemory({ 'index.html': 'x' })
  expect(await locateAddress(bare, { root: '', redirects: [] }, '/x')).toEqual({ kind: 'nothing' })
})

const respond = async (path: string, headers: IncomingHttpHeaders, method = 'GET', status: 200 | 404 = 200) => {
  const { status: sent, headers: all, body } = respondWithFile((await site.find(path))!, { method, headers }, status)
  return { status: sent, body, ...all }
}

test('a text is sent as stored gzip, and decoded for clients that do not accept gzip', async () => {
  const { sha256 } = (await site.find('site/style.css'))!
  const gzip = await respond('site/style.css', { 'accept-encoding': 'br, gzip' })
  expect(gzip).toMatchObject({ status: 200, body: 'encoded', 'Content-Encoding': 'gzip', ETag: `"${sha256}-gzip"` })
  expect(gzip).toMatchObject({ 'Content-Type': 'text/css; charset=utf-8', Vary: 'Accept-Encoding' })
  for (const accepted of [undefined, 'br', 'gzip;q=0', 'identity'])
    expect(await respond('site/style.css', { 'accept-encoding': accepted })).toMatchObject({
      body: { start: 0, end: 18 },
      ETag: `"${sha256}"`,
      'Content-Length': '19',
    })
})

test('a client gets 304 only for the encoding of the file that it already has', async () => {
  const { sha256 } = (await site.find('site/style.css'))!
  const ask = (tag: string) => respond('site/style.css', { 'if-none-match': tag, 'accept-encoding': 'gzip' })
  for (const tag of [`"${sha256}-gzip"`, `W/"${sha256}-gzip"`, `"x", "${sha256}-gzip"`, '*'])
    expect(await ask(tag)).toMatchObject({ status: 304, body: 'none' })
  expect((await ask(`"${sha256}"`)).status).toBe(200)
})

test.for([
  ['bytes=0-3', 206, 'bytes 0-3/10'],
  ['bytes=8-', 206, 'bytes 8-9/10'],
  ['bytes=-4', 206, 'bytes 6-9/10'],
  ['bytes=5-999', 206, 'bytes 5-9/10'],
  ['bytes=10-', 416, 'bytes */10'],
  ['bytes=-0', 416, 'bytes */10'],
  ['bytes=3-1', 200, undefined],
  ['bytes=0-1,4-5', 200, undefined],
  ['pages=1-2', 200, undefined],
] as const)('the range %s is answered with %i', async ([range, status, contentRange]) => {
  const answer: Record<string, unknown> = await respond('site/logo.png', { range })
  expect([answer['status'], answer['Content-Range']]).toEqual([status, contentRange])
})

test('If-Range with another version’s tag sends the whole file', async () => {
  const { sha256 } = (await site.find('site/logo.png'))!
  expect((await respond('site/logo.png', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  expect((await respond('site/logo.png', { range: 'bytes=0-1', 'if-range': `"${sha256}"` })).status).toBe(206)
})

test('HEAD has the headers of GET without a body, and a 404 page has no ETag', async () => {
  expect(await respond('site/logo.png', {}, 'HEAD')).toMatchObject({ body: 'none', 'Content-Length': '10' })
  const missing = await respond('site/404.html', { range: 'bytes=0-1', 'if-none-match': '*' }, 'GET', 404)
  expect(missing).toMatchObject({ status: 404, body: { start: 0 } })
  expect(missing).not.toHaveProperty('ETag')
})

test('a redirect keeps the query of the request and puts it before a fragment', () => {
  expect(addQuery('/guide', '')).toBe('/guide')
  expect(addQuery('/guide#install', 'a=b')).toBe('/guide?a=b#install')
  expect(addQuery('https://other.example/?from=old', 'a=b')).toBe('https://other.example/?from=old&a=b')
})

test('addresses of the site are distinguished from those of other sites', () => {
  expect(readOwnAddress('/guide/?a=b#install')).toBe('/guide/?a=b#install')
  for (const address of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])
    expect(readOwnAddress(address)).toBeNull()
})
