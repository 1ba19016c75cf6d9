import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@docket/api-types/session'
import { StaticExport } from '@docket/api-types/static-exports'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grants } from '#people/accounts/grants.table.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { channels, sites } from '#ground/db/sites.table.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { testArtifacts } from '#testing/artifact-kit.ts'
import { addConnection, insertExport } from '#testing/connections.ts'
import { testConnectionId } from '#testing/connection.ts'
import { signedIn } from '#testing/people.ts'
import { releaseKit, type TestSite } from '#testing/releases.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

type Headers = Record<string, string | undefined>
type Bundle = { sha256: string; exportId: string }

const hourMs = 3_600_000
const clock = { ahead: 0 }
let [app, folder] = [undefined as unknown as TestApp, '']
let kit: ReturnType<typeof releaseKit>
let site: TestSite, other: TestSite
/** What production of the site showed before, what it shows, and what no channel ever showed; what the other site shows. */
let before: Bundle, live: Bundle, never: Bundle, foreign: Bundle

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-downloads-'))
  const stored = { ...testArtifacts(folder), openSite: () => siteInMemory({ 'index.html': '<h1>Docs</h1>' }) }
  app = await testApp({ artifacts: stored, now: () => Date.now() + clock.ahead, logLevel: 'info' })
  kit = releaseKit(app.db, stored.storage)
  site = await kit.addSite('docs.example.com', testConnectionId)
  const connectionId = await addConnection(app.db, 'other')
  other = await kit.addSite('other.example.com', connectionId)
  await kit.addChannel(site, 'staging')
  const list = async (sha256: string, of: TestSite, domain: string, connection: string): Promise<Bundle> => {
    const [exportId, at] = [randomUUID(), new Date()]
    await insertExport(app.db, { exportId, domain, at, connectionId: connection, jobId: exportId })
    await app.db
      .insert(artifacts)
      .values({ exportId, siteId: of.siteId, state: 'stored', sha256, storedAt: at, exportedAt: at })
    return { sha256, exportId }
  }
  const release = async (of: TestSite, channel: string, domain: string, connection: string) =>
    list((await kit.release(of, channel, randomBytes(1000))).sha256, of, domain, connection)
  before = await release(site, 'production', 'docs.example.com', testConnectionId)
  live = await release(site, 'production', 'docs.example.com', testConnectionId)
  foreign = await release(other, 'production', 'other.example.com', connectionId)
  const gone = await kit.addSite('gone.example.com', connectionId)
  const { sha256 } = await kit.release(gone, 'production', randomBytes(1000))
  await app.db.delete(sites).where(eq(sites.siteId, gone.siteId))
  never = await list(sha256, site, 'docs.example.com', testConnectionId)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const person = async (role: Role) => {
  const { cookie, userId } = await signedIn(app.db, role, { now: Date.now() + clock.ahead })
  return { headers: { cookie } as Headers, userId }
}
const ofConnection = (role: 'viewer' | 'operator') => async () => {
  const { headers, userId } = await person('none')
  await app.db.insert(grants).values({ userId, role, connectionId: testConnectionId })
  return headers
}
const ofSite = (role: 'viewer' | 'operator', channel: string | null) => async () => {
  const { headers, userId } = await person('none')
  const channelId = channel && site.channels[channel]!
  await app.db.insert(siteGrants).values({ userId, role, siteId: site.siteId, channelId, createdAt: new Date() })
  return headers
}
const token = (scope: 'read' | 'operate', limits: () => object) => async (): Promise<Headers> =>
  (await makeToken(app, { scope, ...limits() })).bearer
const [siteId, channel] = [() => site.siteId, (name: string) => site.channels[name]!]

const status = async (path: string, headers: Headers) => {
  const response = await app.get(path, headers)
  await response.arrayBuffer().catch(() => undefined)
  return response.status
}
const doors = {
  export: async ({ exportId }: Bundle, headers: Headers) => {
    const path = `/api/static-exports/${exportId}`
    const whole = await status(`${path}/download`, headers)
    expect([whole, await status(`${path}/artifact/file?path=index.html`, headers)]).toEqual([whole, whole])
    return whole
  },
  sum: ({ sha256 }: Bundle, headers: Headers) => status(`/bundles/sha256/${sha256}/x.tar.gz`, headers),
}
const readAll = async (headers: Headers) => {
  const all = { live, before, never, foreign }
  const found = { export: [] as number[], sum: [] as number[] }
  for (const bundle of Object.values(all)) {
    found.export.push(await doors.export(bundle, headers))
    found.sum.push(await doors.sum(bundle, headers))
  }
  return found
}

/** For what is live, was live an hour ago, never was, and is live at another connection. A day later, the second one is for operators. */
const kinds: [string, () => Promise<Headers>, { export: number[]; sum: number[] }][] = [
  [
    'a viewer of everything',
    async () => (await person('viewer')).headers,
    { export: [200, 200, 403, 200], sum: [200, 200, 404, 200] },
  ],
  [
    'an auditor',
    async () => (await person('auditor')).headers,
    { export: [200, 200, 403, 200], sum: [200, 200, 404, 200] },
  ],
  ['a viewer of the connection', ofConnection('viewer'), { export: [200, 200, 403, 404], sum: [200, 200, 404, 404] }],
  ['a token to read', token('read', () => ({})), { export: [200, 200, 403, 200], sum: [200, 200, 404, 200] }],
  [
    'a token to read a connection',
    token('read', () => ({ connectionIds: [testConnectionId] })),
    { export: [200, 200, 403, 404], sum: [200, 200, 404, 404] },
  ],
  [
    'a token to read a domain',
    token('read', () => ({ domains: ['docs.example.com'] })),
    { export: [403, 403, 403, 404], sum: [404, 404, 404, 404] },
  ],
  ['a viewer of the site', ofSite('viewer', null), { export: [403, 403, 403, 403], sum: [200, 200, 404, 404] }],
  [
    'a viewer of the channel',
    ofSite('viewer', 'production'),
    { export: [403, 403, 403, 403], sum: [200, 200, 404, 404] },
  ],
  [
    'a viewer of another channel',
    ofSite('viewer', 'staging'),
    { export: [403, 403, 403, 403], sum: [404, 404, 404, 404] },
  ],
  [
    'a token to read the channel',
    token('read', () => ({ sites: [{ siteId: siteId(), channelId: channel('production') }] })),
    { export: [404, 404, 404, 404], sum: [200, 200, 404, 404] },
  ],
  ['nobody', async () => ({ cookie: undefined }), { export: [401, 401, 401, 401], sum: [401, 401, 401, 401] }],
]
const operators: typeof kinds = [
  [
    'an operator',
    async () => (await person('operator')).headers,
    { export: [200, 200, 200, 200], sum: [200, 200, 404, 200] },
  ],
  [
    'an operator of the connection',
    ofConnection('operator'),
    { export: [200, 200, 200, 404], sum: [200, 200, 404, 404] },
  ],
  [
    'an operator of the channel',
    ofSite('operator', 'production'),
    { export: [403, 403, 403, 403], sum: [200, 200, 404, 404] },
  ],
  ['a token to operate', token('operate', () => ({})), { export: [200, 200, 200, 200], sum: [200, 200, 404, 200] }],
  [
    'a token to operate a domain',
    token('operate', () => ({ domains: ['docs.example.com'] })),
    { export: [200, 200, 200, 404], sum: [404, 404, 404, 404] },
  ],
  [
    'a token to operate the site',
    token('operate', () => ({ sites: [{ siteId: siteId() }] })),
    { export: [404, 404, 404, 404], sum: [200, 200, 404, 404] },
  ],
]

test.for([...kinds, ...operators])(
  '%s gets the expected responses when downloading by export and by checksum',
  async ([, make, expected]) => {
    expect(await readAll(await make())).toEqual(expected)
  },
)

test('an operator of one connection who is a viewer of another can download its live exports', async () => {
  const { headers, userId } = await person('viewer')
  await app.db.insert(grants).values({ userId, role: 'operator', connectionId: testConnectionId })
  expect((await readAll(headers)).export).toEqual([200, 200, 200, 200])
})

test('a formerly live export is downloadable by viewers for one more day, then by operators only, until it is live again', async () => {
  clock.ahead = 23 * hourMs
  const viewer = await ofConnection('viewer')()
  expect([await doors.export(before, viewer), await doors.sum(before, viewer)]).toEqual([200, 200])
  clock.ahead = 25 * hourMs
  for (const [name, make, expected] of kinds) {
    const found = await readAll(await make())
    const later = {
      export: expected.export.with(1, Math.max(403, expected.export[1]!)),
      sum: expected.sum.with(1, Math.max(404, expected.sum[1]!)),
    }
    expect([name, found]).toEqual([name, name === 'nobody' ? expected : later])
  }
  for (const [name, make, expected] of operators) expect([name, await readAll(await make())]).toEqual([name, expected])
  const refused = await app.get(`/api/static-exports/${before.exportId}/download`, viewer)
  expect(await refused.text()).toContain('no channel shows')
  await app.db
    .execute(`insert into releases (channel_id, number, kind, sha256, sum, export_id, pages, released_at, by_kind, by_name)
    select channel_id, 3, 'rollback', sha256, sum, export_id, 1, now(), 'docket', 'Docket' from releases where number = 1
      and channel_id = '${channel('production')}'`)
  await app.db
    .execute(`update channels set last_number = 3, current_release_id = (select release_id from releases where number = 3)
    where channel_id = '${channel('production')}'`)
  expect([await doors.export(before, viewer), await doors.sum(before, viewer)]).toEqual([200, 200])
})

test('an export is marked live exactly while a channel shows it', async () => {
  const viewer = await ofConnection('viewer')()
  const path = `/api/static-exports/${never.exportId}`
  const isLive = async () => StaticExport.parse(await (await app.get(path, viewer)).json()).artifact?.isLive
  expect(await isLive()).toBe(false)
  const { version } = (
    await app.db
      .select()
      .from(channels)
      .where(eq(channels.channelId, channel('staging')))
  )[0]!
  const at = `/api/sites/${site.siteId}/channels/${channel('staging')}`
  const published = await app.post(`${at}/releases`, { version, exportId: never.exportId, override: 'A test.' })
  expect([published.status, await isLive()]).toEqual([200, true])
  expect(await status(`${path}/download/sha256`, viewer)).toBe(200)
  expect((await app.delete(at)).status).toBe(204)
  expect(await isLive()).toBe(false)
})
