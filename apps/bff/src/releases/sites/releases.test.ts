import { onTestFinished, expect, test } from 'vitest'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { sumText } from '#testing/artifact-kit.ts'
import { pinChannel, publishArtifact as publishBundle, rollBack, unpinChannel } from '#releases/channels/publish.ts'
import { admin, toRole, siteKit, toPerson } from '#testing/site-kit.ts'

const kit = async (options: Parameters<typeof siteKit>[0] = {}) => {
  const made = await siteKit(options)
  onTestFinished(made.close)
  return made
}
const names: Record<string, string> = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((n) => [sumText(`[]${n}`), n]))
const readCode = (error: unknown) => (error as { code?: string }).code ?? String(error)

test('each action on a channel changes its release, pin and version as the table lists', async () => {
  const here = await kit()
  const day = Date.parse('2026-01-01')
  const [a, b, c] = [
    await here.completeAndStore('[]a', undefined, day + 1),
    await here.completeAndStore('[]b', undefined, day + 2),
    await here.completeAndStore('[]c', undefined, day + 3),
  ] as const
  const other = await here.completeAndStore('[]x', 'other.example.com')
  const unstored = await here.complete()
  const { key } = await here.channelOf('production')
  const latest = (await here.channelOf('latest')).key
  const publish = (version: number, exportId: string, override: string | null = null) =>
    publishBundle(here.sites, key, { version, exportId, note: null, override }, admin)
  const back = (version: number, releaseId: string | null = null, where = key) =>
    rollBack(here.sites, where, { version, releaseId, note: null }, admin)
  const numbered = async (number: number) =>
    (await here.releasesOf('production')).find((release) => release.number === number)!.releaseId
  const pin = (version: number, reason: string | null = null, where = key) =>
    pinChannel(here.sites, where, { version, reason }, admin)
  const unpin = (version: number, where = key) => unpinChannel(here.sites, where, { version }, admin)
  const store = (text: string, days: number) => () => here.completeAndStore(text, undefined, day + days)
  const deleteShown = async () => here.deleteCopy((await here.channelOf('latest')).current!.exportId, admin.actor)

  type Step = [string, () => Promise<unknown>, string]
  const production: Step[] = [
    ['nothing yet', async () => {}, '- v0'],
    ['roll back nothing', () => back(0), 'conflict'],
    ['publish the first', () => publish(0, a), 'a v1'],
    ['the same click again', () => publish(0, a), 'a v1'],
    ['publish as somebody who has not looked', () => publish(0, b), 'conflict'],
    ['publish the next', () => publish(1, b), 'b v2'],
    ['roll back', () => back(2), 'a v3'],
    ['the same click again', () => back(2), 'a v3'],
    ['roll back as somebody who has not looked', () => back(1), 'conflict'],
    ['roll back further than there is', () => back(3), 'conflict'],
    ['publish after a rollback', () => publish(3, c), 'c v4'],
    ['pin a channel that no rule moves', () => pin(4), 'conflict'],
    ['unpin it', () => unpin(4), 'c v4'],
    ['go back to a chosen release', async () => back(4, await numbered(2)), 'b v5'],
    ['go back to what it shows', async () => back(5, await numbered(2)), 'b v5'],
    ['go back to a release of nobody', () => back(5, latest.channelId), 'conflict'],
    ['publish a bundle of another site', () => publish(5, other), 'not_found'],
    ['publish what is not stored', () => publish(5, unstored), 'not_found'],
    ['publish against the checks', () => publish(5, c), 'conflict'],
    ['override the checks', () => publish(5, c, 'Urgent.'), 'c v6'],
    ['roll back', () => back(6), 'b v7'],
    ['roll back once more', () => back(7), 'a v8'],
  ]
  const following: Step[] = [
    ['follow the newest', async () => {}, 'c v3'],
    ['an older export arrives', store('[]d', 1), 'c v3'],
    [
      'publish by hand',
      () => publishBundle(here.sites, latest, { version: 3, exportId: a, note: null, override: null }, admin),
      'conflict',
    ],
    ['roll back', () => back(3, null, latest), 'b pinned v4'],
    ['a newer export arrives while it is pinned', store('[]e', 9), 'b pinned v4'],
    ['unpin as somebody who has not looked', () => unpin(3, latest), 'conflict'],
    ['unpin', () => unpin(4, latest), 'e v6'],
    ['the same click again', () => unpin(4, latest), 'e v6'],
    ['pin', () => pin(6, null, latest), 'e pinned v7'],
    ['the same click again', () => pin(6, null, latest), 'e pinned v7'],
    ['pin for another reason', () => pin(7, 'Freeze.', latest), 'e pinned v8'],
    ['unpin', () => unpin(8, latest), 'e v9'],
    ['delete what it shows', deleteShown, 'c v10'],
    ['delete that, too', deleteShown, 'conflict'],
  ]
  for (const [channel, steps] of [
    ['production', production],
    ['latest', following],
  ] as const)
    for (const [what, act, expected] of steps) {
      here.check.unfinished = what.includes('checks') ? 'Killed.' : null
      const code = await act().then(() => null, readCode)
      const { current, pinned, version } = await here.channelOf(channel)
      const state = `${current === null ? '-' : names[current.sha256]}${pinned === null ? '' : ' pinned'} v${version}`
      expect([what, code ?? state]).toEqual([what, expected])
    }
  const history = await here.releasesOf('production')
  expect(
    history.map(({ number, kind, rolledBackTo, isHeld }) =>
      [number, kind, rolledBackTo, isHeld && 'held'].filter(Boolean).join(' '),
    ),
  ).toEqual([
    '8 rollback 1 held',
    '7 rollback 2 held',
    '6 publication held',
    '5 rollback 2 held',
    '4 publication held',
    '3 rollback 1',
    '2 publication',
    '1 publication',
  ])
  expect(history.find(({ overrideReason }) => overrideReason !== null)).toMatchObject({
    overrideReason: 'Urgent.',
    checks: expect.arrayContaining([{ condition: 'finished_check', state: 'failed', sentence: expect.any(String) }]),
    by: 'Ada',
  })
})

test('of two simultaneous publications, the second gets a conflict naming the first, and operators can’t override failed checks', async () => {
  const here = await kit()
  const [a, b] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]b')]
  const { key } = await here.channelOf('production')
  const operator = toPerson(toRole('operator'), [], 'Olga')
  // Both pass their checks before either writes.
  const both = Promise.withResolvers<void>()
  let waiting = 0
  here.check.before = () => {
    if ((waiting += 1) === 2) both.resolve()
    return both.promise
  }
  const publish = (exportId: string, who: typeof admin, override: string | null = null) =>
    publishBundle(here.sites, key, { version: 0, exportId, note: 'Now.', override }, who)
  const outcomes = await Promise.allSettled([publish(a, admin), publish(b, operator)])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []))
  expect(refused).toHaveLength(1)
  const [winner] = await here.releasesOf('production')
  expect(refused[0]).toMatchObject({ code: 'conflict' })
  expect(refused[0]!.message).toContain(`${winner!.by} published another bundle to it`)

  here.check.before = () => Promise.resolve()
  here.check.unfinished = 'Killed.'
  const loser = winner!.exportId === a ? b : a
  const again = (override: string | null) =>
    publishBundle(here.sites, key, { version: 1, exportId: loser, note: null, override }, operator)
  await expect(again(null)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Killed.') })
  await expect(again('I must.')).rejects.toMatchObject({ code: 'forbidden' })
})

test('a publication that fails halfway leaves no release, no changed channel and no audit row', async () => {
  const told: string[] = []
  let fails = true
  const here = await kit()
  here.ground.events.on('channel.published', async (_tx, { channelId, sha256 }) => {
    if (fails && sha256 === sumText('[]b')) throw new Error('cut')
    told.push(channelId)
  })
  await here.completeAndStore('[]a')
  const b = await here.completeAndStore('[]b', undefined, Date.now() - 1000)
  const before = await here.channelOf('production')
  await expect(here.publish(b)).rejects.toThrow('cut')
  expect(await here.channelOf('production')).toEqual(before)
  expect(await here.releasesOf('production')).toEqual([])
  const audited = async () =>
    (await here.db.select().from(auditEvents)).filter(({ action }) => action === 'release.published')
  expect(await audited()).toEqual([])
  fails = false
  await here.publish(b)
  expect(told.at(-1)).toBe(before.channelId)
  expect((await audited()).map(({ targetName, details }) => [targetName, details])).toEqual([
    [
      'docs-example-com/production',
      { site: 'docs-example-com', channel: 'production', release: 1, sha256: sumText('[]b'), publishChecks: 'passed' },
    ],
  ])
})

test('a hundred publications and rollbacks by two writers leave one gapless history that matches the audit', async () => {
  const here = await kit()
  const exports = [
    await here.completeAndStore('[]a'),
    await here.completeAndStore('[]b'),
    await here.completeAndStore('[]c'),
  ]
  const { key } = await here.channelOf('production')
  const times: number[] = []
  const write = async (seed: number) => {
    for (let turn = 0; turn < 50; turn += 1) {
      const { version } = await here.channelOf('production')
      const began = performance.now()
      const isBack = turn % 5 === seed
      const act = isBack
        ? rollBack(here.sites, key, { version, releaseId: null, note: null }, admin)
        : publishBundle(
            here.sites,
            key,
            { version, exportId: exports[(turn + seed) % 3]!, note: null, override: null },
            admin,
          )
      await act.catch((error: unknown) => expect(readCode(error)).toBe('conflict'))
      times.push(performance.now() - began)
    }
  }
  await Promise.all([write(1), write(2)])
  const history = (await here.releasesOf('production')).toReversed()
  expect(history.map(({ number }) => number)).toEqual(history.map((_, index) => index + 1))
  expect(history.length).toBeGreaterThan(20)
  const { current, version } = await here.channelOf('production')
  expect([current!.number, version]).toEqual([history.length, history.length])
  for (const [index, { sha256 }] of history.entries()) expect(sha256).not.toBe(history[index - 1]?.sha256)
  expect(history.filter(({ isHeld }) => isHeld).map(({ number }) => number)).toEqual(
    history.slice(-5).map(({ number }) => number),
  )
  const audited = (await here.db.select().from(auditEvents).orderBy(auditEvents.auditId)).filter(
    ({ targetId }) => targetId === key.channelId,
  )
  expect(audited.map(({ details }) => [details['release'], details['sha256']])).toEqual(
    history.map(({ number, sha256 }) => [number, sha256]),
  )
  // Far above what it takes on an idle machine, 15 ms.
  expect(times.toSorted((x, y) => x - y)[50]).toBeLessThan(1000)
})
