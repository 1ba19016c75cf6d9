import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SiteGrant } from '@docket/api-types/grants'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { apiTokens } from '#people/tokens/api-tokens.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { channels } from '#ground/db/sites.table.ts'
import { testArtifacts } from '#testing/artifact-kit.ts'
import { addConnection } from '#testing/connections.ts'
import { testConnectionId } from '#testing/connection.ts'
import { signedIn } from '#testing/people.ts'
import { releaseKit, type TestSite } from '#testing/releases.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

type Headers = Record<string, string | undefined>

const nobody: Headers = { cookie: undefined }
let [app, folder] = [undefined as unknown as TestApp, '']
let kit: ReturnType<typeof releaseKit>
/** Sites of two connections, and a site whose production is public. */
let a: TestSite, b: TestSite, open: TestSite

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-addresses-'))
  const artifacts = testArtifacts(folder)
  app = await testApp({ artifacts })
  kit = releaseKit(app.db, artifacts.storage)
  a = await kit.addSite('a.example.com', testConnectionId)
  b = await kit.addSite('b.example.com', await addConnection(app.db, 'other'))
  open = await kit.addSite('open.example.com', testConnectionId)
  await kit.addChannel(a, 'staging')
  for (const [site, name] of [
    [a, 'production'],
    [a, 'staging'],
    [b, 'production'],
    [open, 'production'],
  ] as const)
    await kit.release(site, name, randomBytes(50_000))
  await app.db.update(channels).set({ access: 'public' }).where(eq(channels.channelId, open.channels['production']!))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const readSum = async (path: string) => (await (await app.get(path)).text()).slice(0, 64)

/** What a sender reads of a channel: by its name, and by the sum of what it shows. */
const readBoth = async (headers: Headers, label: string, channel: string) => {
  const sum = await readSum(`/sites/${label}/${channel}/bundle.sha256`)
  const paths = [
    ...['tar.gz', 'zip', 'sha256'].map((ending) => `/sites/${label}/${channel}/bundle.${ending}`),
    ...['tar.gz', 'zip'].map((ending) => `/bundles/sha256/${sum}/any-name.${ending}`),
  ]
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await app.get(path, headers)
      await response.arrayBuffer()
      return response.status
    }),
  )
  const isOpen = answers.every((status) => status === 200 || status === 302)
  return isOpen ? 'reads' : [...new Set(answers)].join(' ')
}

const callers: Record<string, { make: () => Promise<Headers>; reads: string[]; otherwise: string }> = {
  nobody: { make: async () => nobody, reads: ['open'], otherwise: '401' },
  'somebody without a role': {
    make: async () => ({ cookie: (await signedIn(app.db, 'none')).cookie }),
    reads: ['open'],
    otherwise: '404',
  },
  'an auditor': {
    make: async () => ({ cookie: (await signedIn(app.db, 'auditor')).cookie }),
    reads: ['a', 'a/staging', 'b', 'open'],
    otherwise: '404',
  },
  'a viewer of the connection': {
    make: async () => {
      const { cookie, userId } = await signedIn(app.db, 'none')
      await app.db.insert(grants).values({ userId, role: 'viewer', connectionId: testConnectionId })
      return { cookie }
    },
    reads: ['a', 'a/staging', 'open'],
    otherwise: '404',
  },
  'somebody with a role for site B': {
    make: async () => {
      const { cookie, userId } = await signedIn(app.db, 'none')
      const added = await app.post('/api/site-grants', { userId, role: 'viewer', siteId: b.siteId })
      expect(added.status).toBe(201)
      return { cookie }
    },
    reads: ['b', 'open'],
    otherwise: '404',
  },
  'a member of a group with a role for staging of A': {
    make: async () => {
      const { cookie, userId } = await signedIn(app.db, 'none')
      await app.db
        .update(users)
        .set({ oidcGroups: ['writers'] })
        .where(eq(users.id, userId))
      const channelId = a.channels['staging']
      const body = { oidcGroup: 'writers', role: 'operator', siteId: a.siteId, channelId }
      expect((await app.post('/api/site-grants', body)).status).toBe(201)
      return { cookie }
    },
    reads: ['a/staging', 'open'],
    otherwise: '404',
  },
  'a token of everything': {
    make: async () => (await makeToken(app, { scope: 'read' })).bearer,
    reads: ['a', 'a/staging', 'b', 'open'],
    otherwise: '404',
  },
  'a token of site A': {
    make: async () => (await makeToken(app, { sites: [{ siteId: a.siteId }] })).bearer,
    reads: ['a', 'a/staging', 'open'],
    otherwise: '404',
  },
  'a token of staging of A': {
    make: async () => {
      const channelId = a.channels['staging']!
      return (await makeToken(app, { sites: [{ siteId: a.siteId, channelId }] })).bearer
    },
    reads: ['a/staging', 'open'],
    otherwise: '404',
  },
  'a token of a domain': {
    make: async () => (await makeToken(app, { domains: ['a.example.com'] })).bearer,
    reads: ['open'],
    otherwise: '404',
  },
  'a token of a connection': {
    make: async () => (await makeToken(app, { connectionIds: [testConnectionId] })).bearer,
    reads: ['a', 'a/staging', 'open'],
    otherwise: '404',
  },
  'a token of site B and the other connection': {
    make: async () =>
      (await makeToken(app, { sites: [{ siteId: b.siteId }], connectionIds: [testConnectionId] })).bearer,
    reads: ['open'],
    otherwise: '404',
  },
}

test.for(Object.entries(callers))('%s can read exactly these channels, by name and by checksum', async ([, caller]) => {
  const headers = await caller.make()
  const channelsOf = { a: a.label, b: b.label, open: open.label }
  const found: Record<string, string> = {}
  for (const [key, label] of Object.entries(channelsOf)) found[key] = await readBoth(headers, label, 'production')
  found['a/staging'] = await readBoth(headers, a.label, 'staging')
  const expected = Object.fromEntries(
    Object.keys(found).map((key) => [key, caller.reads.includes(key) ? 'reads' : caller.otherwise]),
  )
  expect(found).toEqual(expected)
})

test('a bundle that the caller may not see gets the same response as an unknown one', async () => {
  const { bearer } = await makeToken(app, { sites: [{ siteId: b.siteId }] })
  const sum = await readSum(`/sites/${a.label}/production/bundle.sha256`)
  const read = async (path: string, headers: Headers) => {
    const response = await app.get(path, headers)
    const { requestId: _, ...body } = (await response.json()) as Record<string, string>
    return [response.status, body, response.headers.get('www-authenticate')]
  }
  for (const headers of [bearer, nobody]) {
    const unknown = await read(`/bundles/sha256/${'0'.repeat(64)}/x.tar.gz`, headers)
    expect(unknown[2]).toBe(headers === nobody ? 'Bearer' : null)
    for (const path of [
      `/bundles/sha256/${sum}/x.tar.gz`,
      `/bundles/sha256/${sum}/x.zip`,
      `/sites/${a.label}/production/bundle.tar.gz`,
      `/sites/${a.label}/no-such/bundle.tar.gz`,
      '/sites/no-such/production/bundle.zip',
      '/sites/%00/%F0%9F%98%80/bundle.sha256',
      '/bundles/sha256/%00/x.zip',
    ])
      expect([path, await read(path, headers)]).toEqual([path, unknown])
  }
})

test('a download can be resumed at its address after its channel moved to another bundle', async () => {
  const first = randomBytes(80_000)
  await kit.release(a, 'staging', first)
  const address = `/sites/${a.label}/staging/bundle.tar.gz`
  const found = await app.get(address)
  const sum = await readSum(`/sites/${a.label}/staging/bundle.sha256`)
  expect([found.status, found.headers.get('cache-control'), found.headers.get('location')]).toEqual([
    302,
    'no-store',
    `/bundles/sha256/${sum}/${a.label}-staging-2.tar.gz`,
  ])
  const location = found.headers.get('location')!
  const head = await fetch(app.url + location, { method: 'HEAD', headers: { cookie: app.cookie! } })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '80000'])
  const start = await app.get(location, { range: 'bytes=0-999' })
  expect(Object.fromEntries(start.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-disposition': expect.stringContaining(`"${a.label}-staging-2.tar.gz"`) as string,
    'content-range': 'bytes 0-999/80000',
    'content-type': 'application/gzip',
    etag: `"${sum}"`,
    'repr-digest': `sha-256=:${Buffer.from(sum, 'hex').toString('base64')}:`,
  })
  await kit.release(a, 'staging', randomBytes(70_000))
  expect((await app.get(address)).headers.get('location')).not.toBe(location)
  const rest = await app.get(location, { range: 'bytes=1000-', 'if-range': `"${sum}"` })
  const bytes = Buffer.concat([Buffer.from(await start.arrayBuffer()), Buffer.from(await rest.arrayBuffer())])
  expect([rest.status, bytes.equals(first)]).toEqual([206, true])
  expect((await app.get(location, { 'if-none-match': `"${sum}"` })).status).toBe(304)
})

test('a public channel’s bundles are readable and cacheable for everyone, only while it is public and holds them', async () => {
  const site = await kit.addSite('public.example.com', testConnectionId)
  const [id, address] = [site.channels['production']!, `/sites/${site.label}/production/bundle.tar.gz`]
  expect((await app.get(address, nobody)).status).toBe(401)
  await app.db.update(channels).set({ access: 'public' }).where(eq(channels.channelId, id))
  expect((await app.get(address, nobody)).status).toBe(404)
  const old = await kit.release(site, 'production', randomBytes(1000))
  const shown = await kit.release(site, 'production', randomBytes(1000))
  const read = async (sum: string) => {
    const response = await app.get(`/bundles/sha256/${sum}/x.tar.gz`, nobody)
    await response.arrayBuffer()
    return [response.status, response.headers.get('cache-control')]
  }
  const everyone = [200, 'public, max-age=31536000, immutable']
  expect([await read(old.sha256), await read(shown.sha256)]).toEqual([everyone, everyone])
  await kit.letGo(old.releaseId)
  expect([(await read(old.sha256))[0], await read(shown.sha256)]).toEqual([401, everyone])
  await app.db.update(channels).set({ access: 'signed_in' }).where(eq(channels.channelId, id))
  expect([(await read(shown.sha256))[0], (await app.get(address, nobody)).status]).toEqual([401, 401])
  const dead = { ...nobody, authorization: 'Bearer docket_nothing' }
  expect((await app.get(`/sites/${open.label}/production/bundle.zip`, dead)).status).toBe(401)
})

test('a ZIP bundle has no tar.gz, and only callers who may read it get the reason', async () => {
  const site = await kit.addSite('zip.example.com', testConnectionId)
  await kit.release(site, 'production', randomBytes(1000), '.zip')
  const address = `/sites/${site.label}/production/bundle`
  const refused = await app.get(`${address}.tar.gz`)
  expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('bundle.zip')])
  const sum = await readSum(`${address}.sha256`)
  expect(await (await app.get(`${address}.sha256`)).text()).toBe(`${sum}  bundle.zip\n`)
  const zip = await app.get((await app.get(`${address}.zip`)).headers.get('location')!)
  expect([zip.status, zip.headers.get('etag'), zip.headers.get('content-length')]).toEqual([200, `"${sum}"`, '1000'])
  await zip.arrayBuffer()
  expect(await (await app.get(`${address}.tar.gz`, nobody)).text()).not.toContain('zip')
})

test('a joined site’s label redirects to the channels of the main site, and only files are served below /sites', async () => {
  const joined = await kit.addSite('joined.example.com', testConnectionId)
  await kit.join(joined, a)
  const found = await app.get(`/sites/${joined.label}/production/bundle.tar.gz`)
  expect(found.headers.get('location')).toContain(`/${a.label}-production-`)
  for (const path of [`/sites/${a.siteId}`, '/sites', `/sites/${a.label}/production`, `/sites/${a.label}/x/bundle.tar`])
    expect([path, (await app.get(path)).headers.get('location')]).toEqual([path, null])
})

test('downloads by people and tokens are audited with their channel, anonymous downloads are not', async () => {
  const site = await kit.addSite('audited.example.com', testConnectionId)
  const { sha256 } = await kit.release(site, 'production', randomBytes(1000))
  const { bearer, apiToken } = await makeToken(app, { sites: [{ siteId: site.siteId }] })
  const path = `/bundles/sha256/${sha256}/x.tar.gz`
  await (await app.get(path, { ...bearer, range: 'bytes=0-9' })).arrayBuffer()
  await app.db.update(channels).set({ access: 'public' }).where(eq(channels.channelId, site.channels['production']!))
  await (await app.get(path, nobody)).arrayBuffer()
  const rows = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, site.channels['production']!))
  expect(rows.map(({ action, actorId, details }) => [action, actorId, details])).toEqual([
    ['bundle.downloaded', apiToken.tokenId, { how: 'bytes 0 to 9', sha256 }],
  ])
})

test('only admins can give a role for a site, never to themselves, and a removed role has no effect', async () => {
  const { cookie, userId } = await signedIn(app.db, 'none')
  const body = { userId, siteId: a.siteId, role: 'viewer' }
  const add = async (request: object) => (await app.post('/api/site-grants', request)).status
  const self = (await (await app.get('/api/session')).json()) as { person: { userId: string; hasSites: boolean } }
  expect(self.person.hasSites).toBe(false)
  expect(await add({ ...body, userId: self.person.userId })).toBe(403)
  expect((await app.post('/api/site-grants', body, { cookie })).status).toBe(403)
  expect(await add({ ...body, siteId: randomUUID() })).toBe(404)
  expect(await add({ ...body, channelId: b.channels['production'] })).toBe(404)
  expect(await add({ ...body, userId: (await signedIn(app.db, 'auditor')).userId })).toBe(409)
  expect(await add(body)).toBe(201)
  const added = SiteGrant.parse(await (await app.post('/api/site-grants', { ...body, role: 'operator' })).json())
  const { items } = (await (await app.get('/api/site-grants')).json()) as { items: SiteGrant[] }
  expect(items.filter((one) => one.userId === userId)).toEqual([added])
  const session = async () => (await (await app.get('/api/session', { cookie })).json()) as typeof self
  expect((await session()).person.hasSites).toBe(true)
  const address = `/sites/${a.label}/production/bundle.tar.gz`
  expect((await app.get(address, { cookie })).status).toBe(302)
  // Nothing else of Docket opens.
  for (const path of ['/api/static-exports', '/api/activity', '/api/status', '/api/agent-jobs'])
    expect([path, (await app.get(path, { cookie })).status]).toEqual([path, 403])
  expect((await app.delete(`/api/site-grants/${added.grantId}`)).status).toBe(204)
  expect([(await app.get(address, { cookie })).status, (await session()).person.hasSites]).toEqual([404, false])
  const rows = await app.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.targetId, userId))
    .orderBy(auditEvents.auditId)
  expect(rows.map(({ action, details }) => [action, details])).toEqual([
    ['site_grant.added', { role: 'viewer', site: a.label }],
    ['site_grant.added', { role: 'operator', site: a.label }],
    ['site_grant.removed', { role: 'operator', site: a.label }],
  ])
})

test('a token limited to sites reaches nothing else, and reaches nothing at all in an earlier version', async () => {
  const channelId = a.channels['staging']!
  const sites = [{ siteId: a.siteId, channelId }, { siteId: b.siteId.toUpperCase() }, { siteId: b.siteId }]
  const { apiToken, bearer } = await makeToken(app, { sites })
  expect(apiToken).toMatchObject({
    domains: [],
    projectIds: [],
    sites: [
      { siteId: a.siteId, channelId },
      { siteId: b.siteId, channelId: null },
    ],
  })
  const [row] = await app.db.select().from(apiTokens).where(eq(apiTokens.tokenId, apiToken.tokenId))
  expect([row!.domains, row!.projectIds]).toEqual([[], []])
  const [event] = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, apiToken.tokenId))
  expect(event!.details).toMatchObject({ sites: `${a.label}/staging ${b.label}` })
  expect((await (await app.get('/api/static-exports', bearer)).json()) as object).toMatchObject({ items: [] })
  expect((await app.get('/api/connection', bearer)).status).toBe(403)
  for (const wrong of [{ siteId: randomUUID() }, { siteId: a.siteId, channelId: b.channels['production'] }]) {
    const body = { name: 'x', scope: 'read', expiresInDays: 1, sites: [wrong] }
    const refused = await app.post('/api/tokens', body)
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ field: 'sites' })])
  }
})

test('a token has no more rights to sites than its owner has now', async () => {
  const maker = await signedIn(app.db, 'admin')
  const { bearer } = await makeToken(
    { ...app, post: (path, body) => app.post(path, body, { cookie: maker.cookie }) },
    { sites: [{ siteId: b.siteId }] },
  )
  const address = `/sites/${b.label}/production/bundle.tar.gz`
  expect((await app.get(address, bearer)).status).toBe(302)
  expect((await app.send('PATCH', `/api/users/${maker.userId}`, { role: 'none' })).status).toBe(200)
  expect((await app.get(address, bearer)).status).toBe(404)
  const body = { userId: maker.userId, role: 'viewer', siteId: b.siteId }
  expect((await app.post('/api/site-grants', body)).status).toBe(201)
  expect((await app.get(address, bearer)).status).toBe(302)
})
