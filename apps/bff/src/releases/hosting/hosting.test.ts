import { gunzipSync } from 'node:zlib'
import { SiteList } from '@docket/api-types/sites'
import { smallSites } from '@docket/site-bundle/testing/small-sites'
import { checkContents } from '@docket/site-bundle/testing/site'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ownName, previewApp } from '#testing/preview-app.ts'
import { signedIn } from '#testing/people.ts'
import { testConnectionId } from '#testing/connection.ts'

let later = 0
const now = () => Date.now() + later
const build = (version: string, more: Record<string, string | Buffer> = {}) =>
  siteInMemory(
    {
      'index.html': `<h1>${version}</h1>`,
      'style.css': `/* ${version} */`,
      [`app.3f2a9c1${version}.js`]: version,
      'guide/index.html': `<h1>Guide ${version}</h1>`,
      '404.html': '<h1>Not here</h1>',
      ...more,
    },
    {
      redirects: [
        { from: '/old', to: '/guide/' },
        { from: '/bad', to: 'javascript:alert(1)' },
      ],
    },
  )
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
/** A site as the check leaves it in the store. */
const checked = async (files: Readonly<Record<string, string>>) => {
  const { root, mount = '/', redirects, rules } = await checkContents(files)
  return siteInMemory(files, { root, mount, redirects, rules: rules! })
}
const [one, two, mounted, ruled, appSite] = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
  string,
]
const bundles: Record<string, ReturnType<typeof build>> = {
  [one]: build('1', {
    'gone.html': 'a page of 1',
    'ü.html': 'Größe 🦆',
    'export-report.json': '{}',
    _redirects: '',
    'a/.gitignore': '',
  }),
  [two]: build('2', { 'all.bin': everyByte }),
  [mounted]: await checked(smallSites['built for a path']),
  [appSite]: await checked({
    'index.html': '<h1>App</h1>',
    _redirects: '/* /index.html 200\n',
  }),
  [ruled]: await checked({
    ...smallSites['rules with statuses, names and conditions'],
    'data.json': '{}',
    _headers: '/data.json\n  Access-Control-Allow-Origin: *\n  Cache-Control: max-age=9\n/*\n  X-Robots-Tag: all\n',
  }),
}
const app = await previewApp(bundles[one]!, {
  now,
  artifacts: { openSite: (_: unknown, sha256: string) => bundles[sha256]! },
})
afterAll(app.close)
for (const sha256 of [one, two, mounted, ruled, appSite])
  await app.db.execute(
    sql`insert into stored_bundles (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      values (${sha256}, '.zip', 1, 1, 1, 1, 1, now())`,
  )
await app.db.execute(
  sql`insert into sites (connection_id, domain, created_at) values (${testConnectionId}, 'docs.example.com', now())`,
)
const host = `docs-example-com.localhost:${app.port}`
const setChannel = (change: ReturnType<typeof sql>) =>
  app.db.execute(sql`update channels set ${change} where name = 'production'`)
let number = 0
const publish = async (sha256: string) => {
  number += 1
  await app.db.execute(sql`with released as (
      insert into releases (channel_id, number, kind, sha256, sum, export_id, pages, released_at, by_kind, by_name, note)
      select channel_id, ${number}, 'publication', ${sha256}, ${sha256}, gen_random_uuid(), 1, ${new Date(now())}, 'person', 'Ada', 'First'
      from channels where name = 'production' returning release_id)
    update channels set current_release_id = (select release_id from released) where name = 'production'`)
  later += 1_001
}
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.send(host, path, { method, headers })
const page = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
const part = (cookie: string) => ({ 'sec-fetch-dest': 'style', cookie })
const cookieIn = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).split(';', 1)[0]!

beforeEach(async () => {
  await setChannel(sql`access = 'public', headers = '[]', access_log = false, hostname = null`)
  await publish(one)
})

test('the files that a page loads come from the release of that page, even after another publication', async () => {
  const first = await get('/', page)
  expect(first).toMatchObject({ status: 200, body: '<h1>1</h1>' })
  expect(first.headers['set-cookie']).toEqual([
    `__Host-docket-release=${one.slice(0, 16)}; Path=/; Secure; HttpOnly; SameSite=Lax`,
  ])
  const cookie = cookieIn(first)
  await publish(two)
  expect((await get('/style.css', part(cookie))).body).toBe('/* 1 */')
  expect((await get('/style.css')).body).toBe('/* 2 */')
  const next = await get('/', { ...page, cookie })
  expect(next.body).toBe('<h1>2</h1>')
  expect((await get('/style.css', part(cookieIn(next)))).body).toBe('/* 2 */')
  expect(await get('/', { ...page, cookie: cookieIn(next) })).toMatchObject({ headers: { etag: expect.any(String) } })
})

test('files of an earlier release are served for another hour, but its pages are not', async () => {
  await publish(two)
  const file = await get('/app.3f2a9c11.js', part(''))
  expect(file).toMatchObject({ status: 200, body: '1' })
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/gone', page)).status).toBe(404)
  later += 3_700_000
  expect((await get('/app.3f2a9c11.js', part(''))).status).toBe(404)
})

test('an app with one page for every address still serves the files of an earlier release', async () => {
  await publish(appSite)
  expect(await get('/settings', page)).toMatchObject({ status: 200, body: '<h1>App</h1>' })
  const cookie = `__Host-docket-release=${appSite.slice(0, 16)}`
  expect((await get('/app.3f2a9c11.js', part(cookie))).body).toBe('1')
  expect((await get('/nowhere.js', part(cookie))).body).toBe('<h1>App</h1>')
})

test('an interrupted download resumes from the release that it began with', async () => {
  const { headers } = await get('/style.css', { 'sec-fetch-dest': 'document' })
  await publish(two)
  const resumed = { range: 'bytes=3-', 'if-range': String(headers['etag']), ...page }
  expect(await get('/style.css', resumed)).toMatchObject({ status: 206, body: '1 */' })
})

test('a release that is new to this process is looked up when a reader requests a file of it', async () => {
  await get('/', page)
  await publish(two)
  later -= 900
  expect((await get('/style.css')).body).toBe('/* 1 */')
  expect((await get('/style.css', part(`__Host-docket-release=${two.slice(0, 16)}`))).body).toBe('/* 2 */')
})

test('every byte of a file arrives as the bundle has it: whole, compressed and in parts', async () => {
  const plain = await get('/%C3%BC', page)
  expect(plain.body).toBe('Größe 🦆')
  const compressed = await get('/%C3%BC', { ...page, 'accept-encoding': 'gzip' })
  expect(gunzipSync(compressed.bytes).toString()).toBe('Größe 🦆')
  await publish(two)
  expect((await get('/all.bin')).bytes).toEqual(everyByte)
  expect((await get('/all.bin', { range: 'bytes=120-200' })).bytes).toEqual(everyByte.subarray(120, 201))
})

test('addresses, conditional requests and headers follow the bundle and the channel', async () => {
  await setChannel(sql`headers = '[{"name":"X-Robots-Tag","value":"all"},{"name":"set-cookie","value":"a=b"}]'`)
  later += 1_001
  const answer = await get('/style.css')
  expect(answer.headers).toMatchObject({
    'x-robots-tag': 'all',
    'cache-control': 'public, no-cache',
    'content-security-policy': "frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(answer.headers).not.toHaveProperty('strict-transport-security')
  const { etag } = answer.headers
  expect((await get('/style.css', { 'if-none-match': String(etag) })).status).toBe(304)
  expect(await get('/guide?a=b')).toMatchObject({ status: 308, headers: { location: '/guide/?a=b' } })
  expect(await get('/old')).toMatchObject({ status: 302, headers: { location: '/guide/' } })
  expect((await get('/bad')).status).toBe(404)
  expect(await get('/nowhere', page)).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
})

test('headers saved by an earlier version are sent and listed until changed, and none can inject another header', async () => {
  const saved = [
    { name: 'X-Team', value: 'docs' },
    { name: 'X-Accel-Redirect', value: '/etc/passwd' },
    { name: 'Link', value: '</a>; rel=preload' },
  ]
  await setChannel(sql`headers = ${JSON.stringify(saved)}::jsonb`)
  later += 1_001
  const { headers } = await get('/style.css')
  expect(headers).toMatchObject({ 'x-team': 'docs', link: '</a>; rel=preload' })
  expect(headers).not.toHaveProperty('x-accel-redirect')
  const [site] = SiteList.parse(JSON.parse((await app.call('GET', '/api/sites')).body)).sites
  const { channelId, oldHeaders } = site!.channels[0]!
  expect(oldHeaders).toEqual(['X-Team', 'X-Accel-Redirect'])
  const change = async (body: object) => {
    const { version } = SiteList.parse(JSON.parse((await app.call('GET', '/api/sites')).body)).sites[0]!.channels[0]!
    return app.call('PATCH', `/api/sites/${site!.siteId}/channels/${channelId}`, {}, { version, ...body })
  }
  // Other settings are saved beside them, and so are they as long as nobody changes them.
  expect((await change({ accessLog: true, headers: saved })).status).toBe(200)
  const refused = await change({ headers: saved.slice(0, 1) })
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { field: 'headers.0.name' }])
  for (const value of ['a\r\nSet-Cookie: b=c', 'a\nb', 'a\0b', 'ä', '\u2028'])
    expect((await change({ headers: [{ name: 'Link', value: `<${value}>` }] })).status).toBe(400)
  for (const name of ['Link:', 'Li nk', 'Link\r\nSet-Cookie', ''])
    expect((await change({ headers: [{ name, value: 'x' }] })).status).toBe(400)
  expect((await change({ headers: saved.slice(2) })).status).toBe(200)
})

test('readers get none of the files that a bundle contains only for programs', async () => {
  for (const path of ['/export-report.json', '/_redirects', '/a/.gitignore'])
    expect(await get(path)).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
})

test('no request at a hosted hostname reaches Docket’s routes', async () => {
  for (const path of [
    '/api/session',
    '/api/status',
    '/livez',
    '/here',
    '/git/x.git/info/refs',
    '/hosted',
    '/preview/x',
  ])
    expect(await get(path, { cookie: app.cookie! })).toMatchObject({ status: 404, body: '<h1>Not here</h1>' })
  for (const path of ['/.docket/release', '/.docket/x']) expect((await get(path)).status).toBe(404)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await get('/api/session', { origin: `http://${host}` }, method)).status).toBe(405)
  expect((await get('/style.css', { 'service-worker': 'script' })).status).toBe(403)
  expect((await app.send(`nothing.localhost:${app.port}`, '/api/session')).status).toBe(404)
  expect((await app.send('docs.elsewhere.example', '/api/session')).status).toBe(403)
  const forwarded = { 'x-forwarded-host': ownName, forwarded: `host=${ownName}` }
  expect((await get('/api/session', forwarded)).body).toBe('<h1>Not here</h1>')
})

test('a private channel is not hosted, and a hosted channel may have its own hostname', async () => {
  await setChannel(sql`access = 'private'`)
  later += 1_001
  expect((await get('/', page)).status).toBe(404)
  await setChannel(sql`access = 'public', hostname = 'docs.acme.example'`)
  later += 1_001
  expect((await app.send('docs.acme.example', '/')).body).toBe('<h1>1</h1>')
})

const open = (path: string, cookie = app.cookie!, hostname = host) =>
  app.call('POST', '/api/hosted-sites/open', { cookie }, { hostname, path })
const read = async (path: string, cookie = app.cookie!) => {
  const { url } = JSON.parse((await open(path, cookie)).body) as { url: string }
  const ticket = url.slice(`http://${host}`.length)
  return { ticket, redeemed: await get(ticket) }
}

test('a channel for signed-in people opens with a ticket that works once and for one hostname', async () => {
  await setChannel(sql`access = 'signed_in'`)
  later += 1_001
  const asked = await get('/guide/?a=b', page)
  expect(asked.status).toBe(302)
  // Not Docket's own name, which any program could read here.
  expect(asked.headers['location']).toBe(
    `http://localhost:${app.port}/hosted?hostname=${encodeURIComponent(host)}&path=%2Fguide%2F%3Fa%3Db`,
  )
  expect((await get('/style.css', part(''))).status).toBe(401)
  const { ticket, redeemed } = await read('/guide/?a=b')
  expect(redeemed).toMatchObject({ status: 303, headers: { location: '/guide/?a=b' } })
  const cookie = cookieIn(redeemed)
  expect(await get('/guide/', { ...page, cookie })).toMatchObject({ status: 200 })
  expect((await get('/guide/', { ...page, cookie })).headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
  })
  expect((await get(ticket)).status).toBe(403)
  const [{ actions }] = (
    await app.db.execute<{ actions: number }>(
      sql`select count(*)::int as actions from audit_events where action = 'hosted_site.opened'`,
    )
  ).rows as [{ actions: number }]
  expect(actions).toBe(1)
})

test.for(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
  'a ticket never redirects to %s',
  async (path) => {
    const { redeemed } = await read(path)
    expect(String(redeemed.headers['location'])).toMatch(/^\/(?![/\\])/)
  },
)

test('access to a hosted channel ends with the session, and people cannot open a channel that they may not see', async () => {
  await setChannel(sql`access = 'signed_in'`)
  later += 1_001
  const person = await signedIn(app.db, 'viewer')
  const cookie = cookieIn((await read('/', person.cookie)).redeemed)
  expect((await get('/', { ...page, cookie })).status).toBe(200)
  await app.db.execute(sql`delete from sessions where id = ${person.sessionId}`)
  later += 1_001
  expect((await get('/', { ...page, cookie })).status).toBe(302)
  const stranger = await signedIn(app.db, 'none')
  expect((await open('/', stranger.cookie)).status).toBe(404)
  for (const other of ['evil.example', `nothing.localhost:${app.port}`, 'docs-example-com.localhost:9', ownName])
    expect((await open('/', app.cookie!, other)).status).toBe(404)
})

test('only admins see which release a page belongs to, and scripts of the site do not', async () => {
  const mine = cookieIn((await read('/')).redeemed)
  const viewer = await signedIn(app.db, 'viewer')
  const theirs = cookieIn((await read('/', viewer.cookie)).redeemed)
  const shown = await get('/.docket/release', { ...page, cookie: mine })
  expect(shown).toMatchObject({ status: 200, body: expect.stringContaining(one) })
  expect(shown.headers['content-security-policy']).toContain('sandbox')
  expect((await get('/.docket/release', { 'sec-fetch-dest': 'empty', cookie: mine })).status).toBe(404)
  expect((await get('/.docket/release', { ...page, cookie: theirs })).status).toBe(404)
})

test('the access log records what was read, but not by whom', async () => {
  await setChannel(sql`access_log = true`)
  later += 1_001
  await get('/guide/?token=secret', { ...page, cookie: 'a=hunter2' })
  await expect.poll(() => app.logged()).toContain('hosted site answered')
  const line = app
    .logged()
    .split('\n')
    .find((one) => one.includes('hosted site answered'))!
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/guide/', status: 200, channel: 'production' })
  expect(line).not.toMatch(/secret|hunter2|127\.0\.0\.1/)
})

test('a site built for a path is hosted there, and its addresses without the path lead to it', async () => {
  await publish(mounted)
  expect(await get('/', page)).toMatchObject({ status: 302, headers: { location: '/proj/' } })
  expect((await get('/proj/', page)).body).toContain('<h1>Home</h1>')
  expect((await get('/proj/site.css')).status).toBe(200)
  expect((await get('/proj/guide/', page)).status).toBe(200)
  expect(await get('/guide/start?a=b', page)).toMatchObject({
    status: 302,
    headers: { location: '/proj/guide/start?a=b' },
  })
  expect(await get('/proj/nowhere', page)).toMatchObject({ status: 404, body: expect.stringContaining('Not found') })
})

test('rules of a bundle are answered with their status, and their headers where Docket decides none', async () => {
  await publish(ruled)
  const location = async (path: string) => {
    const { status, headers } = await get(path, page)
    return [status, headers['location'] ?? null]
  }
  expect(await location('/old')).toEqual([301, '/new'])
  expect(await location('/go?id=7')).toEqual([301, '/post/7'])
  expect(await location('/docs/kept')).toEqual([301, '/guide/kept'])
  expect(await location('/lang')).toEqual([302, '/new'])
  expect(await location('/api/users')).toEqual([404, null])
  expect(await get('/app/settings', page)).toMatchObject({ status: 200, body: expect.stringContaining('App') })
  expect(await get('/fr/zzz', page)).toMatchObject({ status: 404, body: expect.stringContaining('Introuvable') })
  expect(await get('/gone', page)).toMatchObject({ status: 410, body: expect.stringContaining('Not found') })
  expect((await get('/data.json')).headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, no-cache',
    'x-robots-tag': 'all',
  })
  await setChannel(sql`access = 'signed_in'`)
  later += 1_001
  expect((await get('/data.json', { 'sec-fetch-dest': 'style' })).headers).not.toHaveProperty(
    'access-control-allow-origin',
  )
})
