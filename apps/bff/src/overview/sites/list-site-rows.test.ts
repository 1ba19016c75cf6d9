import { SiteRows } from '@docket/api-types/site-rows'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { channels, releases, sites } from '#ground/db/sites.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { addConnection, insertArtifact, insertExport } from '#testing/connections.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

const start = async () => {
  const app = await testApp()
  onTestFinished(app.close)
  let minute = 0
  const addExport = async (domain: string, connectionId = testConnectionId) => {
    const exportId = crypto.randomUUID()
    await insertExport(app.db, { exportId, domain, connectionId, at: new Date(Date.UTC(2026, 0, 1, 0, minute++)) })
    return exportId
  }
  /** Makes the production channel of a domain show an export of it. */
  const publish = async (domain: string, exportId: string, sha256: string) => {
    const at = new Date()
    const [site] = await app.db
      .insert(sites)
      .values({ connectionId: testConnectionId, domain, createdAt: at })
      .returning()
    await insertArtifact(app.db, { exportId, siteId: site!.siteId, sha256, at })
    const [channel] = await app.db
      .select()
      .from(channels)
      .where(sql`${channels.siteId} = ${site!.siteId} and ${channels.name} = 'production'`)
    const [release] = await app.db
      .insert(releases)
      .values({
        channelId: channel!.channelId,
        number: 1,
        kind: 'rule',
        sha256,
        sum: sha256,
        exportId,
        pages: 3,
        at,
        byKind: 'docket',
        byName: 'Ann',
      })
      .returning()
    await app.db
      .update(channels)
      .set({ currentReleaseId: release!.releaseId })
      .where(eq(channels.channelId, channel!.channelId))
    return site!.siteId
  }
  const read = async (query = '', bearer?: Awaited<ReturnType<typeof makeToken>>['bearer']) =>
    SiteRows.parse(await (await app.get(`/api/overview/sites${query}`, bearer)).json())
  return { app, addExport, publish, read }
}

test('each site has its newest export, and what is live; a domain that was only exported is a row too', async () => {
  const { app, addExport, publish, read } = await start()
  expect(await read()).toEqual({ rows: [], total: 0, next: null, isEmpty: true, hasLive: false })
  const live = await addExport('docs.example.com')
  await addExport('kb.example.com')
  expect((await read()).hasLive).toBe(false)
  const siteId = await publish('docs.example.com', live, 'a'.repeat(64))
  const newest = await addExport('docs.example.com')
  const removed = await addExport('docs.example.com')
  await app.db.update(staticExports).set({ removedAt: new Date() }).where(eq(staticExports.exportId, removed))
  const { rows, ...page } = await read()
  expect(page).toEqual({ total: 2, next: null, isEmpty: false, hasLive: true })
  expect(rows).toMatchObject([
    {
      siteId,
      name: 'docs.example.com',
      live: { number: 1, by: 'Ann', exportId: live, sha256: 'a'.repeat(64) },
      newest: { exportId: newest, state: 'completed' },
      mayPublish: true,
      mayRollBack: true,
    },
    { siteId: null, name: 'kb.example.com', live: null, newest: { domain: 'kb.example.com' }, mayPublish: false },
  ])
})

test('the newest export of a site may come from a site joined into it', async () => {
  const { app, addExport, publish, read } = await start()
  const siteId = await publish('docs.example.com', await addExport('docs.example.com'), 'a'.repeat(64))
  await app.db
    .insert(sites)
    .values({ connectionId: testConnectionId, domain: 'old.example.com', createdAt: new Date(), joinedInto: siteId })
  const newest = await addExport('old.example.com')
  expect((await read()).rows).toMatchObject([{ siteId, domain: 'docs.example.com', newest: { exportId: newest } }])
})

test('nobody publishes to a channel that moves by itself, but people roll it back', async () => {
  const { app, addExport, publish, read } = await start()
  const siteId = await publish('docs.example.com', await addExport('docs.example.com'), 'a'.repeat(64))
  const [latest] = await app.db
    .select()
    .from(channels)
    .where(sql`${channels.siteId} = ${siteId} and ${channels.name} = 'latest'`)
  const { channelId } = latest!
  const { bearer } = await makeToken(app, { sites: [{ siteId, channelId }] })
  expect((await read('', bearer)).rows).toMatchObject([{ siteId, channelId, mayPublish: false, mayRollBack: true }])
  const { bearer: reader } = await makeToken(app, { scope: 'read', sites: [{ siteId, channelId }] })
  expect((await read('', reader)).rows).toMatchObject([{ channelId, mayPublish: false, mayRollBack: false }])
})

test('rows are paged, filtered by words, and by connection', async () => {
  const { app, addExport, read } = await start()
  const other = await addConnection(app.db, 'Other')
  for (const name of ['site-10', 'site-2', 'site-1']) await addExport(`${name}.example.com`)
  await addExport('site-2.example.com', other)
  const names = ({ rows }: SiteRows) => rows.map(({ name, connectionId }) => `${name} ${connectionId === other}`)
  const first = await read('?limit=3')
  expect(names(first).toSorted()).toEqual(
    ['site-1.example.com false', 'site-2.example.com false', 'site-2.example.com true'].toSorted(),
  )
  expect(first).toMatchObject({ total: 4, next: 3 })
  expect(names(await read('?limit=3&skip=3'))).toEqual(['site-10.example.com false'])
  expect(names(await read('?q=SITE-10'))).toEqual(['site-10.example.com false'])
  expect(await read('?q=nothing')).toMatchObject({ rows: [], total: 0, isEmpty: false })
  expect(names(await read(`?connection=${other}`))).toEqual(['site-2.example.com true'])
})

test('a token limited to a domain sees its exports only, and no site', async () => {
  const { app, addExport, publish, read } = await start()
  await publish('docs.example.com', await addExport('docs.example.com'), 'a'.repeat(64))
  await addExport('kb.example.com')
  const { bearer } = await makeToken(app, { domains: ['docs.example.com'] })
  expect(await read('', bearer)).toMatchObject({
    rows: [{ siteId: null, live: null, newest: { domain: 'docs.example.com' }, mayPublish: false }],
    total: 1,
    hasLive: false,
  })
  const { bearer: ofOther } = await makeToken(app, { domains: ['other.example.com'] })
  expect(await read('', ofOther)).toMatchObject({ rows: [], isEmpty: true })
})
