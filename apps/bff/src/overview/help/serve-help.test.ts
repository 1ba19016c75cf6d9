import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { storeSite } from '@docket/site-bundle/testing/store-site'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHelpServer } from '#testing/help-server.ts'
import { openStoredGuide, type Guide } from './stored-guide.ts'

const guide = siteInMemory({
  'index.html': '<h1>Docket</h1>',
  'exports/start.html': '<h1>Start an export</h1>',
  'exports/index.html': '<h1>Exports</h1>',
  '_docket/site.css': 'a {}',
  '404.html': '<h1>Not here</h1>',
})

const inMemory = { findSum: async () => 'a'.repeat(64), open: () => guide }

const start = async (at: Parameters<typeof startHelpServer>[1], stored: Guide) => {
  const help = await startHelpServer(stored, at)
  onTestFinished(help.close)
  return help
}

test('on one computer, the guide opens under localhost at the port of the browser, without cookies or other hosts', async () => {
  const { get } = await start({}, inMemory)
  for (const host of ['127.0.0.1:4000', 'docket-0123456789ab.localhost:4000'])
    expect((await get(host, '/help/exports/start?q=1')).headers['location']).toBe(
      'http://docket-help.localhost:4000/exports/start?q=1',
    )
  expect((await get('localhost', '/help')).headers['location']).toBe('http://docket-help.localhost/')
  const page = await get('docket-help.localhost:4000', '/exports/start', { cookie: 'session=1' })
  expect(page).toMatchObject({ status: 200, body: '<h1>Start an export</h1>' })
  expect(page.headers['set-cookie']).toBeUndefined()
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'self' 'unsafe-inline' data:; /)
  expect(page.headers['content-security-policy']).not.toContain('sandbox')
  const again = { 'if-none-match': String(page.headers['etag']) }
  expect(await get('docket-help.localhost:4000', '/exports/start', again)).toMatchObject({ status: 304, body: '' })
  expect(await get('docket-help.localhost:4000', '/nowhere')).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
  expect((await get('docket-help.localhost', '/', {}, 'POST')).status).toBe(405)
})

test('on a server, the guide opens below HOSTING_URL', async () => {
  const { get } = await start(
    { publicUrl: 'https://docket.example.com', hostingUrl: 'https://*.docs.example' },
    inMemory,
  )
  expect((await get('docket.example.com', '/help/')).headers['location']).toBe('https://docket-help.docs.example/')
  expect((await get('docket-help.docs.example', '/')).body).toBe('<h1>Docket</h1>')
})

test.each([undefined, 'https://*.docs.example.com'])(
  'without hostnames for sites (HOSTING_URL=%s), the guide opens at Docket’s address in a sandbox with an opaque origin',
  async (hostingUrl) => {
    const { get } = await start(
      { publicUrl: 'https://docket.example.com', ...(hostingUrl && { hostingUrl }) },
      inMemory,
    )
    const host = 'docket.example.com'
    expect(await get(host, '/help')).toMatchObject({ status: 302, headers: { location: '/help/' } })
    const page = await get(host, '/help/exports/start')
    expect(page).toMatchObject({ status: 200, body: '<h1>Start an export</h1>' })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src https:\/\/docket\.example\.com\/help\/ /)
    expect(policy).toMatch(/; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox$/)
    expect((await get(host, '/help/nowhere')).headers['content-security-policy']).toBe(policy)
    expect((await get(host, '/help/exports')).headers['location']).toBe('/help/exports/')
  },
)

test.each([
  ['localhost', '/helpful'],
  ['localhost', '/'],
  ['latest--docket-help.localhost', '/'],
  ['docket-help.docs.example', '/'],
  ['evil.example', '/help/'],
  ['docket-help.localhost.evil.example', '/'],
])('a request for %s%s is not handled as one for the guide', async (host, path) => {
  const { get } = await start({}, inMemory)
  expect(await get(host, path)).toMatchObject({ status: 418, body: 'Docket' })
})

test('requests are answered when the guide was not built, or is rebuilt while Docket runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-help-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { get } = await start({}, openStoredGuide(folder))
  const read = () => get('docket-help.localhost', '/')
  expect(await read()).toMatchObject({ status: 404, body: expect.stringContaining('pnpm build') })
  for (const [version, name] of [
    ['one', 'index.html'],
    ['two', 'more.html'],
  ] as const) {
    const { folder: made } = await storeSite({ 'index.html': version, [name]: version })
    await rm(join(folder, 'sha256'), { recursive: true, force: true })
    await rename(join(made, 'sha256'), join(folder, 'sha256'))
    expect(await read()).toMatchObject({ status: 200, body: version })
  }
})
