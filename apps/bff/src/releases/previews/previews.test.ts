import { checkContents } from '@docket/site-bundle/testing/site'
import { smallSites } from '@docket/site-bundle/testing/small-sites'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { PreviewViolations } from '@docket/api-types/previews'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { signedIn } from '#testing/people.ts'
import { deleteEndedPreviews } from './previews.ts'
import { limitReports } from './violations.ts'
import { previewApp } from '#testing/preview-app.ts'

let later = 0
const now = () => Date.now() + later
const site = siteInMemory(
  {
    'index.html': '<h1>Home</h1>',
    'guide/index.html': '<h1>Guide</h1>',
    'app.js': 'export {}',
    'sw.js': '// worker',
    '404.html': '<h1>Not here</h1>',
    'export-report.json': '{}',
  },
  {
    redirects: [
      { from: '/old', to: '/guide/' },
      { from: '/older', to: '/guide/?from=older' },
      { from: '/away', to: 'https://elsewhere.example/' },
    ],
  },
)
const app = await previewApp(site, { now })
afterAll(app.close)
const byNumber = `127.0.0.1:${app.port}`

const cookieIn = (setCookie: unknown) => String(setCookie).split(';', 1)[0]!

/** A preview at its own host whose ticket was used, as the browser then asks for its files. */
const opened = async (path = '/', cookie = app.cookie!) => {
  const preview = await app.open(path, { cookie })
  const { host, pathname, search } = new URL(preview.url)
  const first = await app.send(host, pathname + search)
  const key = cookieIn(first.headers['set-cookie'])
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.send(host, address, { method, headers: { cookie: key, ...headers } })
  return { preview, host, pathname, search, first, key, get }
}

test('a ticket can be exchanged only once, for a cookie of one hostname', async () => {
  const { preview, first, host, pathname, search, get } = await opened('/guide/?x=1')
  expect(preview).toMatchObject({ isolation: 'own_host', reason: null, base: `http://${host}` })
  expect(host).toMatch(new RegExp(`^p[0-9a-f]{20}\\.previews-[0-9a-f]{12}\\.localhost:${app.port}$`))
  expect(first).toMatchObject({ status: 303, headers: { location: '/guide/?x=1' } })
  expect(first.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-docket-preview=[\w-]{32}; Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/),
  ])
  expect(await get('/guide/')).toMatchObject({ status: 200, body: '<h1>Guide</h1>' })
  const again = await app.send(host, pathname + search)
  expect(again.status).toBe(403)
  expect(again.headers).not.toHaveProperty('set-cookie')
})

test('a preview serves only files that readers of a hosted site would get', async () => {
  const { get } = await opened()
  expect(await get('/export-report.json')).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
})

test('a ticket works for one minute and only at its own hostname', async () => {
  const preview = await app.open()
  const other = await app.open()
  const { pathname, search } = new URL(preview.url)
  expect((await app.send(new URL(other.url).host, pathname + search)).status).toBe(403)
  later = 61_000
  expect((await app.send(new URL(preview.url).host, pathname + search)).status).toBe(403)
  later = 0
})

test('a page is served only with the cookie of its own preview', async () => {
  const mine = await opened()
  const other = await opened()
  expect((await app.send(mine.host, '/')).status).toBe(403)
  expect((await app.send(mine.host, '/', { headers: { cookie: other.key } })).status).toBe(403)
  expect((await app.send(mine.host, '/', { headers: { cookie: app.cookie! } })).status).toBe(403)
  expect((await app.send('p0.previews-000000000000.localhost', '/', { headers: { cookie: mine.key } })).status).toBe(
    403,
  )
})

test('a preview ends as soon as its session ends', async () => {
  const person = await signedIn(app.db, 'viewer')
  const { get } = await opened('/', person.cookie)
  const unused = await app.open('/', { cookie: person.cookie })
  expect((await get('/')).status).toBe(200)
  later = 4 * 24 * 3_600_000
  expect((await get('/')).status).toBe(403)
  later = 0
  expect((await get('/')).status).toBe(200)
  await app.db.execute(sql`delete from sessions where id = ${person.sessionId}`)
  expect((await get('/')).status).toBe(403)
  const { host, pathname, search } = new URL(unused.url)
  expect((await app.send(host, pathname + search)).status).toBe(403)
  expect((await app.db.execute(sql`select 1 from previews where session_id = ${person.sessionId}`)).rowCount).toBe(0)
})

test('a preview ends when its owner is disabled, and after eight hours', async () => {
  const person = await signedIn(app.db, 'viewer')
  const { get } = await opened('/', person.cookie)
  await app.db.execute(sql`update users set disabled_at = now() where id = ${person.userId}`)
  expect((await get('/')).status).toBe(403)
  const mine = await opened()
  later = 8 * 3_600_000 + 1_000
  expect((await mine.get('/')).status).toBe(403)
  await deleteEndedPreviews(app.db, now())
  later = 0
  expect((await app.db.execute(sql`select 1 from previews`)).rowCount).toBe(0)
})

test('only the session that opened a preview can close it, which ends the preview', async () => {
  const { preview, get } = await opened()
  const other = await signedIn(app.db, 'admin')
  const path = `${app.api}/${preview.previewId}`
  await app.call('DELETE', path, { cookie: other.cookie })
  expect((await app.call('GET', path, { cookie: other.cookie })).status).toBe(404)
  expect((await get('/')).status).toBe(200)
  expect((await app.call('DELETE', path)).status).toBe(204)
  expect((await get('/')).status).toBe(403)
  expect((await app.call('GET', path)).status).toBe(404)
})

test('no request to a preview hostname reaches Docket’s routes, and Docket’s own address serves no preview', async () => {
  const { get, host } = await opened()
  for (const path of ['/api/session', '/api/status', '/livez', '/here', '/git/x.git/info/refs', '/assets/x.js']) {
    const answer = await get(path, { cookie: `${app.cookie}` })
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('preview')])
    expect(await get(path)).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
  }
  const change = { origin: `http://${host}`, 'x-docket': '1', 'content-type': 'application/json' }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await get('/api/session', change, method)).status).toBe(405)
})

test('pages of a preview may load only its own files, and only Docket may frame them', async () => {
  const { get } = await opened()
  const { headers } = await get('/', { 'sec-fetch-dest': 'iframe' })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:;")
  expect(policy).toContain(`frame-ancestors 'self' http://docket-0123456789ab.localhost:${app.port};`)
  expect(policy).toContain('sandbox allow-scripts allow-forms allow-same-origin;')
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' })
  expect(headers).not.toHaveProperty('set-cookie')
  expect((await get('/', { 'sec-fetch-dest': 'document' })).status).toBe(403)
  expect((await get('/sw.js', { 'service-worker': 'script' })).status).toBe(403)
})

test('redirects of the bundle stay within the preview', async () => {
  const { get } = await opened()
  expect(await get('/old?a=b')).toMatchObject({ status: 302, headers: { location: '/guide/?a=b' } })
  expect((await get('/older?a=b')).headers.location).toBe('/guide/?from=older&a=b')
  expect(await get('/guide')).toMatchObject({ status: 308, headers: { location: '/guide/' } })
  expect((await get('/away')).headers).not.toHaveProperty('location')
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])
    expect((await opened(path)).first.headers.location).toBe('/')
})

test('files of a preview have strong ETags and support ranges', async () => {
  const { get } = await opened()
  const first = await get('/app.js', { 'accept-encoding': 'gzip' })
  expect(first.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'private, no-cache' })
  const again = await get('/app.js', { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) })
  expect(again).toMatchObject({ status: 304, body: '' })
  expect(await get('/app.js', { range: 'bytes=0-5' })).toMatchObject({ status: 206, body: 'export' })
  expect(await get('/app.js', {}, 'HEAD')).toMatchObject({ status: 200, body: '', headers: { 'content-length': '9' } })
})

test('without its own hostname, a preview runs in an opaque sandbox whose key is in the path', async () => {
  const preview = await app.open('/guide/', { host: byNumber })
  expect(preview).toMatchObject({ isolation: 'sandbox', reason: 'by_number' })
  expect((await app.send(byNumber, `${preview.base}/guide/`)).status).toBe(403)
  expect(await app.send(byNumber, preview.url)).toMatchObject({
    status: 303,
    headers: { location: `${preview.base}/guide/` },
  })
  expect((await app.send(byNumber, preview.url)).status).toBe(403)
  const page = await app.send(byNumber, `${preview.base}/guide/`)
  expect(page).toMatchObject({ status: 200, body: '<h1>Guide</h1>', headers: { 'access-control-allow-origin': '*' } })
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain(`default-src http://${byNumber}${preview.base}/ 'unsafe-inline'`)
  expect(policy).toContain('sandbox allow-scripts allow-forms;')
  expect(await app.send(byNumber, `${preview.base}/old`)).toMatchObject({
    headers: { location: `${preview.base}/guide/` },
  })
  expect((await app.send(byNumber, '/preview/xyz/')).status).toBe(403)
  expect((await app.send('evil.example', `${preview.base}/guide/`)).body).not.toContain('Guide')
})

const report = (fields: object) => JSON.stringify({ 'csp-report': fields })

test('requests that browsers refuse are truncated, limited, counted per page and shown', async () => {
  await app.db.execute(sql`delete from preview_violations`)
  await app.db.execute(sql`with site as (insert into sites (connection_id, domain, created_at)
      select connection_id, 'docs.example.com', now() from connections limit 1 returning site_id)
    insert into artifacts (export_id, site_id, state, sha256)
      select ${app.exportId}, site_id, 'stored', sha256 from site, stored_bundles`)
  const mine = await opened()
  const told = (body: string) =>
    app.send(mine.host, '/.docket/reports', { method: 'POST', headers: { cookie: mine.key }, body })
  const blocked = { 'document-uri': `http://${mine.host}/guide/`, 'effective-directive': 'img-src' }
  for (const target of [
    'https://u:p@canary.example/a.png',
    'https://u:p@canary.example/a.png',
    'inline',
    'chrome-extension://x/y',
    `https://canary.example/${'é'.repeat(4_000)}`,
  ])
    expect((await told(report({ ...blocked, 'blocked-uri': target }))).status).toBe(204)
  for (const body of [
    '',
    '[]',
    '{"csp-report":null}',
    'x'.repeat(20_000),
    report({ ...blocked, 'effective-directive': 'img<script>', 'blocked-uri': 'https://x.example/' }),
  ])
    expect((await told(body)).status).toBe(204)
  expect((await app.send(mine.host, '/.docket/reports', { method: 'POST', body: '{}' })).status).toBe(403)
  await mine.get('/guide/', { 'sec-fetch-dest': 'iframe' })
  const answer = await app.call('GET', `${app.api}/${mine.preview.previewId}`)
  const shown = PreviewViolations.parse(JSON.parse(answer.body))
  expect(shown.page).toBe('/guide/')
  expect(shown.violations[0]).toEqual({
    page: '/guide/',
    directive: 'img-src',
    target: 'https://canary.example/a.png',
    count: 2,
  })
  expect(shown.violations).toHaveLength(2)
  expect(Buffer.byteLength(shown.violations[1]!.target)).toBeLessThanOrEqual(800)
  // The row of the export counts them without a further word: one host is one cause.
  expect((await app.db.execute(sql`delete from artifacts returning leaks`)).rows).toEqual([{ leaks: 1 }])
  await app.db.execute(
    sql`insert into preview_violations select sha256, '/', 'img-src', 'https://canary.example/' || n, 1, now()
      from stored_bundles, generate_series(3, 500) n`,
  )
  await told(report({ ...blocked, 'blocked-uri': 'https://canary.example/one-more' }))
  const { rowCount } = await app.db.execute(sql`select 1 from preview_violations`)
  expect(rowCount).toBe(500)
  const counts = limitReports(() => 0)
  expect(Array.from({ length: 300 }, () => counts('one')).filter(Boolean)).toHaveLength(200)
  expect(counts('another')).toBe(true)
})

test('opening a preview is audited, and a session has at most 32 previews', async () => {
  const person = await signedIn(app.db, 'viewer')
  for (let at = 0; at < 34; at += 1) await app.open('/', { cookie: person.cookie })
  const { rows } = await app.db.execute<{ open: number; audited: number }>(
    sql`select (select count(*)::int from previews where session_id = ${person.sessionId}) open,
      (select count(*)::int from audit_events where action = 'preview.opened' and actor_id = ${person.userId}) audited`,
  )
  expect(rows[0]).toEqual({ open: 32, audited: 34 })
})

test('previews of an export end when its copy is deleted, while those of another export with the same bytes stay', async () => {
  const [mine, other] = [await opened(), await opened()]
  await app.db.execute(
    sql`update previews set export_id = gen_random_uuid() where preview_id = ${other.preview.previewId}`,
  )
  await app.db.execute(sql`insert into static_exports (export_id, connection_id, domain, state, started_at, finished_at)
    select ${app.exportId}, connection_id, 'docs.example.com', 'completed', now(), now() from connections limit 1`)
  await app.db.execute(sql`insert into artifacts (export_id, site_id, state, sha256)
    select ${app.exportId}, site_id, 'stored', sha256 from sites, stored_bundles`)
  expect((await app.call('DELETE', `/api/static-exports/${app.exportId}/artifact`)).status).toBe(200)
  expect([(await mine.get('/')).status, (await other.get('/')).status]).toEqual([403, 200])
})

test('a preview ends when its export is removed from the list', async () => {
  const { get } = await opened()
  await app.db.execute(sql`update static_exports set removed_at = null`)
  expect((await get('/')).status).toBe(200)
  expect((await app.call('DELETE', `/api/static-exports/${app.exportId}`)).status).toBe(204)
  expect((await get('/')).status).toBe(403)
})

test('a preview ends when its stored bundle is deleted', async () => {
  const { get } = await opened()
  await app.db.execute(sql`delete from stored_bundles`)
  expect((await get('/')).status).toBe(403)
})

test('a preview of a site built for a path starts there, at its own hostname and in a sandbox', async () => {
  const files = smallSites['built for a path']
  const { mount = '/' } = await checkContents(files)
  const other = await previewApp(siteInMemory(files, { mount }), { now })
  const at = { host: `127.0.0.1:${other.port}` }
  for (const preview of [await other.open('/guide/'), await other.open('/guide/', at)]) {
    const { host, pathname, search } = new URL(preview.url, `http://${at.host}`)
    const prefix = new URL(preview.base!, `http://${at.host}`).pathname.replace(/\/$/, '')
    const first = await other.send(host, pathname + search)
    const headers = { cookie: cookieIn(first.headers['set-cookie']), 'sec-fetch-dest': 'iframe' }
    const get = (path: string) => other.send(host, path, { headers })
    expect(first.headers['location']).toBe(`${prefix}/guide/`)
    expect(await get(`${prefix}/guide/`)).toMatchObject({ status: 302, headers: { location: `${prefix}/proj/guide/` } })
    expect(await get(`${prefix}/`)).toMatchObject({ status: 302, headers: { location: `${prefix}/proj/` } })
    expect(await get(`${prefix}/proj/guide/`)).toMatchObject({ status: 200 })
    const state = await other.call('GET', `${other.api}/${preview.previewId}`, { ...at, cookie: other.cookie! })
    expect(JSON.parse(state.body)).toMatchObject({ page: '/guide/' })
  }
  await other.close()
})
