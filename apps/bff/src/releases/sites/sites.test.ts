import { eq, sql } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { acceptedFindings, artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import type { HeldSiteGrant } from '#ground/identity/rights.ts'
import { testConnectionId } from '#testing/connection.ts'
import { addChannel, changeChannel, removeChannel } from '#releases/channels/channels.ts'
import { joinSites, separateSite } from '#releases/channels/join-sites.ts'
import { removeSite } from '#releases/channels/remove-site.ts'
import { pinChannel } from '#releases/channels/publish.ts'
import { listReleases } from './releases.list.ts'
import { changeSite, listSiteArtifacts, listSites, readSite, readSiteOfExport } from './sites.ts'
import { admin, toRole, siteKit, toPerson, toToken } from '#testing/site-kit.ts'

const kit = async (options: Parameters<typeof siteKit>[0] = {}) => {
  const made = await siteKit(options)
  onTestFinished(made.close)
  return made
}
const other = 'other.example.com'
const elsewhere = '00000000-0000-4000-8000-000000000000'
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as { code: string }).code,
  )

test('people see and change only what their roles, grants and tokens cover, and anything else is not found', async () => {
  const here = await kit()
  const [a] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]o', other)]
  const { sites } = here
  const { siteId } = await here.siteOf()
  await addChannel(sites, siteId, { name: 'staging' }, admin)
  await here.publish(a)
  const [production, staging] = [(await here.channelOf('production')).key, (await here.channelOf('staging')).key]
  const settings = { version: 1, isProtected: true }
  await changeChannel(sites, production, settings, admin)
  const grant = (role: 'viewer' | 'operator', channelId: string | null): HeldSiteGrant[] => [
    { role, siteId, channelId },
  ]
  const none = toRole('none')
  const people = {
    admin,
    operator: toPerson(toRole('operator')),
    'operator elsewhere': toPerson(toRole('operator', elsewhere)),
    viewer: toPerson(toRole('viewer', testConnectionId)),
    auditor: toPerson(toRole('auditor')),
    nobody: toPerson(none),
    'granted to look': toPerson(none, grant('viewer', null)),
    'granted staging': toPerson(none, grant('operator', staging.channelId)),
    'granted production': toPerson(toRole('viewer'), grant('operator', production.channelId)),
    'token to view': toToken('view', {}),
    'token to operate': toToken('operate', {}),
    'token of a domain': toToken('operate', { domains: ['docs.example.com'] }),
    'token of the site': toToken('operate', { sites: [{ siteId, channelId: null }] }),
    'token of staging': toToken('operate', { sites: [{ siteId, channelId: staging.channelId }] }),
    'token of another site': toToken('operate', {
      sites: [{ siteId: (await here.siteOf(other)).siteId, channelId: null }],
    }),
  }
  const table: Record<string, unknown> = {}
  for (const [who, sender] of Object.entries(people)) {
    const site = await readSite(sites, siteId, sender).catch(() => null)
    const pinned = { version: 99, reason: null }
    table[who] = [
      (await listSites(sites, sender)).sites.length,
      site?.channels.map(({ name, mayPublish }) => (mayPublish ? name.toUpperCase() : name)).join(' ') ?? '-',
      // An old version: only who may publish is told of the conflict.
      await outcome(pinChannel(sites, production, pinned, sender)),
      await outcome(listReleases(sites, production, { limit: 5 }, sender)),
      await outcome(changeChannel(sites, staging, { version: 99, accessLog: true }, sender)),
      await outcome(changeChannel(sites, staging, { version: 99, isProtected: true }, sender)),
      site === null ? '-' : `${site.newest === null ? 'no ' : ''}artifacts`,
    ]
  }
  const all = 'production latest staging'
  const publishes = 'production LATEST STAGING'
  expect(table).toEqual({
    admin: [2, all.toUpperCase(), 'conflict', 'ok', 'conflict', 'conflict', 'artifacts'],
    operator: [2, publishes, 'forbidden', 'ok', 'conflict', 'forbidden', 'artifacts'],
    'operator elsewhere': [0, '-', 'not_found', 'not_found', 'not_found', 'not_found', '-'],
    viewer: [2, all, 'forbidden', 'ok', 'forbidden', 'forbidden', 'artifacts'],
    auditor: [2, all, 'forbidden', 'ok', 'forbidden', 'forbidden', 'artifacts'],
    nobody: [0, '-', 'not_found', 'not_found', 'not_found', 'not_found', '-'],
    'granted to look': [1, all, 'forbidden', 'ok', 'forbidden', 'forbidden', 'artifacts'],
    'granted staging': [1, 'STAGING', 'not_found', 'not_found', 'forbidden', 'forbidden', 'artifacts'],
    'granted production': [2, 'PRODUCTION latest staging', 'conflict', 'ok', 'forbidden', 'forbidden', 'artifacts'],
    'token to view': [2, all, 'forbidden', 'ok', 'forbidden', 'forbidden', 'artifacts'],
    'token to operate': [2, publishes, 'forbidden', 'ok', 'conflict', 'forbidden', 'artifacts'],
    'token of a domain': [0, '-', 'not_found', 'not_found', 'not_found', 'not_found', '-'],
    'token of the site': [1, publishes, 'forbidden', 'ok', 'conflict', 'forbidden', 'artifacts'],
    'token of staging': [1, 'STAGING', 'not_found', 'not_found', 'forbidden', 'forbidden', 'artifacts'],
    'token of another site': [1, '-', 'not_found', 'not_found', 'not_found', 'not_found', '-'],
  })
})

test('a site can be renamed, gets a unique label, and can have channels besides the two permanent ones', async () => {
  const here = await kit()
  const [a] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]o', other)]
  const { sites } = here
  const { siteId, label } = await here.siteOf()
  expect(label).toBe('docs-example-com')
  await changeSite(sites, siteId, { name: 'Handbook', label: 'handbook' }, admin)
  await changeSite(sites, siteId, { name: 'Handbook' }, admin)
  expect(await here.siteOf()).toMatchObject({ name: 'Handbook', label: 'handbook' })
  expect(await outcome(changeSite(sites, siteId, { label: 'other-example-com' }, admin))).toBe('conflict')
  await addChannel(sites, siteId, { name: 'staging' }, admin)
  expect(await outcome(addChannel(sites, siteId, { name: 'staging' }, admin))).toBe('conflict')
  await here.publish(a, 'staging')
  const { key } = await here.channelOf('staging')
  const latest = await here.channelOf('latest')
  expect(await outcome(changeSite(sites, siteId, { mainChannelId: latest.channelId }, admin))).toBe('conflict')
  expect(await outcome(changeSite(sites, siteId, { mainChannelId: siteId }, admin))).toBe('not_found')
  await changeSite(sites, siteId, { mainChannelId: key.channelId }, admin)
  expect(await here.siteOf()).toMatchObject({ mainChannelId: key.channelId })
  const set = {
    access: 'public',
    hostname: 'docs.example.org',
    publishChecks: { ...(await here.channelOf('staging')).publishChecks, approvals: 2 },
  } as const
  await changeChannel(sites, key, { version: 1, ...set }, admin)
  // The same again is no change, whatever it saw.
  await changeChannel(sites, key, { version: 0, ...set }, admin)
  expect(await here.channelOf('staging')).toMatchObject({ version: 2, ...set })
  const { key: production } = await here.channelOf('production')
  expect(await outcome(changeChannel(sites, production, { version: 0, hostname: 'docs.example.org' }, admin))).toBe(
    'conflict',
  )
  const operator = toPerson(toRole('operator'))
  expect(await outcome(changeChannel(sites, production, { version: 0, hostname: 'x.example.org' }, operator))).toBe(
    'forbidden',
  )
  expect((await listSiteArtifacts(sites, siteId, admin)).artifacts).toMatchObject([
    { exportId: a, shownBy: ['latest', 'staging'] },
  ])
  for (const name of ['production', 'latest'])
    expect(await outcome(removeChannel(sites, (await here.channelOf(name)).key, admin))).toBe('conflict')
  await removeChannel(sites, key, admin)
  const after = await here.siteOf()
  expect(after.channels.map(({ name }) => name)).toEqual(['production', 'latest'])
  // A main channel that is gone leaves production.
  expect(after.mainChannelId).toBe(after.channels[0]!.channelId)
  const actions = (await here.db.select().from(auditEvents).orderBy(auditEvents.auditId)).map(({ action }) => action)
  expect(actions.filter((action) => action !== 'release.followed')).toEqual([
    'site.changed',
    'channel.added',
    'release.published',
    'site.changed',
    'channel.changed',
    'channel.removed',
  ])
})

test('a removed site loses its addresses, channels and roles, keeps its exports, and comes back with the next stored one', async () => {
  const here = await kit()
  const { sites, db } = here
  const [a] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]o', other)]
  const { siteId, label } = await here.siteOf()
  await changeSite(sites, siteId, { name: 'Handbook' }, admin)
  await here.publish(a)
  const { key } = await here.channelOf('production')
  const remove = (sender: typeof admin) => outcome(removeSite(sites, siteId, sender))
  const operator = toPerson(toRole('operator'))
  const ofSite = toPerson(toRole('none'), [{ siteId, channelId: null, role: 'operator' as const }])
  expect([await remove(toPerson(toRole('viewer'))), await remove(ofSite)]).toEqual(['forbidden', 'forbidden'])
  await changeChannel(sites, key, { version: 1, isProtected: true }, admin)
  expect(await remove(operator)).toBe('forbidden')
  await changeChannel(sites, key, { version: 2, isProtected: false }, admin)
  expect(await remove(operator)).toBe('ok')
  expect([await remove(operator), await outcome(readSiteOfExport(sites, a, admin))]).toEqual(['not_found', 'not_found'])
  expect((await listSites(sites, admin)).sites.map(({ name }) => name)).toEqual([other])
  expect(await db.select().from(artifacts).where(eq(artifacts.exportId, a))).toMatchObject([
    { state: 'stored', siteId },
  ])
  const { siteId: otherId } = await here.siteOf(other)
  await changeSite(sites, otherId, { label }, admin)

  await here.completeAndStore('[]b')
  expect(await here.siteOf()).toMatchObject({
    siteId,
    name: 'docs.example.com',
    label: `${label}-2`,
    channels: [
      { name: 'production', current: null },
      { name: 'latest', current: { number: 1 } },
    ],
  })
  const [removal] = await db.select().from(auditEvents).where(eq(auditEvents.action, 'site.removed'))
  expect(removal).toMatchObject({ targetId: siteId, targetName: label, details: { name: 'Handbook' } })
})

test('a site joined into another hands over its artifacts and exports, and gets them back when separated', async () => {
  const here = await kit()
  const cause = JSON.stringify([{ fingerprint: 'f'.repeat(32), level: 'breaks' }])
  const a = await here.completeAndStore('[]a')
  const o = await here.completeAndStore(`${cause}o`, other)
  const [site, joined] = [await here.siteOf(), await here.siteOf(other)]
  await here.db
    .insert(acceptedFindings)
    .values({ siteId: joined.siteId, fingerprint: 'f'.repeat(32), reason: 'Known.', by: 'Ada', at: new Date() })
  const { sites } = here
  const join = (into: string, from: string, who = admin) => outcome(joinSites(sites, into, from, who))
  expect(await join(site.siteId, site.siteId)).toBe('conflict')
  expect(await join(site.siteId, joined.siteId, toPerson(toRole('viewer')))).toBe('forbidden')
  expect(await join(site.siteId, elsewhere)).toBe('not_found')
  await here.publish(o, 'production', other)
  await expect(joinSites(sites, site.siteId, joined.siteId, admin)).rejects.toThrow(
    'production of other.example.com shows',
  )
  await here.db.execute(sql`update channels set current_release_id = null where name = 'production'`)

  await joinSites(sites, site.siteId, joined.siteId, admin)
  expect((await here.siteOf(other)).siteId).toBe(site.siteId)
  expect((await here.siteOf()).feeds.map(({ domain }) => domain)).toEqual(['docs.example.com', other])
  expect((await listSites(sites, admin)).sites).toHaveLength(1)
  expect((await here.channelOf('latest')).current).toMatchObject({ exportId: o, by: 'Docket' })
  expect((await here.read(o)).check).toMatchObject({ findings: { breaks: 0 } })
  await expect(joinSites(sites, site.siteId, joined.siteId, admin)).rejects.toThrow('feeds docs.example.com already')
  // Exports of the joined domain feed the site from now on.
  const next = await here.completeAndStore('[]next', other)
  expect((await here.channelOf('latest')).current!.exportId).toBe(next)
  expect((await readSiteOfExport(sites, next, admin)).siteId).toBe(site.siteId)
  await here.publish(o)
  await here.publish(a)

  const feed = { connectionId: testConnectionId, domain: other }
  const separate = (which: typeof feed) => separateSite(sites, site.siteId, which, admin)
  await expect(separate({ ...feed, domain: 'docs.example.com' })).rejects.toThrow('own')
  await here.publish(next)
  await expect(separate(feed)).rejects.toThrow('production shows an export of other.example.com')
  await here.publish(a)
  await separate(feed)
  expect(await here.siteOf(other)).toMatchObject({ siteId: joined.siteId, newest: { exportId: next } })
  expect((await here.channelOf('latest')).current!.exportId).toBe(a)
  expect((await here.channelOf('latest', other)).current!.exportId).toBe(next)
  expect((await here.releasesOf('production')).map(({ exportId, isHeld }) => [exportId === a, isHeld])).toEqual(
    [true, false, true, false].map((isOwn) => [isOwn, isOwn]),
  )
  expect(await outcome(separate(feed))).toBe('conflict')
  // Of two people who join two sites into each other at once, one is refused.
  await here.db.execute(sql`update channels set current_release_id = null where name = 'production'`)
  const both = await Promise.all([join(site.siteId, joined.siteId), join(joined.siteId, site.siteId)])
  expect(both.filter((code) => code === 'ok')).toHaveLength(1)
})
