import { eq, sql } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { acceptedFindings, artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import { reviveSite } from '#bundles/storing/bundle-rows.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { channels, sites as sitesTable } from '#ground/db/sites.table.ts'
import type { HeldSiteGrant } from '#ground/identity/rights.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { addChannel, changeChannel, removeChannel } from '#releases/channels/channels.ts'
import { joinSites, lockChannels, separateSite } from '#releases/channels/join-sites.ts'
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
type Here = Awaited<ReturnType<typeof kit>>
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

test('only admins remove a site with roles, or with a channel that the web reads; no token removes one', async () => {
  const here = await kit()
  const { sites, db } = here
  await here.completeAndStore('[]a')
  const { siteId } = await here.siteOf()
  const { key } = await here.channelOf('production')
  const operator = toPerson(toRole('operator'))
  const token = toToken('operate', { sites: [{ siteId, channelId: null }] })
  const may = async (sender: typeof admin) => {
    const { mayRemove } = await readSite(sites, siteId, sender)
    const refused = await db
      .transaction(async (tx) => {
        await removeSite({ ...sites, db: tx as unknown as typeof db }, siteId, sender)
        tx.rollback()
      })
      .catch((error: unknown) => (error as { code?: string }).code === 'forbidden')
    expect(refused).toBe(!mayRemove)
    return mayRemove
  }
  const mayBoth = async () => [await may(operator), await may(admin), await may(token)]
  expect(await mayBoth()).toEqual([true, true, false])
  const { publishChecks } = await here.channelOf('production')
  const change = async (set: Partial<typeof channels.$inferInsert>) =>
    db.update(channels).set(set).where(eq(channels.channelId, key.channelId))
  for (const [on, off] of [
    [{ access: 'public' }, { access: 'signed_in' }],
    [{ hostname: 'docs.example.org' }, { hostname: null }],
    [{ isProtected: true }, { isProtected: false }],
    [{ publishChecks: { ...publishChecks, approvals: 1 } }, { publishChecks: null }],
  ] as const) {
    await change(on)
    expect([on, await mayBoth()]).toEqual([on, [false, true, false]])
    await change(off)
  }
  await db.insert(siteGrants).values({ oidcGroup: 'writers', role: 'viewer', siteId })
  expect(await mayBoth()).toEqual([false, true, false])
})

/** Runs `first` in a transaction that stays open until `second` waits for one of its locks. */
const whileOpen = async (
  { db }: Pick<Here, 'db'>,
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<unknown>,
) => {
  let later: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await first(tx)
    later = second()
    later.catch(() => {})
    await expect
      .poll(async () => {
        const { rows } = await db.$client.query<{ waiting: number }>(
          "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rows[0]!.waiting
      })
      .toBe(1)
  })
  return outcome(later)
}
const within = (here: Here, tx: Tx) => ({ ...here.sites, db: tx as unknown as Here['db'] })

test('a site that is removed while its export is being stored is a site again afterwards', async () => {
  let meanwhile: () => Promise<unknown> = () => Promise.resolve()
  const here = await kit({
    countChanges: async () => {
      await meanwhile()
      return { added: 0, removed: 0, changed: 0, moved: 0 }
    },
  })
  await here.completeAndStore('[]a')
  const { siteId } = await here.siteOf()
  let removed = 'not yet'
  meanwhile = async () => (removed = await outcome(removeSite(here.sites, siteId, admin)))
  const b = await here.completeAndStore('[]b')
  expect(removed).toBe('ok')
  expect(await here.siteOf()).toMatchObject({ siteId, label: 'docs-example-com', newest: { exportId: b } })
})

test('removed sites that come back at once keep their labels apart, and one that comes back twice keeps its own', async () => {
  const here = await kit()
  const domains = ['docs.example.com', 'docs-example.com']
  for (const domain of domains) await here.completeAndStore(`[]${domain}`, domain)
  const [a, b] = [(await here.siteOf(domains[0])).siteId, (await here.siteOf(domains[1])).siteId]
  const revive = async (tx: Tx, siteId: string) => {
    await lockSite(tx, siteId)
    await reviveSite(tx, siteId)
  }
  const labels = async () => [(await here.siteOf(domains[0])).label, (await here.siteOf(domains[1])).label]
  for (const siteId of [a, b]) await removeSite(here.sites, siteId, admin)
  const again = (siteId: string) => () => here.db.transaction((tx) => revive(tx, siteId))
  expect(await whileOpen(here, (tx) => revive(tx, a), again(b))).toBe('ok')
  expect(await labels()).toEqual(['docs-example-com', 'docs-example-com-2'])
  for (const siteId of [a, b]) await removeSite(here.sites, siteId, admin)
  expect(await whileOpen(here, (tx) => revive(tx, a), again(a))).toBe('ok')
  expect((await here.siteOf()).label).toBe('docs-example-com')
  expect((await here.siteOf()).channels).toHaveLength(2)
})

test('what runs beside the removal of a site finds none, and a join that came first lets nobody remove the joined one', async () => {
  const here = await kit()
  const { sites } = here
  for (const domain of ['docs.example.com', other]) await here.completeAndStore(`[]${domain}`, domain)
  const [{ siteId }, { siteId: joinedId }] = [await here.siteOf(), await here.siteOf(other)]
  const kept = await here.db.select().from(channels).where(eq(channels.siteId, joinedId))
  expect(
    await whileOpen(
      here,
      // Joining continues after its transaction, so the test has only what it writes.
      async (tx) => {
        await lockChannels(tx, [siteId, joinedId])
        await tx.update(sitesTable).set({ joinedInto: siteId }).where(eq(sitesTable.siteId, joinedId))
      },
      () => removeSite(sites, joinedId, admin),
    ),
  ).toBe('not_found')
  expect(await here.db.select().from(channels).where(eq(channels.siteId, joinedId))).toEqual(kept)
  await here.db.update(sitesTable).set({ joinedInto: null }).where(eq(sitesTable.siteId, joinedId))

  const remove = (id: string) => (tx: Tx) => removeSite(within(here, tx), id, admin)
  expect(await whileOpen(here, remove(siteId), () => addChannel(sites, siteId, { name: 'staging' }, admin))).toBe(
    'not_found',
  )
  expect(await whileOpen(here, remove(joinedId), () => changeSite(sites, joinedId, { label: 'mine' }, admin))).toBe(
    'not_found',
  )
  expect(await here.db.$count(channels)).toBe(0)
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
