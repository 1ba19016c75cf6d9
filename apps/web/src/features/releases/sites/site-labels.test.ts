import type { PublishChecks } from '@docket/api-types/publish-checks'
import type { Channel, Release, Site } from '@docket/api-types/sites'
import { expect, test } from 'vitest'
import {
  describeMeanwhileChanges,
  describePageChange,
  explainPublishing,
  findEarlierRelease,
  findPublishable,
  findSiteOfDomain,
  isNewerWaiting,
} from './site-labels.ts'

const release = (number: number, sha256: string, change: Partial<Release> = {}): Release => ({
  releaseId: `release-${number}`,
  number,
  kind: 'publication',
  sha256,
  exportId: `export-${sha256}`,
  isListed: true,
  pages: 14,
  sizeBytes: 1000,
  at: '2026-11-24T00:00:00Z',
  by: 'Ada',
  note: null,
  checks: [],
  overrideReason: null,
  isHeld: true,
  rolledBackTo: null,
  ...change,
})

const channel = (change: Partial<Channel> = {}): Channel => ({
  channelId: 'c',
  name: 'production',
  version: 1,
  followsExports: false,
  current: release(1, 'a'),
  pinned: null,
  isProtected: false,
  access: 'signed_in',
  hostname: null,
  address: null,
  addressProblem: null,
  headers: [],
  oldHeaders: [],
  accessLog: false,
  publishChecks: {
    finishedCheck: true,
    noNewBreaks: true,
    noNewLeaks: true,
    maxFewerPages: 10,
    maxBytes: null,
    sameSearch: true,
    approvals: 0,
  },
  mayPublish: true,
  ...change,
})

const publishChecks: PublishChecks = {
  version: 1,
  exportId: 'e',
  sha256: 'b',
  against: null,
  isShown: false,
  checks: [{ condition: 'approvals', state: 'passed', sentence: '' }],
  passed: true,
  mayPublish: true,
  mayOverride: false,
  change: null,
  proposal: null,
}

test('a rollback goes to the latest earlier release with other bytes, and never to one that was rolled back', () => {
  const three = [release(3, 'c'), release(2, 'b'), release(1, 'a')]
  expect(findEarlierRelease(three, three[0]!)?.number).toBe(2)
  const back = [release(4, 'b', { kind: 'rollback' }), ...three]
  expect(findEarlierRelease(back, back[0]!)?.number).toBe(1)
  const again = [release(3, 'a'), release(2, 'b'), release(1, 'a')]
  expect(findEarlierRelease(again, again[0]!)?.number).toBe(2)
  const gone = [release(3, 'c'), release(2, 'b', { isHeld: false }), release(1, 'a')]
  expect(findEarlierRelease(gone, gone[0]!)?.number).toBe(1)
  expect(findEarlierRelease([release(1, 'a')], release(1, 'a'))).toBeNull()
})

test('a conflict message names who changed the channel and how', () => {
  const seen = channel()
  expect(describeMeanwhileChanges(seen, channel())).toBeNull()
  const published = channel({ version: 2, current: release(2, 'b', { by: 'Grace' }) })
  expect(describeMeanwhileChanges(seen, published)).toBe(
    'Release 2 is live in Production now, published by Grace meanwhile.',
  )
  const pinned = { by: 'Grace', at: '2026-11-24T00:00:00Z', reason: null }
  expect(describeMeanwhileChanges(seen, channel({ version: 2, pinned }))).toBe('Grace held Production meanwhile.')
  expect(describeMeanwhileChanges(channel({ pinned }), channel({ version: 2 }))).toBe(
    'Somebody resumed the updates of Production meanwhile.',
  )
})

test('a publication is refused with a reason that the user can act on', () => {
  expect(explainPublishing(publishChecks, 'Production')).toBeNull()
  expect(explainPublishing({ ...publishChecks, isShown: true }, 'Production')).toMatch(/already/)
  expect(explainPublishing({ ...publishChecks, mayPublish: false, passed: false }, 'Production')).toMatch(
    /Ask an admin/,
  )
  expect(explainPublishing({ ...publishChecks, passed: false }, 'Production')).toMatch(/may publish anyway/)
  expect(explainPublishing({ ...publishChecks, passed: false, mayOverride: true }, 'Production')).toMatch(/say why/)
})

test('changed pages are counted by kind', () => {
  expect(describePageChange({ added: 2, removed: 0, changed: 1, moved: 0 })).toBe('1 page changed, 2 added')
  expect(describePageChange({ added: 0, removed: 0, changed: 0, moved: 0 })).toBe('no page changed')
  expect(describePageChange(null)).toBeNull()
})

test('the newest export waits to be published, unless somebody rolled back from it', () => {
  const newest = { exportId: 'export-b', sha256: 'b', exportedAt: '2026-11-24T12:00:00Z' }
  const waits = (current: Release | null) => isNewerWaiting(newest, current)
  expect([waits(null), waits(release(1, 'a')), waits(release(2, 'b'))]).toEqual([true, true, false])
  const back = (at: string) => release(3, 'a', { kind: 'rollback', rolledBackTo: 1, at })
  expect([waits(back('2026-11-24T13:00:00Z')), waits(back('2026-11-24T11:00:00Z'))]).toEqual([false, true])
})

test('a domain leads to its site at the chosen connection, and people publish to the main channel first', () => {
  const site = (siteId: string, connectionId: string) =>
    ({ siteId, feeds: [{ connectionId, domain: 'docs.example.com' }] }) as Site
  const sites = [site('one', 'a'), site('two', 'b')]
  expect(['', 'b', 'c'].map((connection) => findSiteOfDomain(sites, 'docs.example.com', connection)?.siteId)).toEqual([
    'one',
    'two',
    'one',
  ])
  expect(findSiteOfDomain(sites, 'example.com', '')).toBeUndefined()
  const channels = [
    channel({ channelId: 'l', name: 'latest', followsExports: true }),
    channel({ channelId: 's', name: 'staging' }),
    channel(),
    channel({ channelId: 'x', name: 'x', mayPublish: false }),
  ]
  expect(findPublishable({ channels, mainChannelId: 's' }).map(({ name }) => name)).toEqual(['staging', 'production'])
})
