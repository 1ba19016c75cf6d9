import { Channel, ReleaseList, Site, SiteArtifacts, SiteList, SiteReleaseList } from '@docket/api-types/sites'
import { onTestFinished, expect, test } from 'vitest'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { insertExport } from '#testing/connections.ts'
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
  const sizes = { sizeBytes: 7, storedBytes: 9, contentBytes: 9, files: 1, pages: 3 }
  await app.db.insert(storedBundles).values({ sha256, ending: '.tar.gz', ...sizes, storedAt: at })
  await app.db
    .insert(artifacts)
    .values({ exportId, siteId: row!.siteId, state: 'stored', sha256, storedAt: at, exportedAt: at })

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
