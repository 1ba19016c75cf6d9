import { Channel, ReleaseList, Site, SiteArtifacts, SiteList, SiteReleaseList } from '@docket/api-types/sites'
import { ApiTokenList } from '@docket/api-types/tokens'
import { sql } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { channels, sites } from '#ground/db/sites.table.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { insertArtifact, insertExport } from '#testing/connections.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

test('sites, channels and releases are served over HTTP, and a token limited to a domain sees none of them', async () => {
  const app = await testApp()
  onTestFinished(app.close)
  const [exportId, sha256, at] = [crypto.randomUUID(), 'a'.repeat(64), new Date()]
  await insertExport(app.db, { exportId, domain: 'docs.example.com' })
  const of = `/api/static-exports/${exportId}/site`
  expect((await app.get(of)).status).toBe(404)
  const [row] = await app.db
    .insert(sites)
    .values({ connectionId: testConnectionId, domain: 'docs.example.com', createdAt: at })
    .returning()
  await insertArtifact(app.db, { exportId, siteId: row!.siteId, sha256, at })

  const read = async () => Site.parse(await (await app.get(of)).json())
  const site = await read()
  expect(site).toMatchObject({ label: 'docs-example-com', mayChange: true, newest: { exportId, sha256 } })
  const [production, latest] = site.channels.map(({ channelId }) => `/api/sites/${site.siteId}/channels/${channelId}`)
  const send = async (work: ReturnType<typeof app.post>) => Channel.parse(await (await work).json())
  const pinned = await send(app.post(`${latest}/pin`, { version: 0, reason: 'Freeze.' }))
  expect(pinned).toMatchObject({ version: 1, pinned: { reason: 'Freeze.' } })
  expect((await send(app.delete(`${latest}/pin?version=1`))).pinned).toBeNull()
  expect(ReleaseList.parse(await (await app.get(`${production}/releases`)).json())).toEqual({
    releases: [],
    hasMore: false,
  })
  // Unpinned channels of the site follow at once.
  const { artifacts: listed } = SiteArtifacts.parse(await (await app.get(`/api/sites/${site.siteId}/artifacts`)).json())
  expect(listed).toMatchObject([
    { exportId, sha256, domain: 'docs.example.com', pages: 3, sizeBytes: 7, shownBy: ['latest'] },
  ])
  const readReleases = async (query = '') =>
    SiteReleaseList.parse(await (await app.get(`/api/sites/${site.siteId}/releases${query}`)).json())
  const { releases } = await readReleases()
  expect(releases).toMatchObject([{ kind: 'rule', number: 1, channelId: site.channels[1]!.channelId }])
  expect(await readReleases(`?before=${releases[0]!.releaseId}`)).toEqual({ releases: [], hasMore: false })
  expect((await app.delete(production!)).status).toBe(409)
  const { bearer } = await makeToken(app, { domains: ['docs.example.com'] })
  expect(SiteList.parse(await (await app.get('/api/sites', bearer)).json()).sites).toEqual([])
  expect((await app.get(of, bearer)).status).toBe(404)
})

test('a removed site is gone from tokens and roles for good, also while one is being added', async () => {
  const app = await testApp()
  onTestFinished(app.close)
  const add = async (domain: string) => {
    const values = { connectionId: testConnectionId, domain, createdAt: new Date() }
    return (await app.db.insert(sites).values(values).returning())[0]!.siteId
  }
  const [siteId, kept] = [await add('docs.example.com'), await add('other.example.com')]
  const tokenOf = async (...siteIds: string[]) =>
    (await makeToken(app, { sites: siteIds.map((id) => ({ siteId: id })) })).apiToken.tokenId
  const [only, both] = [await tokenOf(siteId), await tokenOf(siteId, kept)]
  const whole = (await makeToken(app)).apiToken.tokenId
  const grant = () => app.post('/api/site-grants', { oidcGroup: 'writers', role: 'viewer', siteId, channelId: null })
  const limited = () =>
    app.post('/api/tokens', { name: 'Late', scope: 'read', expiresInDays: null, sites: [{ siteId }] })
  expect((await grant()).status).toBe(201)
  expect((await makeToken(app, { sites: [{ siteId }] })).token).toBeDefined()
  const token = await makeToken(app)
  expect((await app.delete(`/api/sites/${siteId}`, token.bearer)).status).toBe(403)

  const client = await app.db.$client.connect()
  let late: Promise<Response>[] = []
  try {
    await client.query('begin')
    await client.query('select from sites where site_id = $1 for no key update', [siteId])
    await client.query('delete from channels where site_id = $1', [siteId])
    late = [grant(), limited()]
    await expect
      .poll(async () => {
        const { rows } = await app.probes.execute<{ waiting: number }>(sql`select count(*)::int as waiting
          from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return rows[0]!.waiting
      })
      .toBe(2)
    await client.query('commit')
  } finally {
    client.release()
  }
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([404, 400])
  await app.db.insert(channels).values({ siteId, name: 'production' })
  expect((await app.delete(`/api/sites/${siteId}`)).status).toBe(204)
  const { items } = ApiTokenList.parse(await (await app.get('/api/tokens')).json())
  const limits = (id: string) => items.find(({ tokenId }) => tokenId === id)!.sites
  expect([limits(only), limits(both), limits(whole)]).toEqual([[], [{ siteId: kept, channelId: null }], null])
  expect(await app.db.$count(siteGrants)).toBe(0)
  expect([(await grant()).status, (await limited()).status]).toEqual([404, 400])
})
